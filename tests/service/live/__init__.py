"""Tests of `service.live`."""
