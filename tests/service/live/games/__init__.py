"""Tests of watched games."""
