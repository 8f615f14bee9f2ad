"""The rules at speed: odds, random play, simulation."""
