"""What every title shares: seats, chance, legal moves, the rules protocol and the fold of a game around a title."""
