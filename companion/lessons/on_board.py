"""What a learner has done on a real board: the line of a step that leads to the men that stand there now."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.lessons.course import Step
from companion.lessons.goal import turn_over
from companion.lessons.study import study
from companion.rules.board import HAND, OFF
from companion.rules.game import Position

MOST_POSITIONS = 3000
"""Positions of a turn that are compared with the board."""


class Stands(NamedTuple):
    """What a picture shows, in the form of `Position.occupancy`, and the sites that it does not show well."""

    men: Mapping[str, Any]
    doubtful: Collection[str]


class Found(NamedTuple):
    """The acts that lead from where the learner was to what stands there, and the sites that are still otherwise."""

    acts: tuple[str, ...]
    differ: tuple[str, ...]


def found_on_board(step: Step, line: Sequence[str], ways: Sequence[Stands]) -> Found:
    """Return what the learner did after a line: of what fits as well, what reaches the goal, with the fewest acts.

    ``ways``: the board as it may lie. Men in hand and men borne off do not count, for a picture does not show them all.
    """
    here = study(step, line).position
    tried = [
        (len(differ := _differ(position, stands)), not step.goal.reached(position), len(acts), acts, differ)
        for acts, position in _ahead(step, here)
        for stands in ways
    ]
    _, _, _, acts, differ = min(tried)
    return Found(acts, differ)


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


def _differ(position: Position, stands: Stands) -> tuple[str, ...]:
    there = {site: men for site, men in position.occupancy().items() if men}
    sites = (there.keys() | stands.men.keys()) - {HAND, OFF} - set(stands.doubtful)
    return tuple(sorted(site for site in sites if _plain(there.get(site)) != _plain(stands.men.get(site))))


def _plain(men: Any) -> Any:
    """Return who stands on a site, without what a picture does not show: whose man was whose, empty counts."""
    shown = men or {}
    return {name: shown[name] for name in ("1", "2", "colour", "shape", "number") if shown.get(name)}
