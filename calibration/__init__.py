"""Procedures that fit the program to a table: calibrating a board, learning an owner's dice, the printable kit."""

import companion  # noqa: F401  its environment comes first, before OpenCV and whatever that loads
