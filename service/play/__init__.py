"""Load, decide, append, answer: the only write path, and the cache of hot games that it decides on."""
