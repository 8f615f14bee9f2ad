"""Frames in, readings out: camera sources, stillness, and what the dice show."""
