"""Every operation over HTTP, against a running service on real Postgres."""
