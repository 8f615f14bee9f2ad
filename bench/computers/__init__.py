"""Measurements on the computers that people have: those of another kind, and slow ones."""
