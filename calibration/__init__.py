"""Procedures that fit the program to a table: calibrating a board, learning an owner's dice, the printable kit.

`calibration.workshop` makes the reader itself; the wheel leaves it out.
"""

import companion  # noqa: F401  its environment comes first, before torch and whatever that loads
