"""Throws of one die sorted by likeness: which of them show the same face, without knowing which face that is."""
