"""Tests of Space Lab."""
