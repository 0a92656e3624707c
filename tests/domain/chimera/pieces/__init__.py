"""The records of the pieces."""
