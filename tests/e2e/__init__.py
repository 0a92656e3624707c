"""Whole games through a running service, by programs that know no rules."""
