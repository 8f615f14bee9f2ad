"""Follow a match through a folder of labelled pictures, and count what became of its turns."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any, Final

import click

from bench.boards.labelled_match import (
    READ_AHEAD,
    JudgedPicture,
    LabelledMatch,
    LabelledMatchError,
    men_of,
    seating_of_labels,
)
from bench.scoring import rate
from companion.referee.readable import board_to_read
from companion.rules.game import Position
from companion.vision.board_readings import BoardReading
from companion.vision.boards.known import same_board
from companion.vision.boards.layout import UnknownBoardError
from companion.vision.boards.places import BoardReads, FoundPlaces, Learns
from companion.vision.boards.readers import reader_of
from companion.vision.images import load_image

MOST_LOST: Final = 2
"""Where no turn explains more labelled pictures in a row, they show another match than the one that is followed."""


@dataclass(frozen=True)
class Line:
    """One picture: how it was read, what became of it, and how long it took in milliseconds."""

    image: str
    reading: BoardReading
    judged: JudgedPicture
    milliseconds: float

    def to_json(self) -> dict[str, Any]:
        """Return the line that the command prints."""
        return {"image": self.image, **self.judged.to_json(), "ms": round(self.milliseconds, 1)}


@dataclass
class Followed:
    """What became of all pictures so far."""

    slug: str
    pictures: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)

    def add(self, line: Line) -> None:
        """Count a picture."""
        judged = line.judged
        self.pictures += 1
        self.times.append(line.milliseconds)
        self.counts["turns"] += judged.played + judged.missed
        self.counts["missed"] += judged.missed
        self.counts["unexplained"] += judged.unexplained
        self.counts["committed_rightly"] += bool(judged.committed) and judged.right is True
        self.counts["committed_wrongly"] += bool(judged.committed) and judged.right is False
        self.counts["asked"] += judged.asked
        self.counts["illegal_shown"] += judged.forbidden
        self.counts["illegal_told"] += judged.illegal is not None and judged.right is True
        self.counts["illegal_named"] += judged.named and judged.right is True
        self.counts["wrongly_told"] += not judged.committed and judged.right is False

    def to_json(self) -> dict[str, Any]:
        """Return the totals, with Wilson's interval for the turns committed rightly without a question."""
        names = (
            "turns",
            "committed_rightly",
            "committed_wrongly",
            "missed",
            "asked",
            "illegal_shown",
            "illegal_told",
            "illegal_named",
            "wrongly_told",
            "unexplained",
        )
        return {
            "game": self.slug,
            "pictures": self.pictures,
            **{name: self.counts[name] for name in names},
            "share": rate(self.counts["committed_rightly"], self.counts["turns"]),
            "ms": round(median(self.times), 1) if self.times else None,
        }

    def table(self) -> str:
        """Return the totals as lines for people."""
        return "\n".join(f"{name.replace('_', ' '):>18} {value}" for name, value in self.to_json().items())


def follow(folder: Path, board: str, start: Position, labels: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    """Yield what becomes of each picture, in the order of the labels.

    Raises:
        ClickException: the board is unknown or is not the game's, or the labels do not show a match of it.
    """
    marked = any("illegal" in label.get("conditions", {}) for label in labels)
    lost = 0  # pictures in a row that no turn explains
    wanted = board_to_read(start.game)
    try:
        reader: BoardReads = reader_of(board)
    except UnknownBoardError as error:
        raise click.ClickException(str(error)) from error
    if wanted is None or not same_board(board, wanted):
        raise click.ClickException(
            f"Expected the board of {start.game.slug} ({wanted or 'no camera follows this game'}), but got {board}."
        )
    places, match = FoundPlaces(reader), _labelled(start, board, labels)
    for number, label in enumerate(labels):
        image = load_image(folder / label["image"])
        if number == 0:
            reader.read(image)  # a net's first run is slower than all later ones
        try:
            coming = _faces(labels[number + 1], match.position) if number + 1 < len(labels) else None
            illegal = bool(label.get("conditions", {}).get("illegal")) if marked else None
            match.show(men_of(_sites(label, board)), _faces(label, match.position), coming, illegal=illegal)
        except LabelledMatchError as error:
            raise click.ClickException(f"{label['image']}: {error}") from error
        begun = time.perf_counter()
        reading = reader.read(image, places.field(image))
        if reading.status != "read":
            places.lose()
        judged = match.judge(reading)
        if match.behind and number == len(labels) - 1:
            judged = replace(judged, missed=judged.missed + 1)  # no later picture can show its turn
        lost = lost + 1 if judged.unexplained or (judged.forbidden and not marked) else 0
        if lost > MOST_LOST:
            raise click.ClickException(
                f"No turn explains the labels of {label['image']} and of the {MOST_LOST} pictures before it: correct "
                'them, label what the dice show ("throw"), or mark what is illegal ("conditions": {"illegal": true}).'
            )
        if match.men is not None and isinstance(reader, Learns):
            reader.learn(match.men)
        yield Line(str(label["image"]), reading, judged, (time.perf_counter() - begun) * 1e3)


def _labelled(start: Position, board: str, labels: Sequence[Mapping[str, Any]]) -> LabelledMatch:
    """Return the match that the labels show."""
    if not labels:
        raise click.ClickException(
            "Expected labelled pictures of a match, but there are none: label some, or draw one."
        )
    first = labels[: READ_AHEAD + 1]
    try:
        sites = [men_of(_sites(label, board)) for label in first]
        seating = seating_of_labels(start, sites, [_faces(label, start) for label in first])
    except LabelledMatchError as error:
        raise click.ClickException(str(error)) from error
    return LabelledMatch(start, seating)


def _sites(label: Mapping[str, Any], board: str) -> Mapping[str, Any]:
    """Return the labelled men of the board in a picture."""
    for one in label["objects"]:
        if one["kind"] == "board" and isinstance(one.get("board"), str) and isinstance(one.get("sites"), dict):
            return dict(one["sites"])
    raise click.ClickException(f"Expected the men of the board {board} in the labels of {label['image']}: label them.")


def _faces(label: Mapping[str, Any], position: Position) -> list[str] | None:
    """Return what the labelled dice show; None if the labels name none, or if not all dice lie in the picture."""
    thrown = label.get("throw")
    if isinstance(thrown, list) and thrown:
        return [str(face) for face in thrown]
    faces = [str(one["face"]) for one in label["objects"] if one["kind"] == "die" and "face" in one]
    return faces if faces and len(faces) == len(position.awaits.dice) else None
