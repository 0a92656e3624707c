"""Events in words: what a move decided and what its facts brought about."""
