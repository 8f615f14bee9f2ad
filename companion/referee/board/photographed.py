"""A position as a picture of a board shows it, in each way in which the board may lie."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.referee.board.seating import Seating, seatings
from companion.referee.board.standing import BAR
from companion.rules.board import HAND
from companion.rules.game import Game
from companion.vision.board_readings import BoardReading, Men

PYRAMID: Final = "pyramid"


@dataclass(frozen=True)
class PhotographedPosition:
    """What a picture shows: ``position`` in its game's JSON form, which may have faults, and the sites to check.

    ``doubtful``: sites that a hand covers, whose men the reader is not sure of, where men may lie under others, or
    between which a man lies.
    """

    position: Mapping[str, Any]
    doubtful: tuple[str, ...]


def photographed(game: Game, reading: BoardReading) -> Sequence[PhotographedPosition]:
    """Return the position in each way in which the board may lie; no two are the same.

    The colours of a board may be either side's; where men bear numbers, these say whose they are. A way that the rules
    find faulty is left out if another has no fault.
    """
    found: dict[str, PhotographedPosition] = {}
    strangers: dict[str, int] = {}
    for seating in seatings(game):
        one, unknown = _one_way(game, reading, seating)
        found.setdefault(str(one.position), one)
        strangers.setdefault(str(one.position), unknown)
    fewest = min(strangers.values())
    likely = [one for key, one in found.items() if strangers[key] == fewest]
    faultless = [one for one in likely if not game.from_json(one.position).faults()]
    return tuple(faultless or likely)


def _printed(game: Game) -> bool:
    return any("number" in man for man in game.start(game.least_players).occupancy().values())


def _one_way(game: Game, reading: BoardReading, seating: Seating) -> tuple[PhotographedPosition, int]:
    """Return the position in one way, and how many men no army has."""
    seen = {seating.site(name): site for name, site in reading.sites.items()}
    standing = {site: one.standing for site, one in sorted(seen.items()) if one.standing is not None}
    doubtful = {site for site, one in seen.items() if one.status != "read" or (one.piled and site != BAR)}
    for site, beyond in reading.across.items():
        doubtful |= {seating.site(site), seating.site(beyond)}
    unknown: set[str] = set()
    start = dict(game.start(game.least_players).to_json())
    if _printed(game):
        men, unknown = _numbered_men(game, start["men"].values(), standing, seating)
        doubtful |= unknown
        del start["captured"]  # of numbered men only those on the board are in play
    else:
        piled = {site for site, one in seen.items() if one.piled}
        men = {str(side): _side(start, standing, piled, seating, side) for side in (1, 2)}
    return PhotographedPosition(start | {"men": men}, tuple(sorted(doubtful))), len(unknown)


def _numbered_men(
    game: Game, army: Any, standing: Mapping[str, Men], seating: Seating
) -> tuple[dict[str, Any], set[str]]:
    """Return the men by their site, each as the game knows him, and the sites of men whom no army has left."""
    left, found, unknown = list(army), {}, set()
    for site, men in standing.items():
        colour = game.board.colours[seating.owners[men.colour] - 1]
        fits = [man for man in left if man["colour"] == colour and _is(man, men)]
        if fits:
            left.remove(fits[0])
        else:
            unknown.add(site)
        found[site] = fits[0] if fits else {"colour": colour, "shape": men.shape, "number": men.number}
    return found, unknown


def _is(man: Mapping[str, Any], seen: Men) -> bool:
    """Whether a man looks so from above; of a pyramid its top may be seen alone."""
    if man["shape"] == seen.shape == PYRAMID:
        return True
    top = (man.get("parts") or [man])[-1]
    return (seen.shape, seen.number) in ((man["shape"], man["number"]), (top["shape"], top["number"]))


def _side(
    start: Mapping[str, Any], standing: Mapping[str, Men], piled: set[str], seating: Seating, side: int
) -> dict[str, int]:
    """Return a side's men on each point; who is seen nowhere lies on its only pile, else he is off."""
    found: dict[str, int] = {}
    for site, seen in standing.items():
        for men in (seen, seen.also):
            if men is not None and seating.owners[men.colour] == side:
                found[HAND if site == BAR else site] = men.count
    missing = sum(start["men"][str(side)].values()) - sum(found.values())
    piles = sorted(piled & found.keys())
    if missing > 0 and len(piles) == 1:
        found[piles[0]] += missing
    return found
