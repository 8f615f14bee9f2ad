"""Which choices lead to what is seen where a choice moves men at once: Rithmomachia, and a board without rules.

The search follows only choices that change sites on which something else is seen than was agreed; of a position's
hundreds of moves these are few. Choices that no camera can see are considered only if nothing else explains the
reading: that a player is done once the other one has moved, but never that a part of a pyramid was taken.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from companion.referee.board.evidence import DOUBTFUL_CHANCE, EXPLAINED_CHANCE, LEAST_POSSIBLE_CHANCE, Evidence
from companion.referee.board.standing import expected_board
from companion.rules.dice import Throw
from companion.rules.game import Choice, Position

MOST_FOLLOWED: Final = 400
MOST_IN_A_ROW: Final = 6
"""Most choices in a row: two moves with what they take."""


@dataclass(frozen=True)
class FoundMoves:
    """Moves to a position that fits what is seen, and whether the turn is over there."""

    moves: tuple[Throw | Choice, ...]
    position: Position
    whole: bool = True


@dataclass
class Search:
    """The results of a search. ``full``: the search gave up because too many ways fit."""

    found: list[FoundMoves] = field(default_factory=list)
    full: bool = False


def search(position: Position, evidence: Evidence) -> Search:
    """Return the ways to positions that no visible site rules out, as far as the shortest that explain every site."""
    walk = _Walk(evidence, _less_likely_than(EXPLAINED_CHANCE, evidence), _less_likely_than(DOUBTFUL_CHANCE, evidence))
    layer: dict[Position, tuple[Choice, ...]] = {position: ()}
    for _ in range(MOST_IN_A_ROW):
        layer = walk.further(layer)
        if walk.explained or not layer or walk.search.full:
            break
    return walk.search


def _less_likely_than(chance: float, evidence: Evidence) -> frozenset[str]:
    """Return the sites that look as agreed with less than this chance."""
    return frozenset(site for site in evidence.sites if evidence.chance(site, evidence.agreed.get(site)) < chance)


@dataclass
class _Walk:
    """``changed``: every visible choice involves at least one of these sites.

    Its other sites may be ``doubtful``, or lie under a hand, or on a pile that looks the same with one man more.
    """

    evidence: Evidence
    changed: frozenset[str]
    doubtful: frozenset[str]
    search: Search = field(default_factory=Search)
    followed: int = 0
    explained: bool = False
    known: set[Position] = field(default_factory=set)
    open: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.open = self.changed | self.doubtful | self.evidence.hidden | self.evidence.piled

    def further(self, layer: dict[Position, tuple[Choice, ...]]) -> dict[Position, tuple[Choice, ...]]:
        """Go one choice further."""
        after: dict[Position, tuple[Choice, ...]] = {}
        for position, way in layer.items():
            for choice in self._likely(position):
                if self.followed >= MOST_FOLLOWED:
                    self.search.full = True
                    return {}
                reached = position.after(choice)
                if reached in self.known:
                    continue
                self.known.add(reached)
                self.followed += 1
                after[reached] = (*way, choice)
                worst = self._worst(reached)
                if worst >= LEAST_POSSIBLE_CHANCE:
                    self.search.found.append(FoundMoves((*way, choice), reached))
                self.explained |= worst >= EXPLAINED_CHANCE
        return after

    def _likely(self, position: Position) -> Iterator[Choice]:
        for choice in position.legal():
            sites = touched(choice)
            if sites == () or (sites and not self.changed.isdisjoint(sites) and self.open.issuperset(sites)):
                yield choice

    def _worst(self, position: Position) -> float:
        """Return the least chance of any visible site in this position."""
        found = expected_board(position)
        return min(self.evidence.chance(site, found.get(site)) for site in self.evidence.sites)


def touched(choice: Choice) -> tuple[str, ...] | None:
    """Return the sites that a choice visibly changes, none if it only ends a turn; None if no camera can see it."""
    match choice.to_json():
        case {"from": str(start), "to": str(end)}:
            return tuple(site for site in (start, end) if site != "hand")
        case {"takes": str(target)}:
            return None if "/" in target else (target,)
        case {"return": _, "to": str(site)}:
            return (site,)
        case {"choice": "done"}:
            return ()
    return None
