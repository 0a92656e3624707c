"""The commands for those who write titles."""
