"""Keep a reader's outcomes on fixed pictures, to decide whether a later reader is worse by more than chance.

The pictures are the same, so the readers are compared die by die. If both are equally good, dice that only one of them
reads fall to either side like a tossed coin. The chance of as many losses among them, or more, is the sign test (the
exact form of McNemar's). Silent errors have no such tolerance: there may be no more than allowed.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Final

from bench.scoring.outcomes import Became
from bench.scoring.score import Score

LETTERS: Final[Mapping[Became, str]] = {
    "correct": "C",
    "asked": "A",
    "missed": "M",
    "wrong": "W",
    "unseen": "U",
    "guessed": "G",
    "phantom": "P",
}
SILENT: Final = "WGP"

CHANCE: Final = 0.05
"""The reader is worse if the chance of so many losses or more is below this."""

FORMAT: Final = 1


class BaselineError(ValueError):
    """A file holds no baseline, or one of other pictures."""


@dataclass(frozen=True)
class Baseline:
    """The true faces and what became of each die, as letters of `LETTERS` (phantoms after the dice), by picture."""

    pictures: Mapping[str, tuple[tuple[str, ...], str]]
    allowed_silent: int = 0
    """How many more silent errors than kept here may pass."""

    @classmethod
    def of(cls, score: Score, allowed_silent: int = 0) -> "Baseline":
        """Return the baseline of what became of a reader's pictures."""
        kept = {}
        for picture in score.pictures:
            faces = tuple(str(one.truth["face"]) for one in picture.outcomes if one.truth is not None)
            kept[picture.image] = (faces, "".join(LETTERS[one.became] for one in picture.outcomes))
        return cls(kept, allowed_silent)

    @classmethod
    def load(cls, path: Path) -> "Baseline":
        """Read a file that `save` wrote.

        Raises:
            BaselineError: the file is missing, or is not a baseline.
        """
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["format"] != FORMAT:
                raise BaselineError(f"Expected a baseline of format {FORMAT} in {path}, but it is {data['format']!r}.")
            kept = {str(name): (tuple(map(str, faces)), str(letters)) for name, faces, letters in data["pictures"]}
            return cls(kept, int(data["allowed_silent"]))
        except OSError as error:
            raise BaselineError(f"Expected a baseline in {path}, but it cannot be read: {error.strerror}.") from error
        except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
            raise BaselineError(
                f"Expected a baseline in {path}, but it is none; write it again with --write-baseline."
            ) from error

    def save(self, path: Path) -> None:
        """Write it, one picture per line, so that a change is easy to see."""
        lines = [json.dumps([name, list(faces), letters]) for name, (faces, letters) in sorted(self.pictures.items())]
        head = f'"format": {FORMAT}, "allowed_silent": {self.allowed_silent}, "counts": {json.dumps(self.counts())}'
        path.write_text("{" + head + ', "pictures": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")

    def counts(self) -> dict[str, int]:
        """Return how many dice (that a person can read), correct ones and silent errors there are."""
        letters = "".join(letters for _, letters in self.pictures.values())
        return {
            "dice": sum(letters.count(one) for one in "CAMW"),
            "correct": letters.count("C"),
            "silent": sum(letters.count(one) for one in SILENT),
        }

    def worse(self, now: "Baseline") -> str | None:
        """Return one sentence on how another reader is worse on the same pictures, or None.

        Raises:
            BaselineError: the pictures are not the same.
        """
        self._check_same(now)
        before, after = self.counts(), now.counts()
        if after["silent"] > before["silent"] + self.allowed_silent:
            return (
                f"Expected at most {before['silent'] + self.allowed_silent} silent errors among {before['dice']} dice, "
                f"but there are {after['silent']}: {_named(self, now, SILENT)}."
            )
        lost, gained = _changes(self, now)
        if by_chance(lost, gained) < CHANCE:
            return (
                f"Expected as many correct dice as the {before['correct']} of {before['dice']} kept, but there are "
                f"{after['correct']}: {lost} lost and {gained} gained, more than chance explains."
            )
        return None

    def _check_same(self, now: "Baseline") -> None:
        mine = {name: faces for name, (faces, _) in self.pictures.items()}
        theirs = {name: faces for name, (faces, _) in now.pictures.items()}
        if mine != theirs:
            other = sorted(name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name))
            raise BaselineError(
                f"Expected the {len(mine)} pictures that the baseline was made of, but {len(other)} differ "
                f"({other[0]} first); write it again with --write-baseline if they were meant to change."
            )


def by_chance(lost: int, gained: int) -> float:
    """Return the chance of at least this many losses among these changes if losing were as likely as gaining."""
    changes = lost + gained
    return float(sum(comb(changes, number) for number in range(lost, changes + 1)) / 2**changes)


def _changes(before: Baseline, after: Baseline) -> tuple[int, int]:
    lost = gained = 0
    for name, (faces, old) in before.pictures.items():
        new: str = after.pictures[name][1]
        for was, became in zip(old[: len(faces)], new[: len(faces)], strict=True):
            lost += was == "C" != became
            gained += was != "C" == became
    return lost, gained


def _named(before: Baseline, after: Baseline, letters: str) -> str:
    """Name the pictures with more of these letters than before."""

    def count(kept: Baseline, name: str) -> int:
        return sum(kept.pictures[name][1].count(letter) for letter in letters)

    return ", ".join(name for name in sorted(after.pictures) if count(after, name) > count(before, name))
