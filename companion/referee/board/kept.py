"""A reading of a board in the form that a journal keeps, and back: a resumed match is compared with it."""

import math
from collections.abc import Mapping
from typing import Any, Final

from companion.vision.board_readings import EMPTY, BoardReading, Men, SiteReading, Standing

LEAST_KEPT: Final = 0.005
"""Less likely standings are not kept: they decide nothing."""

KEPT_EMPTY_CHANCE: Final = 0.9995
"""The chance of an empty site whose doubt was not kept."""

MOST_COLOURS: Final = 8
"""Most colours of men on one site."""

_COLOUR, _SHAPE, _NUMBER = "colour", "shape", "number"


class KeptReadingError(ValueError):
    """A stored reading does not have the form that `kept_reading` writes."""


def kept_reading(reading: BoardReading) -> dict[str, Any]:
    """Return ``{"board": ..., "sites": {name: [[men, chance], ...]}, "empty": "a1 a2 ...", ...}``.

    Men have the form of label files; an empty site is ``{}``. ``asked``, ``piled``, ``hidden`` and ``empty`` are lists
    of names in one text.
    """
    sites = {}
    empty, asked, piled, hidden = [], [], [], []
    for name, site in reading.sites.items():
        if site.status == "hidden" or not site.candidates:
            hidden.append(name)
            continue
        if site.standing is EMPTY and site.status == "read":
            empty.append(name)
            continue
        sites[name] = [
            [{} if men is None else men.to_json(), round(chance, 4)]
            for men, chance in site.candidates
            if chance >= LEAST_KEPT
        ]
        if site.status == "ask":
            asked.append(name)
        if site.piled:
            piled.append(name)
    lists = {"empty": empty, "asked": asked, "piled": piled, "hidden": hidden}
    corners = [[round(x, 1), round(y, 1)] for x, y in reading.corners]
    return {
        "board": reading.board,
        "status": reading.status,
        "corners": corners,
        "sites": sites,
        **{what: " ".join(names) for what, names in lists.items()},
    }


def reading_kept(data: Mapping[str, Any]) -> BoardReading:
    """Read what `kept_reading` wrote.

    Raises:
        KeptReadingError: the data does not have that form.
    """
    match data:
        case {
            "board": str(board),
            "status": "read" | "ask" | "ignored" as status,
            "corners": list(corners),
            "sites": dict(sites),
            "empty": str(empty),
            "asked": str(asked),
            "piled": str(piled),
            "hidden": str(hidden),
        }:
            try:
                read = {name: _site(name, likely, asked.split(), piled.split()) for name, likely in sites.items()}
                places = tuple((_finite(x), _finite(y)) for x, y in corners)
            except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as why:
                raise KeptReadingError(f"Expected sites with their likely men, but got {str(sites)[:200]!r}.") from why
        case _:
            raise KeptReadingError(f"Expected a reading of a board, but got {str(data)[:200]!r}.")
    read |= {name: SiteReading(name, ((EMPTY, KEPT_EMPTY_CHANCE),), "read") for name in empty.split()}
    read |= {name: SiteReading(name, (), "hidden") for name in hidden.split()}
    return BoardReading(board, read, places, status)


def _site(name: str, likely: Any, asked: list[str], piled: list[str]) -> SiteReading:
    candidates = tuple((_men(men), _finite(chance)) for men, chance in likely)
    return SiteReading(name, candidates, "ask" if name in asked else "read", name in piled)


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError("a figure that is none")
    return number


def _men(data: Mapping[str, Any]) -> Standing:
    if _SHAPE in data:
        return Men(str(data[_COLOUR]), 1, str(data[_SHAPE]), int(data[_NUMBER]))
    if len(data) > MOST_COLOURS:
        raise ValueError("men of too many colours on one site")
    men: Standing = EMPTY
    for colour, count in reversed(list(data.items())):
        men = Men(str(colour), int(count), also=men)
    return men
