"""The rules at speed: odds, play at random, simulation."""
