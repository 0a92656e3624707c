"""Faults that other servers shipped, each tested as a kind."""
