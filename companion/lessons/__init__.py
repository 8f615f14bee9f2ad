"""Lessons: short courses that teach a game step by step, on its own board and with its own rules."""
