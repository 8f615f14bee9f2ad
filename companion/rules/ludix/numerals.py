"""Roman numerals: how to write a number (``numerals.toml``), and which numerals the symbols of a throw form."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from companion.data_file import data_of
from companion.rules.dice import Throw, dice_set

DICE = "ludix"
"""The dice set of the game."""


@dataclass(frozen=True)
class Numeral:
    """A numeral that four dice can form, and its value in points."""

    text: str
    value: int

    def __str__(self) -> str:
        return self.text


@cache
def dice() -> tuple[str, ...]:
    """Return the names of the four dice."""
    return tuple(die.name for die in dice_set(DICE).dice)


@cache
def symbols() -> Mapping[str, int]:
    """Return the symbols on the dice and their values, the highest first."""
    worth = {face.text: face.value for die in dice_set(DICE).dice for face in die.faces}
    return dict(sorted(worth.items(), key=lambda entry: -entry[1]))


def write(number: int) -> str:
    """Return the one correct numeral of a number from 1 to 999.

    Raises:
        ValueError: the number is outside this range.
    """
    patterns, places = _rules()
    if not 1 <= number < places[0][0] * len(patterns):
        raise ValueError(f"Expected a number from 1 to {places[0][0] * len(patterns) - 1}, but got {number}.")
    written = ""
    for worth, signs in places:
        digit, number = divmod(number, worth)
        written += patterns[digit].translate(signs)
    return written


@cache
def _rules() -> tuple[tuple[str, ...], tuple[tuple[int, dict[int, str]], ...]]:
    data = data_of(__package__, "numerals.toml")
    places = tuple((entry["worth"], str.maketrans(entry["signs"])) for entry in data["place"])
    return tuple(data["patterns"]), places


@cache
def numerals() -> Mapping[str, Numeral]:
    """Return every numeral of exactly four symbols on the dice, by its text, in the order of value."""
    most = max(symbols().values()) * len(dice())
    written = {write(number): number for number in range(1, most + 1)}
    return {
        text: Numeral(text, number)
        for text, number in written.items()
        if len(text) == len(dice()) and set(text) <= symbols().keys()
    }


def sorted_symbols(shown: str) -> str:
    """Return symbols in the order of their values, ``"IXVL"`` as ``"LXVI"``; this is the name of a throw."""
    return "".join(symbol * shown.count(symbol) for symbol in symbols())


def shown_by(throw: Throw) -> str:
    """Return the symbols of a throw in the order of their values."""
    return sorted_symbols("".join(face for _, face in throw.shown))


def total(shown: str) -> int:
    """Return the sum of the symbols' values, whatever their order."""
    return sum(symbols()[symbol] for symbol in shown)


def formed_by(shown: str) -> tuple[Numeral, ...]:
    """Return every numeral that uses all of these symbols, the highest first; none if they form none."""
    return _by_symbols().get(sorted_symbols(shown), ())


@cache
def _by_symbols() -> Mapping[str, tuple[Numeral, ...]]:
    found: dict[str, list[Numeral]] = defaultdict(list)
    for numeral in numerals().values():
        found[sorted_symbols(numeral.text)].append(numeral)
    return {shown: tuple(sorted(alike, key=lambda numeral: -numeral.value)) for shown, alike in found.items()}


def is_sum(points: int, *, best_only: bool) -> bool:
    """Return whether some numerals of four dice add up to this number of points."""
    reachable = _small_sums(best_only=best_only)
    return points >= len(reachable) or reachable[points]


@cache
def _small_sums(*, best_only: bool) -> tuple[bool, ...]:
    """Return which sums are possible, up to the sum from which all are possible."""
    values = {
        numeral.value for numeral in numerals().values() if not best_only or formed_by(numeral.text)[0] == numeral
    }
    reachable = [True]
    # after as many possible sums in a row as the least value, every higher sum is possible
    runs = 1
    while runs < min(values):
        total = len(reachable)
        reachable.append(any(reachable[total - value] for value in values if value <= total))
        runs = runs + 1 if reachable[-1] else 0
    return tuple(reachable)
