"""The riddle at the end of Wibold's text: its verses give nine numbers, which are the letters of the author's name.

After Pulskamp & Otero, "The Author's Puzzle". The verses are in our own words, one step for each thing that they say.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.language.sentence import Sentence, SentenceError

ALPHABET = "ABCDEFGHIKLMNOPQRSTVXYZ"
"""The Latin alphabet of the riddle: 23 letters, A is 1 and Z is 23. There is no J, U or W."""

SPELLED = {"J": "I", "U": "V", "W": "VV"}
"""How to write newer letters of a name in the old alphabet."""


class PuzzleError(SentenceError, ValueError):
    """A letter or number that the riddle's alphabet does not have."""


@dataclass(frozen=True)
class VerseStep:
    """One thing that the verses say: which letters of the name (counted from 1) have which number."""

    places: tuple[int, ...]
    number: int
    sentence: Sentence

    @property
    def letter(self) -> str:
        """The letter of this number."""
        return ALPHABET[self.number - 1]


STEPS = (
    VerseStep((1, 2, 8), 2 * 10, Sentence("Twice ten is the first letter, the second and the eighth.")),
    VerseStep((3,), 9, Sentence("Nine is the third.")),
    VerseStep((4,), 2, Sentence("Two is the fourth.")),
    VerseStep((5,), 4 + 10, Sentence("Four and ten together are the fifth.")),
    VerseStep((6,), 11, Sentence("Eleven is the sixth.")),
    VerseStep((7,), 2 * 2, Sentence("Twice two is the seventh.")),
    VerseStep((9,), 3 * 6, Sentence("Three times six is the last.")),
)
"""The riddle in the order of its verses."""


def solution() -> tuple[int, ...]:
    """Return the numbers of the author's name in their order."""
    found = {place: step.number for step in STEPS for place in step.places}
    return tuple(found[place] for place in sorted(found))


def spelled(name: str) -> str:
    """Return a name in the letters of the riddle, in capitals and without spaces: ``"Wibold"`` is ``"VVIBOLD"``.

    Raises:
        PuzzleError: a sign is neither a letter of the riddle nor J, U or W.
    """
    written = "".join(SPELLED.get(letter, letter) for letter in name.upper() if not letter.isspace())
    strange = sorted(set(written) - set(ALPHABET))
    if strange:
        raise PuzzleError(
            Sentence(
                "Expected a name in the letters A to Z, but got {strange}: leave out accents and other signs.",
                strange=", ".join(strange),
            )
        )
    if not written:
        raise PuzzleError(Sentence("Expected a name in the letters A to Z."))
    return written


def numbers_of(name: str) -> tuple[int, ...]:
    """Return the numbers of a name's letters.

    Raises:
        PuzzleError: as `spelled` does.
    """
    return tuple(ALPHABET.index(letter) + 1 for letter in spelled(name))


def letters_of(numbers: Sequence[int]) -> str:
    """Return the letters of these numbers.

    Raises:
        PuzzleError: a number that no letter has.
    """
    for number in numbers:
        if not 1 <= number <= len(ALPHABET):
            raise PuzzleError(
                Sentence("Expected numbers from 1 to {most}, but got {number}.", most=len(ALPHABET), number=number)
            )
    return "".join(ALPHABET[number - 1] for number in numbers)
