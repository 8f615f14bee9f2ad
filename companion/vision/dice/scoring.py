"""How good a reader is: correct, asked, silent, with intervals, over labelled pictures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Final

import numpy as np

from companion.vision.dice.geometry import inside

Z95: Final = 1.959964
"""Two-sided 95 % point of the normal distribution."""

Label = Mapping[str, Any]
"""One line of ``labels.jsonl``, or one printed by ``companion read --json``, as a mapping."""


@dataclass
class Tally:
    """Counts of one kind of die. ``asked`` are neither read right nor silently wrong: asked about, ignored or missed.

    ``silent`` counts wrong readings and phantoms; a phantom is no die, so the three need not add up to ``dice``.
    """

    dice: int = 0
    correct: int = 0
    silent: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return counts, rates and their 95 % intervals."""
        wrong = min(self.silent, self.dice - self.correct)
        return {
            "dice": self.dice,
            "correct": _rate(self.correct, self.dice),
            "asked": _rate(self.dice - self.correct - wrong, self.dice),
            "silent": _rate(self.silent, self.dice),
        }


@dataclass
class Score:
    """What a reader made of some labelled pictures."""

    cubes: Tally = field(default_factory=Tally)
    tetrahedra: Tally = field(default_factory=Tally)
    images: int = 0
    exact: int = 0
    images_silent: int = 0
    identity_right: int = 0
    identity_of: int = 0
    milliseconds: list[float] = field(default_factory=list)

    def add(self, label: Label, reading: Label) -> None:
        """Count one picture."""
        truth = [one for one in label["objects"] if one["kind"] == "die"]
        read = [one for one in reading["objects"] if one.get("status", "read") == "read" and one["kind"] == "die"]
        pairs, phantoms = _match(truth, read)
        if not label.get("complete", False):
            phantoms = []
        missed = silent = 0
        for die, answer in pairs:
            tally = self.tetrahedra if die.get("die") == "consonants" else self.cubes
            right = answer is not None and _same_face(die["face"], answer["face"])
            legible = bool(die.get("legible", True))
            tally.dice += legible
            tally.correct += legible and right
            missed += legible and not right
            if answer is not None and not right:
                tally.silent += 1
                silent += 1
            if legible and right and answer is not None and tally is self.cubes and "die" in die:
                self.identity_of += 1
                self.identity_right += str(answer.get("die")) == str(die["die"])
        for phantom in phantoms:
            (self.tetrahedra if phantom.get("die") == "consonants" else self.cubes).silent += 1
        silent += len(phantoms)
        self.images += 1
        self.exact += missed == 0 and silent == 0
        self.images_silent += silent > 0
        if "ms" in reading:
            self.milliseconds.append(float(reading["ms"]))

    def to_json(self) -> dict[str, Any]:
        """Return the whole report."""
        report: dict[str, Any] = {
            "cubes": self.cubes.to_json(),
            "tetrahedra": self.tetrahedra.to_json(),
            "images": {
                "of": self.images,
                "exact": _rate(self.exact, self.images),
                "with_silent_error": _rate(self.images_silent, self.images),
            },
            "die_identity": _rate(self.identity_right, self.identity_of),
        }
        if self.milliseconds:
            times = np.array(self.milliseconds)
            report["ms"] = {
                f"p{percent}": round(float(np.percentile(times, percent)), 1) for percent in (50, 90, 95, 99)
            }
        return report


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share (Wilson 1927); (0, 1) where nothing was counted."""
    if of == 0:
        return 0.0, 1.0
    share = hits / of
    scale = 1 + Z95**2 / of
    middle = (share + Z95**2 / (2 * of)) / scale
    half = Z95 * sqrt(share * (1 - share) / of + Z95**2 / (4 * of**2)) / scale
    return max(0.0, middle - half), min(1.0, middle + half)


def _rate(hits: int, of: int) -> dict[str, Any]:
    low, high = wilson(min(hits, of), of)
    return {
        "count": hits,
        "of": of,
        "rate": round(hits / of, 4) if of else None,
        "interval": [round(low, 4), round(high, 4)],
    }


def _same_face(truth: str, read: str) -> bool:
    """Letters count as a bag: the order within a face does not matter."""
    return sorted(truth) == sorted(read)


def _match(truth: Sequence[Label], read: Iterable[Label]) -> tuple[list[tuple[Label, Label | None]], list[Label]]:
    """Pair each labelled die with the answer that lies on it; what is left are phantoms."""
    left = list(read)
    pairs: list[tuple[Label, Label | None]] = []
    for die in truth:
        near = [one for one in left if _lies_on(one, die)]
        fitting = [
            one
            for one in near
            if _same_face(die["face"], one["face"]) and (die.get("die") is None or one.get("die") in (None, die["die"]))
        ]
        answer = next(iter(fitting or near), None)
        if answer is not None:
            left.remove(answer)
        pairs.append((die, answer))
    return pairs, left


def _lies_on(answer: Label, die: Label) -> bool:
    mine, theirs = np.array(answer["polygon"], np.float64), np.array(die["polygon"], np.float64)
    return inside(mine.mean(axis=0), theirs) or inside(theirs.mean(axis=0), mine)
