"""Tests of the event log, on a real PostgreSQL."""
