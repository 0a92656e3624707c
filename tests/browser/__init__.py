"""What pages in a real browser can do with the service; `make browser` runs it."""
