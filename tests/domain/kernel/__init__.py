"""Tests of what every title shares."""
