"""The line to another table that plays the same match: one table listens, the other one joins it by a code."""
