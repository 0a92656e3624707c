"""The attacks, by what they aim at. Each is one round, which is repeated until the time is up."""
