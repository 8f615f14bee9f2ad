"""A table's snapshot: what its pages show, built from values. Building it changes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from companion.desk.finding import BoardFinding
from companion.desk.page.board_camera import board_part
from companion.desk.page.camera import camera_part, health_part, reading_part
from companion.desk.page.names import with_player_names
from companion.desk.shapes.common import State
from companion.desk.shapes.match import MatchPartShape
from companion.desk.shapes.table import DemonstrationShape, LightsShape, OtherTableShape, TableParts
from companion.desk.sight import Sight
from companion.desk.watched import Watched
from companion.language.sentence import Sentence
from companion.referee.match import Match
from companion.vision.board_readings import BoardReading


class FeatureParts(TypedDict, total=False):
    """The parts of a snapshot that features of the table fill; what no feature fills is None."""

    demonstration: DemonstrationShape | None
    lights: LightsShape | None
    other_table: OtherTableShape | None


@dataclass(frozen=True)
class TableNow:
    """The state of a table now.

    ``sentence``: the sentence for the state. ``sight``: all that the cameras see; of it, only what is ``watched``
    counts in the open match. ``finding``: what the board judge made of the ``reading``. ``features``:
    their parts of the snapshot. ``autoplay``: the program plays the match by itself. ``failure``: why the last thing
    seen could not be used. ``sample``: the table is a sample. ``followed``: the games whose men a camera can follow,
    by slug. ``trouble``: what is wrong with the journal, ``copy_trouble`` with its second copy.
    ``time``: of the monotonic clock, in seconds.
    """

    match: Match | None
    state: State
    sentence: Sentence
    sight: Sight
    watched: Watched
    time: float
    features: FeatureParts
    finding: BoardFinding | None = None
    reading: BoardReading | None = None
    autoplay: bool = False
    failure: Sentence | None = None
    sample: bool = False
    followed: Sequence[str] = ()
    two_cameras: bool = False
    trouble: Sentence | None = None
    copy_trouble: Sentence | None = None


def table_snapshot(page: MatchPartShape, now: TableNow) -> TableParts:
    """Return the whole snapshot; ``page`` is the match's part of it."""
    match, sight = now.match, now.watched.of(now.sight)
    unread, other = now.sight.trouble, now.features.get("other_table")
    if other is not None and other["awaited"] is not None:  # as after this table's own part of a throw of both
        page = {**page, "awaits": {**page["awaits"], "by_program": True, "remote": True}}
    return {
        "state": now.state,
        "state_sentence": with_player_names(match, now.sentence).to_json(),
        "sample": now.sample,
        "demonstration": now.features.get("demonstration"),
        "camera": camera_part(sight) if now.watched.anything else camera_part(now.sight, watches=False),
        **page,
        "reading": reading_part(match, sight),
        "dice_camera": None if now.sample else now.sight.source,
        "board_camera": [] if now.sample else list(now.followed),
        "two_cameras": now.two_cameras,
        "watch": board_part(match, sight.board, now.finding, now.reading),
        "lights": now.features.get("lights"),
        "other_table": other,
        "autoplay": now.autoplay,
        "hitch": None if now.failure is None else with_player_names(match, now.failure).to_json(),
        "health": {
            **health_part(now.sight, now.time, now.trouble, now.copy_trouble),
            "reader": None if unread is None else unread.to_json(),
        },
    }
