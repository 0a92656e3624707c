"""Who asks: bearer tokens, the normal form of account names, and what an operation demands of its caller."""
