"""What a table remembers of its dice."""
