"""Tests of the clients, against a running service."""
