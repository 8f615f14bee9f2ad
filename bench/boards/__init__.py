"""How well boards are read and followed."""
