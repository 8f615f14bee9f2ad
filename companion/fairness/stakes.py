"""The stakes of the bet against a die: which biases it covers, and the part of the stake on each.

Stakes must be laid before the first throw, for that is the whole proof of the bet. So they stand in a data file, each
edition under its number. A series keeps the number that it was begun with and is judged by those stakes for ever.
Who says before the first throw what kind of bias he fears gets stakes of their own, most of them on that kind.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from companion.data_file import data_of
from companion.fairness.outcomes import Contrast, Outcomes
from companion.language.sentence import Sentence, SentenceError

CURRENT_STAKES: Final = 2
"""The stakes of everything that begins now."""

FIRST_STAKES: Final = 1
"""The stakes of series that were begun before stakes had a number."""

PIPS: Final = "pips"
"""The kind of a slope along the pips: drilled pips make a face lighter, so that it comes up more often or less."""


FEARS: Final[Mapping[str, tuple[str, ...]]] = {
    "face": ("face",),
    "axis": ("axis",),
    "pips": (PIPS,),
    "corner": ("corner", "cap"),
}
"""What somebody may fear of a die before the first throw, and the kinds of bias that are meant by it."""


class StakesError(SentenceError, ValueError):
    """There are no stakes of this number, or none for what somebody fears."""


@dataclass(frozen=True)
class KindStakes:
    """The stakes on one kind of bias, together: on every die that has it.

    ``steps``: how far off, in standard deviations of one throw. ``more`` and ``less``: the stake on each step of a
    share that is too large, and too small (each as many as steps).
    """

    kind: str
    steps: tuple[float, ...]
    more: tuple[float, ...]
    less: tuple[float, ...]

    @property
    def stake(self) -> float:
        """All that is staked on this kind."""
        return sum(self.more) + sum(self.less)


@dataclass(frozen=True)
class Stakes:
    """All stakes under one ``number``; they sum to 1.

    ``spread``: the stake on any other bias, by how close to fair it is: by the parameter sum of a Dirichlet
    distribution about the fair chances. ``shared``: the stakes on kinds that a die lacks go to all others in
    proportion; else they go to ``spread`` in equal parts. ``fear``: what somebody feared who chose these stakes (of
    `FEARS`); empty for nothing in particular.
    """

    number: int
    kinds: tuple[KindStakes, ...]
    spread: Mapping[float, float]
    shared: bool
    fear: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the stakes as a report shows them."""
        return {
            "number": self.number,
            "fear": self.fear,
            "kinds": [
                {"kind": one.kind, "steps": list(one.steps), "more": list(one.more), "less": list(one.less)}
                for one in self.kinds
            ],
            "spread": [[concentration, stake] for concentration, stake in self.spread.items()],
        }


@cache
def stakes_of(number: int = CURRENT_STAKES) -> Stakes:
    """Return the stakes of this number, for dice that have every kind of bias.

    Raises:
        StakesError: there are none.
    """
    if number not in _every():
        raise StakesError(f"Expected the number of known stakes, {FIRST_STAKES} to {max(_every())}, but got {number}.")
    return _every()[number]


@cache
def _every() -> Mapping[int, Stakes]:
    return {data["number"]: _read(data) for data in data_of(__package__, "stakes.toml")["stakes"]}


def fears_of(outcomes: Outcomes) -> tuple[str, ...]:
    """Return what somebody may fear of this die: `FEARS` of a kind of bias that it can have."""
    return tuple(fear for fear, kinds in FEARS.items() if kinds_of(outcomes) & {*kinds})


def stakes_for(fear: str, outcomes: Outcomes) -> int:
    """Return the number of the stakes of who fears this of the die; those of everybody else for an empty text.

    Raises:
        StakesError: no such bias is possible for the die, or nobody knows where its faces lie.
    """
    if not fear:
        return CURRENT_STAKES
    if fear not in fears_of(outcomes):
        raise StakesError(
            Sentence(
                "Expected one of {known} as what you fear of this die, but got {fear}.",
                known=", ".join(fears_of(outcomes)),
                fear=fear,
            )
        )
    return next(one.number for one in _every().values() if one.fear == fear)


def _read(data: Mapping[str, Any]) -> Stakes:
    kinds = tuple(
        KindStakes(one["kind"], tuple(one["steps"]), tuple(one["more"]), tuple(one["less"])) for one in data["kinds"]
    )
    spread = {float(concentration): float(stake) for concentration, stake in data["spread"]}
    return Stakes(data["number"], kinds, spread, data["shared"], data.get("fear", ""))


@cache  # each die of a batch needs it
def stakes_on(outcomes: Outcomes, number: int = CURRENT_STAKES) -> Stakes:
    """Return the stakes on what this die can have: without the kinds of bias that it lacks. They sum to 1.

    Raises:
        StakesError: there are no stakes of this number.
    """
    every = stakes_of(number)
    kinds = tuple(one for one in every.kinds if one.kind in kinds_of(outcomes))
    left = sum(one.stake for one in kinds)
    if not every.shared:
        return replace(every, kinds=kinds, spread={one: (1 - left) / len(every.spread) for one in every.spread})
    whole = left + sum(every.spread.values())
    return replace(
        every,
        kinds=tuple(
            KindStakes(
                one.kind,
                one.steps,
                tuple(stake / whole for stake in one.more),
                tuple(stake / whole for stake in one.less),
            )
            for one in kinds
        ),
        spread={one: stake / whole for one, stake in every.spread.items()},
    )


def kinds_of(outcomes: Outcomes) -> frozenset[str]:
    """Return the kinds of bias that a die can have and that stakes may name."""
    return frozenset(contrast.kind for contrast in outcomes.contrasts) | ({PIPS} if outcomes.pips else frozenset())


def watched(outcomes: Outcomes, number: int = CURRENT_STAKES) -> tuple[Contrast, ...]:
    """Return the groups of several outcomes that the stakes name for this die, in their order."""
    named = {one.kind for one in stakes_of(number).kinds}
    return tuple(one for one in outcomes.contrasts if one.kind != "face" and one.kind in named)
