"""What a learner has done on a real board: the line of a step that leads to the men that stand there now."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.lessons.course import Step, turn_over
from companion.lessons.study import study
from companion.rules.board import HAND, OFF
from companion.rules.game import Position

MOST_POSITIONS = 3000
"""Positions of a turn that are compared with the board."""


class Stands(NamedTuple):
    """What a picture shows, in the form of `Position.occupancy`.

    ``doubtful``: sites on which it shows whose men stand, but maybe not which or how many; or men who are not there.
    """

    men: Mapping[str, Any]
    doubtful: Collection[str]


class OnBoard(NamedTuple):
    """The acts that lead from where the learner was to what stands there; else the sites that stand otherwise."""

    acts: tuple[str, ...]
    differ: tuple[str, ...]


def found_on_board(step: Step, line: Sequence[str], ways: Sequence[Stands]) -> OnBoard:
    """Return what the learner did after a line: of what fits as well, what reaches the goal, with the fewest acts.

    ``ways``: the board as it may lie. Men in hand and men borne off do not count, for a picture does not show them all.
    Where only doubtful sites tell two boards apart, and both fit as well, these sites stand otherwise.
    """
    tried = [
        _Tried(*_differ(position, stands), position, acts)
        for acts, position in _ahead(step, study(step, line).position)
        for stands in ways
    ]
    best = min(tried, key=lambda one: (one.misfit, not step.goal.reached(one.position), len(one.acts), one.acts))
    if best.surely:
        return OnBoard((), best.surely)
    there = best.position.occupancy()
    alike = (one.position.occupancy() for one in tried if one.misfit == best.misfit)
    unsure = set[str]().union(*(_otherwise(there, other) for other in alike))
    return OnBoard((), tuple(sorted(unsure))) if unsure else OnBoard(best.acts, ())


class _Tried(NamedTuple):
    """A position compared with the board: the sites that surely stand otherwise there, and all that seem to."""

    surely: tuple[str, ...]
    perhaps: tuple[str, ...]
    position: Position
    acts: tuple[str, ...]

    @property
    def misfit(self) -> tuple[int, int]:
        return len(self.surely), len(self.perhaps)


def _ahead(step: Step, here: Position) -> Iterator[tuple[tuple[str, ...], Position]]:
    """Yield every position that the learner can reach without a throw, nearest first, with the acts that lead there."""
    ahead: list[tuple[tuple[str, ...], Position]] = [((), here)]
    seen = {here}
    for acts, position in ahead:
        yield acts, position
        if turn_over(position, step.goal.player) or position.awaits.kind != "choice":
            continue
        for choice in position.legal():
            after = position.after(choice)
            if after not in seen and len(ahead) < MOST_POSITIONS:
                seen.add(after)
                ahead.append(((*acts, position.text(choice)), after))


def _differ(position: Position, stands: Stands) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the sites that surely stand otherwise, and all that seem to."""
    there = position.occupancy()
    seem = _otherwise(there, stands.men)
    return tuple(site for site in seem if site not in stands.doubtful or not _perhaps(there, stands, site)), seem


def _perhaps(there: Mapping[str, Any], stands: Stands, site: str) -> bool:
    """Whether a doubtful site may be as it should: it should be empty, or men of the same side are seen."""
    return not _plain(there.get(site)) or _whose(there[site]) == _whose(stands.men.get(site))


def _otherwise(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[str, ...]:
    sites = (one.keys() | other.keys()) - {HAND, OFF}
    return tuple(sorted(site for site in sites if _plain(one.get(site)) != _plain(other.get(site))))


def _whose(men: Any) -> set[Any]:
    plain = _plain(men)
    return {plain["colour"]} if "colour" in plain else set(plain)


def _plain(men: Any) -> Any:
    """Return who stands on a site, without what a picture does not show: whose man was whose, empty counts."""
    shown = men or {}
    return {name: shown[name] for name in ("1", "2", "colour", "shape", "number") if shown.get(name)}
