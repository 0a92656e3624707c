"""The tests, which mirror the sources."""
