"""Watched games: each event is encoded once for each class of viewer and sent to all who watch."""
