"""Wibold's game of virtues, tenth century: three letter cubes, a tetrahedron of consonants and 56 virtues.

Beside it the wheel that its editor drew in 1615, and the riddle in which its author hid his name.
"""

from companion.rules.ludus_regularis.ludus import LudusRegularis
from companion.rules.ludus_regularis.position import LudusPosition

GAMES = (
    LudusRegularis(
        "ludus-regularis",
        "Ludus Regularis",
        "Three letter cubes and a tetrahedron of consonants are thrown in turn, and the number of letters on each cube "
        "makes a lot that belongs to one of 56 virtues. Who also finds the vowels of its name on the cubes, and one of "
        "its consonants on the tetrahedron's hidden face, acquires the virtue if it is still free. In the end the "
        "player with most virtues is the teacher, and the others learn by good habits what the dice denied them.",
        "whole",
    ),
    LudusRegularis(
        "ludus-regularis/sum",
        "Ludus Regularis by sums",
        "This is Wibold's simpler game: three cubes are thrown in turn, with letters or with pips. Their sum alone "
        "gives all the virtues of that sum which are still free. In the end the player with most virtues is the "
        "teacher.",
        "sum",
    ),
    LudusRegularis(
        "ludus-regularis/wheel",
        "The wheel of virtues",
        "George Colvener, who first printed Wibold's game in 1615, drew a board for those who have no letter dice: the "
        "56 virtues stand around a circle, and a pointer in its middle is spun. Whoever spins acquires the virtue at "
        "which it stops, if that is still free; every virtue comes as easily as any other. In the end the player with "
        "most virtues is the teacher.",
        "wheel",
    ),
)

__all__ = ["GAMES", "LudusPosition", "LudusRegularis"]
