"""Feeds of the lobby and of accounts: a notice for each event that changes a list of games."""
