"""What a table remembers of its dice: learnt while people play or teach it, kept on the disk, shown to its owner."""
