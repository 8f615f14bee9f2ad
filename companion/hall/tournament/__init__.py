"""Tournaments in a hall: players, pairings, results and standings, kept in the hall's book."""
