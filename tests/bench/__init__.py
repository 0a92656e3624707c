"""Benchmarks: ratios within one run are judged, absolute figures printed."""
