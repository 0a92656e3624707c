"""The PostgreSQL that comes along for whoever has none."""
