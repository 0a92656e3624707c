"""Tests of how requests are read and answered."""
