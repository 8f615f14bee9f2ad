"""The laboratory in a museum's hall: three dice to find out about, and the day's throws of all visitors together.

The page throws the dice for a visitor. This module has the dice, says what the laboratory makes of the throws, and
counts how often each of their faces fell today. It keeps nothing of a single visit.
"""

import json
import logging
import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from flask import Blueprint, Flask, Response, abort, jsonify, render_template, request

from companion.data_file import data_of
from companion.fairness.confidence import intervals
from companion.fairness.mixture import mixture_of
from companion.fairness.outcomes import Outcomes, outcomes_of
from companion.fairness.planning import plan_of
from companion.fairness.verdict import SIGNIFICANCE_LEVEL
from companion.language.sentence import N_, Sentence, SentenceText
from companion.rules.dice import dice_set
from companion.rules.strict_json import read_json
from companion.web.app_state import AppKey
from companion.web.json_bodies import json_object
from companion.whole_file import write_whole

log = logging.getLogger(__name__)

FORM: Final = "alea-laboratory-day"
MOST_AT_ONCE: Final = 20_000
"""The most throws that one visit may add: more than anybody watches."""

MOST_A_DAY: Final = 10_000_000
MOST_PLACES: Final = 200
"""The most throws after which the evidence is asked for at once: as many as the dice throw by themselves."""

NOT_COUNTS: Final = N_("Expected how often each face of {dice} came up, as six whole numbers for each.")
NOT_PLACES: Final = f"Expected six counts, and at most {MOST_PLACES} places from 0 to 5."

blueprint = Blueprint("laboratory_museum", __name__, url_prefix="/lab")


@dataclass(frozen=True)
class MuseumDie:
    """One die of the museum: the ``chances`` of its faces 1 to 6, and its ``edges``; the third may be longer."""

    name: str
    chances: tuple[float, ...]
    edges: tuple[float, float, float]


@dataclass(frozen=True)
class Museum:
    """The dice, and when the page starts over: after ``idle`` seconds and a ``countdown`` of further seconds."""

    dice: tuple[MuseumDie, ...]
    idle: float
    countdown: float


@lru_cache(maxsize=1)
def museum() -> Museum:
    """Read the dice of the museum's page."""
    data = data_of(__package__, "museum.toml")
    dice = []
    for one in data["dice"]:
        whole = sum(one["weights"])
        first, second, third = one["edges"]
        dice.append(MuseumDie(one["name"], tuple(weight / whole for weight in one["weights"]), (first, second, third)))
    return Museum(tuple(dice), float(data["idle"]), float(data["countdown"]))


class DayCounts:
    """How often each face fell today, by die, for all visitors together. Thread-safe.

    If the file cannot be written, the page still works: the counts stay in memory.
    """

    def __init__(self, path: Path | None, today: Callable[[], str] | None = None) -> None:
        """Continue the file's counts if they are today's; ``today``: returns the day as text."""
        self._path = path
        self._today = today or (lambda: datetime.now(tz=UTC).astimezone().date().isoformat())
        self._lock = threading.Lock()
        self._day = ""
        self._counts: dict[str, list[int]] = {}
        if path is not None and path.exists():
            self._read(path)

    def counts(self) -> dict[str, list[int]]:
        """Return today's counts of every thrown die."""
        with self._lock:
            self._turn()
            return {name: list(row) for name, row in self._counts.items()}

    def add(self, counts: Mapping[str, list[int]]) -> None:
        """Add the throws of one visitor."""
        with self._lock:
            self._turn()
            for name, row in counts.items():
                before = self._counts.get(name, [0] * len(row))
                self._counts[name] = [min(one + more, MOST_A_DAY) for one, more in zip(before, row, strict=True)]
            self._write()

    def _turn(self) -> None:
        if (now := self._today()) != self._day:
            self._day, self._counts = now, {}

    def _read(self, path: Path) -> None:
        try:
            data = read_json(path.read_text(encoding="utf-8"))
            counts = {name: list(row) for name, row in data[FORM].items()}
            _checked(counts, MOST_A_DAY)
            self._day, self._counts = str(data["day"]), counts
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as why:
            log.warning("The day's throws in %s begin anew, for they cannot be read: %s", path.name, why)

    def _write(self) -> None:
        if self._path is None:
            return
        try:
            write_whole(self._path, json.dumps({FORM: self._counts, "day": self._day}).encode())
        except OSError as why:
            log.warning("The day's throws are not kept for now: %s", why)


DAY = AppKey[DayCounts]("laboratory_day")


def prepare(app: Flask, path: Path | None) -> None:
    """Give an app the museum's page; ``path``: the file of the day's counts, or None to keep them in memory only."""
    DAY.put(app, DayCounts(path))
    app.register_blueprint(blueprint)


@blueprint.get("/museum")
def page() -> str:
    """Show the three dice to a visitor."""
    here = museum()
    data = {
        "idle": here.idle,
        "countdown": here.countdown,
        "dice": [
            {"name": die.name, "chances": die.chances, "edges": die.edges, "typical": _typical(die)}
            for die in here.dice
        ],
        "fair": _outcomes().fair.tolist(),
        "needed": -math.log(SIGNIFICANCE_LEVEL),
    }
    return render_template("laboratory/museum.html", museum=data)


@blueprint.get("/api/museum/evidence")
def evidence() -> Response:
    """Return what every series would say of a die after ``counts`` of its faces, then after each of ``places`` too.

    A place is a face's index. ``value``: the logarithm of the bet's wealth; ``low`` and ``high``: the intervals' ends.
    """
    outcomes = _outcomes()
    faces = len(outcomes.labels)
    counts, places = _numbers("counts", MOST_A_DAY), _numbers("places", faces - 1)
    if len(counts) != faces or len(places) > MOST_PLACES:
        abort(400, NOT_PLACES)
    totals = np.cumsum([counts, *np.eye(faces, dtype=np.int64)[places]], axis=0)
    values, ends = mixture_of(outcomes).log_value(totals), intervals(totals, outcomes, SIGNIFICANCE_LEVEL)
    rows = zip(values.tolist(), ends.low.tolist(), ends.high.tolist(), strict=True)
    return jsonify({"looks": [{"value": value, "low": low, "high": high} for value, low, high in rows]})


def _numbers(name: str, most: int) -> list[int]:
    """Return a parameter's whole numbers from 0 to ``most``, which commas separate."""
    try:
        found = [int(word) for word in request.args.get(name, "").split(",") if word]
    except ValueError:
        abort(400, NOT_PLACES)
    if not all(0 <= one <= most for one in found):
        abort(400, NOT_PLACES)
    return found


@blueprint.get("/api/museum/day")
def day() -> Response:
    """Return how often each face fell today, and which dice those throws call biased."""
    counts, mixture = DAY.get().counts(), mixture_of(_outcomes())
    biased = [name for name, row in counts.items() if mixture.log_value(np.array(row)) >= -math.log(SIGNIFICANCE_LEVEL)]
    return jsonify({"counts": counts, "biased": biased})


@blueprint.post("/api/museum/day")
def add() -> Response:
    """Add the throws of a visit that is over."""
    body = json_object() or {}
    try:
        counts = dict(body["counts"])
        _checked(counts, MOST_AT_ONCE)
    except (TypeError, ValueError, KeyError):
        names = ", ".join(die.name for die in museum().dice)
        abort(400, SentenceText(Sentence.of(NOT_COUNTS, dice=names)))
    DAY.get().add(counts)
    return day()


def _checked(counts: Mapping[str, Any], most: int) -> None:
    known = {die.name: len(die.chances) for die in museum().dice}
    for name, row in counts.items():
        if name not in known or not isinstance(row, list) or len(row) != known[name]:
            raise ValueError("not the museum's dice")
        if not all(isinstance(one, int) and not isinstance(one, bool) and 0 <= one <= most for one in row):
            raise ValueError("a count is no whole number")


def _outcomes() -> Outcomes:
    """Return the outcomes of the museum's dice: those of a die with pips."""
    return outcomes_of(dice_set("pips").dice[0])


@lru_cache(maxsize=8)
def _typical(die: MuseumDie) -> int | None:
    """Return after how many throws half of such dice are called biased, or None for a fair one."""
    return None if len(set(die.chances)) == 1 else plan_of(_outcomes(), np.array(die.chances)).half
