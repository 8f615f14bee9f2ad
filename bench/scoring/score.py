"""A reader's results on labelled pictures: rates by kind and condition, identity, reliability, time."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.scoring.confusion import confusion
from bench.scoring.intervals import rate
from bench.scoring.kinds import conditions, kind, size
from bench.scoring.outcomes import Label, Outcome, inside, middle, outcomes, same_face
from bench.scoring.reliability import reliability
from bench.scoring.tally import Tally
from companion.rules.dice import DiceSet

HIDDEN = "consonants"
"""Wibold's tetrahedron, whose hidden face counts, is also counted by its name, against readings of that name only."""


@dataclass(frozen=True)
class Scored:
    """One picture: its name and what became of each of its dice; whether the whole throw counts as read."""

    image: str
    outcomes: tuple[Outcome, ...]
    read: bool = False

    @property
    def exact(self) -> bool:
        """Whether everything was read correctly, with nothing asked, missed or made up."""
        return all(one.became in ("correct", "unseen") for one in self.outcomes)

    @property
    def read_wrongly(self) -> bool:
        """Whether the throw counts as read though a die is missing or wrong."""
        return self.read and (self.silent or any(one.became == "missed" for one in self.outcomes))

    @property
    def silent(self) -> bool:
        """Whether at least one reading was wrong and not asked about."""
        return any(one.silent for one in self.outcomes)


@dataclass
class Score:
    """A reader's results on some labelled pictures. ``dice``: the set in them, if it is an owner's own."""

    dice: DiceSet | None = None
    pictures: list[Scored] = field(default_factory=list)
    total: Tally = field(default_factory=Tally)
    by_set: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_kind: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_size: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_condition: dict[str, dict[str, Tally]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Tally)))
    hidden: Tally = field(default_factory=Tally)
    identity_right: int = 0
    identity_of: int = 0
    milliseconds: list[float] = field(default_factory=list)
    stages: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, label: Label, reading: Label) -> Scored:
        """Count one picture: a line of ``labels.jsonl`` and what ``companion read --json`` prints for it.

        ``reading`` may hold ``ms``, and ``stages``: milliseconds by the name of a part of the reading.
        """
        found = tuple(outcomes(label, reading))
        scored = Scored(str(label.get("image", "")), found, reading.get("status") == "read")
        self.pictures.append(scored)
        first = next((one for one in label["objects"] if one["kind"] in ("die", "tile")), {"kind": "none"})
        in_set = self.by_set[str(first.get("set", first["kind"]))]
        classes = [self.by_condition[name][value] for name, value in conditions(label)]
        for one in found:
            for tally in (self.total, in_set, self.by_kind[kind(one, self.dice)], self.by_size[size(one)], *classes):
                tally.add(one.became)
        self._add_identity(label, reading)
        if "ms" in reading:
            self.milliseconds.append(float(reading["ms"]))
        stages: Mapping[str, float] = reading.get("stages", {})
        for name, took in stages.items():
            self.stages[name].append(float(took))
        return scored

    def _add_identity(self, label: Label, reading: Label) -> None:
        """Count whether a read die is identified as the right die, and count the hidden faces by the die's name."""
        read = [one for one in reading["objects"] if one["kind"] in ("die", "tile")]
        for die in label["objects"]:
            if die["kind"] not in ("die", "tile") or die.get("die") is None or not die.get("legible", True):
                continue
            if die["die"] == HIDDEN:
                named = [one for one in read if one.get("die") == HIDDEN]
                for one in outcomes({"objects": [die]}, {"objects": named}):
                    self.hidden.add(one.became)
            elif die.get("polygon"):
                mine = next(
                    (
                        one
                        for one in read
                        if one.get("status", "read") == "read"
                        and one.get("polygon")
                        and inside(middle(one["polygon"]), die["polygon"])
                    ),
                    None,
                )
                if mine is not None:
                    self.identity_of += 1
                    self.identity_right += str(mine.get("die")) == str(die["die"])

    @property
    def cubes(self) -> Tally:
        """What became of the cubes."""
        return self.by_kind["cube"]

    @property
    def tetrahedra(self) -> Tally:
        """What became of the tetrahedra."""
        return self.by_kind["tetrahedron"]

    @property
    def exact(self) -> int:
        """How many pictures were read correctly, with nothing asked."""
        return sum(one.exact for one in self.pictures)

    @property
    def images_silent(self) -> int:
        """How many pictures had a silent error."""
        return sum(one.silent for one in self.pictures)

    @property
    def _throws_read(self) -> int:
        return sum(one.read for one in self.pictures)

    def outcomes(self) -> list[Outcome]:
        """Return what became of every die of every picture."""
        return [one for picture in self.pictures for one in picture.outcomes]

    def answers(self) -> list[tuple[float, bool]]:
        """Return for each answer, asked ones included, how sure its likeliest face is and whether that face is right.

        Questions about dice that nobody can read are left out.
        """
        sure = []
        for one in self.outcomes():
            status = one.answer.get("status", "read") if one.answer else "ignored"
            if one.answer is None or status == "ignored" or (one.became == "unseen" and status == "ask"):
                continue
            ahead = (one.answer.get("candidates") or [[one.answer.get("face"), one.answer.get("confidence")]])[0]
            if ahead[1] is not None:
                right = one.truth is not None and same_face(one.truth["kind"], one.truth["face"], ahead[0])
                sure.append((float(ahead[1]), right))
        return sure

    def to_json(self) -> dict[str, Any]:
        """Return the whole report: every rate with its count and 95 % interval."""
        pictures = len(self.pictures)
        report: dict[str, Any] = {
            "dice": self.total.to_json(),
            "images": {
                "of": pictures,
                "exact": rate(self.exact, pictures),
                "with_silent_error": rate(self.images_silent, pictures),
            },
            "throws_read": {"short_or_wrong": rate(sum(one.read_wrongly for one in self.pictures), self._throws_read)},
            "die_identity": rate(self.identity_right, self.identity_of),
            "sets": _tallies_json(self.by_set),
            "kinds": _tallies_json(self.by_kind),
            "sizes": _tallies_json(self.by_size),
            "conditions": {name: _tallies_json(values) for name, values in sorted(self.by_condition.items())},
            "reliability": reliability(self.answers()).to_json(),
            "confusion": confusion(self.outcomes()).to_json(),
        }
        if self.hidden.counts:
            report["hidden_faces"] = self.hidden.to_json()
        if self.milliseconds:
            report["ms"] = times(self.milliseconds)
        if self.stages:
            report["stages_ms"] = {name: times(took) for name, took in self.stages.items()}
        return report


def times(milliseconds: list[float]) -> dict[str, Any]:
    """Return the median and the 95th percentile: both are measured times, without interpolation."""
    ordered = sorted(milliseconds)
    at = {"median": len(ordered) // 2, "p95": min(len(ordered) - 1, int(0.95 * len(ordered)))}
    return {"n": len(ordered)} | {name: round(ordered[place], 1) for name, place in at.items()}


def _tallies_json(tallies: Mapping[str, Tally]) -> dict[str, Any]:
    return {name: tally.to_json() for name, tally in sorted(tallies.items(), key=lambda pair: _in_order(pair[0]))}


def _in_order(name: str) -> tuple[int, float, str]:
    """Return a sort key: classes by their first number, ``"below 24"`` before and ``"from 350"`` after all of them."""
    first, *rest = name.split(" ")
    if first == "below":
        return 0, 0.0, name
    if first == "from":
        return 2, 0.0, name
    return (1, float(first), name) if rest and first.lstrip("-").isdecimal() else (3, 0.0, name)
