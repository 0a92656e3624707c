"""Tests of connections: what a peer may hold, and how it is answered."""
