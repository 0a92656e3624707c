"""The commands for those who write titles: `new-title`, `check-title` and `play`. They need no database."""
