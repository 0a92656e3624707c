"""Tests of domain/kernel/record."""
