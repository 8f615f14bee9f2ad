"""Matches of the journal: their replay and result, what they say together, and how they come in and out."""
