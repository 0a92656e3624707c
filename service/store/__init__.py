"""The store: events and accounts in PostgreSQL, and the PostgreSQL that comes along."""
