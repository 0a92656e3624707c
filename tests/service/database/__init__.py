"""Tests of `service.database`, on a real PostgreSQL."""
