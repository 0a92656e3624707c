"""The event log: append, read, listen, and its epoch."""
