"""Tests of `service.limits`."""
