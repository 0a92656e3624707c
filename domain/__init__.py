"""The rules of the titles: pure functions over values, without I/O, clock or randomness of their own."""
