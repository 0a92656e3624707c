"""Tests of the PostgreSQL that comes along."""
