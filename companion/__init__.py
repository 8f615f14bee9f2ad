"""Alea: a companion beside a real table that reads the dice, referees the game and shows the page."""
