"""A series of throws of one die or several: what happened, one event after the other, and how it stands."""
