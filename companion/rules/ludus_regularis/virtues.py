"""The 56 virtues: lot, name, and the letters that a throw must show to win one. The list itself is ``virtues.toml``."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations_with_replacement

from companion.data_file import data_of
from companion.language.sentence import Sentence, Template, term
from companion.rules.dice import dice_set

VOWELS = "AEIOU"
"""U is always a vowel, even where it is spoken as V (Pulskamp & Otero, on the dice)."""


@dataclass(frozen=True)
class Virtue:
    """One virtue. ``index`` counts from 0 in the order of the lots; ``lot`` is also its site on every board."""

    index: int
    lot: str
    latin: str
    english: str
    initial_consonant: bool = False
    second_cast: bool = False
    double: bool = False

    def __str__(self) -> str:
        return self.latin

    @property
    def called(self) -> Sentence:
        """The virtue in a sentence that names it alone: pages add the Latin, whose letters the dice must show."""
        return term(self.latin, Sentence("{name} ({latin})", name=self.translated, latin=self.latin))

    @property
    def called_briefly(self) -> Sentence:
        """The virtue in a sentence that lists several, where there is no room for the Latin."""
        return term(self.latin, self.translated)

    @property
    def translated(self) -> Sentence:
        """The virtue's name in the reader's language, without the Latin."""
        return Sentence.of(Template(self.english))

    @cached_property
    def sum(self) -> int:
        """The sum of the lot's three numbers."""
        return sum(int(number) for number in self.lot.split("."))

    def vowels(self, *, initial_too: bool = False) -> str:
        """Return the vowels that the cubes must show, each as often as the name has it.

        Without ``initial_too``, this omits the first letter of Iustitia, which is spoken as a consonant.
        """
        name = self.latin.upper()
        asked = name[1:] if self.initial_consonant and not initial_too else name
        return "".join(letter for letter in asked if letter in VOWELS)

    @cached_property
    def consonants(self) -> frozenset[str]:
        """The consonants of the name; any one of them on the hidden face is enough."""
        return frozenset(self.latin.upper()) - frozenset(VOWELS)

    @cached_property
    def winning_faces(self) -> tuple[str, ...]:
        """The faces of the tetrahedron that hold one of its consonants."""
        faces = dice_set("wibold").die("consonants").faces
        return tuple(face.text for face in faces if self.consonants & set(face.marks))


@cache
def virtues() -> tuple[Virtue, ...]:
    """Return all virtues in the order of the lots."""
    entries = data_of(__package__, "virtues.toml")["virtues"]
    listed = tuple(Virtue(index, **entry) for index, entry in enumerate(entries))
    lots = [".".join(str(number) for number in lot) for lot in combinations_with_replacement(range(1, 7), 3)]
    assert [virtue.lot for virtue in listed] == lots, "virtues.toml must hold every lot once, in order"
    return listed


@cache
def by_lot() -> dict[str, Virtue]:
    """Return the virtues by their lots, ``"1.2.3"``."""
    return {virtue.lot: virtue for virtue in virtues()}


@cache
def of_sum(total: int) -> tuple[Virtue, ...]:
    """Return the virtues whose lots have this sum, in the order of the lots."""
    return tuple(virtue for virtue in virtues() if virtue.sum == total)


def lot_of(values: Iterable[int]) -> str:
    """Return the lot of three numbers, whichever cube shows which: ``"1.2.3"``."""
    return ".".join(str(value) for value in sorted(values))


def lacking(asked: str, shown: str) -> str:
    """Return the letters of ``asked`` that ``shown`` does not have often enough, in the order of the name."""
    left = Counter(shown)
    missing = []
    for letter in asked:
        if left[letter] > 0:
            left[letter] -= 1
        else:
            missing.append(letter)
    return "".join(missing)
