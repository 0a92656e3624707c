"""The service: the log, the write path, the projections, the sockets and the HTTP contract."""
