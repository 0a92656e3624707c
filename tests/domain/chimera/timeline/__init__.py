"""Tests of Chimera Station."""
