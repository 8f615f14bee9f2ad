"""The dice of a throw with names and labels, as far as these are certain; and the question about the rest."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.fairness.series.dice import SeriesDie
from companion.fairness.series.events import Asked, Thrown
from companion.fairness.series.fold import Series
from companion.language.sentence import Sentence
from companion.vision.readings import ReadDie

DOUBTFUL = Sentence("This die could not be read for certain: what does it show?")
SEVERAL = Sentence("Not every die could be read for certain: what do they show?")
WHICH = Sentence("There is no telling which die is which: look at the table and say what each one shows.")


@dataclass(frozen=True)
class AskedDie:
    """One die of a throw. ``die``: its name in the series; ``face``: its label, None unless read for certain.

    ``candidates``: labels and chances, likeliest first. ``missing``: the die was not seen. ``certain``: it is known
    which die this is.
    """

    die: str
    face: str | None
    candidates: tuple[tuple[str, float], ...] = ()
    missing: bool = False
    certain: bool = True

    @property
    def sure(self) -> bool:
        """Whether the die counts without asking a person."""
        return self.face is not None and self.certain


def labelled(series: Series, moved: Sequence[ReadDie], stayed: Sequence[ReadDie], *, whole: bool) -> list[AskedDie]:
    """Name the dice that were thrown, and those that should lie there but do not.

    ``stayed``: dice that nobody moved; ``whole``: the reading as a whole is not in doubt.
    """
    left = Counter({die.name: die.together for die in series.dice})
    for die in stayed:
        if (known := _named(series, die)) is not None and left[known.name]:
            left[known.name] -= 1
    named: list[tuple[ReadDie, SeriesDie | None]] = []
    for die in moved:
        known = _named(series, die)
        if known is not None and not left[known.name]:
            known = None  # the same die twice
        if known is not None:
            left[known.name] -= 1
        named.append((die, known))
    nameless = [place for place, (_, known) in enumerate(named) if known is None]
    free = [series.dice[series.by_name[name]] for name, count in left.items() for _ in range(count)]
    # where only one die has no name, it gets the name that is left
    certain = len(nameless) == 1 and len(free) == 1 and moved[nameless[0]].die is None
    for place, known in zip(nameless, free, strict=False):
        named[place] = named[place][0], known
        left[known.name] -= 1
    dice = [
        _judged(die, known, certain=certain or place not in nameless)
        for place, (die, known) in enumerate(named)
        if known is not None
    ]
    lacking = series.together - len(stayed) - len(moved)
    dice += [AskedDie(name, None, missing=True) for name, count in left.items() for _ in range(count)][:lacking]
    if not whole and all(die.sure for die in dice):
        # the throw as a whole is in doubt
        dice = [AskedDie(one.die, None, one.candidates) for one in dice]
    return dice


def _named(series: Series, die: ReadDie) -> SeriesDie | None:
    """Return which die of the series this is, as far as its reading says: nothing where several are alike."""
    fitting = [
        known
        for known in series.dice
        if known.dice.name == die.set_name and (known.dice.alike or known.die.name == die.die)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _judged(die: ReadDie, known: SeriesDie, *, certain: bool) -> AskedDie:
    chances: dict[str, float] = {}
    for text, chance in die.candidates:
        labels = known.labels(text, die.twin if text == die.face else None)
        for label in labels:
            chances[label] = chances.get(label, 0.0) + chance / len(labels)
    face = known.labels(die.face, die.twin) if die.face and die.status == "read" else ()
    return AskedDie(known.name, face[0] if len(face) == 1 else None, _likeliest(chances), certain=certain)


def _likeliest(chances: dict[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(chances.items(), key=lambda one: -one[1]))


def throws_of(
    dice: Sequence[AskedDie], pictures: Sequence[str], arrangement: tuple[dict[str, Any], ...]
) -> list[Thrown]:
    """Return the throws of dice about which nobody is asked now; ``pictures``: one for each.

    One that was not read for certain is unread.
    """
    return [
        Thrown(
            die.die,
            die.face,
            "camera",
            die.candidates[0][0] if die.face is None and die.candidates else None,
            picture=picture,
            confidence=round(die.candidates[0][1], 4) if die.face is not None and die.candidates else None,
            candidates=tuple([label, round(chance, 4)] for label, chance in die.candidates),
            arrangement=() if place else arrangement,
        )
        for place, (die, picture) in enumerate(zip(dice, pictures, strict=False))
    ]


def asked_of(
    dice: Sequence[AskedDie],
    pictures: Sequence[str],
    arrangement: tuple[dict[str, Any], ...],
    together: int,
    sentence: Sentence | None = None,
) -> Asked:
    """Return the question about a throw; the last of the ``pictures`` shows the whole table.

    ``together``: the number of dice that should lie there; ``sentence``: what to ask, by default what the dice show.
    """
    many = Counter(die.die for die in dice)
    seen: Counter[str] = Counter()
    asked = []
    for place, die in enumerate(dice):
        seen[die.die] += 1
        alone = not die.missing and die.certain and place < len(pictures)
        asked.append(
            {
                "key": die.die if many[die.die] == 1 else f"{die.die} {seen[die.die]}",
                "die": die.die,
                "face": die.face if die.certain else None,
                "missing": die.missing,
                "candidates": [[label, round(chance, 4)] for label, chance in die.candidates],
                "picture": pictures[place] if alone else pictures[-1],
            }
        )
    return Asked((sentence or _sentence(dice, together)).to_json(), tuple(asked), arrangement)


def _sentence(dice: Sequence[AskedDie], together: int) -> Sentence:
    missing = [die for die in dice if die.missing]
    if missing:
        return Sentence(
            "There are {seen} of {expected} dice on the table: add the rest, or say what they show.",
            seen=together - len(missing),
            expected=together,
        )
    if not all(die.certain for die in dice):
        return WHICH
    return DOUBTFUL if sum(not die.sure for die in dice) == 1 else SEVERAL
