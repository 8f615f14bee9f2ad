"""Tables games played many at once with NumPy: the same games as the rules core plays, move by move, only quicker."""
