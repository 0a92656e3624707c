"""How requests are read: bodies, queries, headers, cursors, tags."""
