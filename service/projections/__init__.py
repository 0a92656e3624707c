"""Checkpointed readers of the log: the lobby and each account's history."""
