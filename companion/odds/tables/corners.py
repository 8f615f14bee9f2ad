"""Seis, dos y as in bits: men in hand are grouped by the table where they were hit, and enter the opposite one."""

import numpy as np

from companion.odds.tables.men import CORNERS, TAKEN_BIT, Bits

TABLE_POINTS = 6
TABLES = tuple(range(4))


def _before(table: int) -> int:
    """Return the place before the table that lies diagonally opposite."""
    return (table + 2) % len(TABLES) * TABLE_POINTS


def enterable(own: Bits, free: Bits, value: Bits) -> Bits:
    """Return the bits of the groups of men in hand that can enter on free points with these pips."""
    found: Bits = np.zeros(value.shape, np.uint32)
    for table in TABLES:
        is_free = free >> (value + np.uint32(_before(table))) & np.uint32(1)
        found |= own & (is_free << np.uint32(TAKEN_BIT + table))
    return found


def entered(origin: Bits, value: Bits) -> Bits:
    """Return where men that enter from these bits with these pips land; 0 for other bits."""
    goal: Bits = np.zeros(origin.shape, np.uint32)
    for table in TABLES:
        from_here = origin >> np.uint32(TAKEN_BIT + table) & np.uint32(1)
        goal |= from_here << (value + np.uint32(_before(table)))
    return goal


def taken(struck: Bits) -> Bits:
    """Return the bits in hand of men that were hit on these places, one a word."""
    hand: Bits = np.zeros(struck.shape, np.uint32)
    for table in TABLES:
        here = np.uint32(((1 << TABLE_POINTS) - 1) << table * TABLE_POINTS + 1)
        hand |= np.where(struck & here, np.uint32(1 << TAKEN_BIT + table), np.uint32(0))
    return hand & CORNERS
