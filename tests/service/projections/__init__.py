"""Tests of the lobby and the history."""
