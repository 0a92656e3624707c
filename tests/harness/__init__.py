"""What tests stand on: databases, servers and faults."""
