"""What a table remembers of its own dice: faces whose text became known, and how like them a new face is."""
