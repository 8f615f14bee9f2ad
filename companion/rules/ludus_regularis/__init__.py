"""Wibold's game of virtues, tenth century: three letter cubes, a tetrahedron of consonants and 56 virtues."""

from companion.rules.ludus_regularis.ludus import LudusRegularis
from companion.rules.ludus_regularis.position import LudusPosition

GAMES = (
    LudusRegularis(
        "ludus-regularis",
        "Ludus Regularis",
        "Three letter cubes and a tetrahedron of consonants are thrown in turn. How many letters each cube shows "
        "makes the lot, and every lot belongs to one of 56 virtues. Who also finds the vowels of its name on the "
        "cubes, and one of its consonants on the tetrahedron's hidden face, acquires the virtue if it is still "
        "free. In the end the player with most virtues is the teacher, and the others learn by good habits what "
        "the dice denied them.",
        by_sum=False,
    ),
    LudusRegularis(
        "ludus-regularis/sum",
        "Ludus Regularis by sums",
        "Wibold's simpler game: three cubes are thrown in turn, with letters or with pips, and their sum alone "
        "gives all the virtues of that sum which are still free. In the end the player with most virtues is the "
        "teacher.",
        by_sum=True,
    ),
)

__all__ = ["GAMES", "LudusPosition", "LudusRegularis"]
