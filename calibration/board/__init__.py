"""Calibrate a board's place: the lens, where the board lies, its colours, and the steps that lead there."""
