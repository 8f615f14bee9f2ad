"""A series of throws of one die or several: its events in order, and its state."""
