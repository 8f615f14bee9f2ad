"""Drawn boards on disk: JPEG pictures end to end in one file, their ground truth as lines of JSON in another."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.images import decode_image
from companion.vision.readings import Image
from workshop.board_scenes.render import RenderedBoard

Points = npt.NDArray[np.float64]

COARSE: Final = 8
"""The map of hands has this many times fewer pixels than the picture along each side."""


@dataclass(frozen=True)
class TrueMan:
    """A man in a picture: site, what he is, the centres of his foot and top in pixels, the width of his top."""

    site: str
    colour: str
    shape: str
    number: int
    foot: tuple[float, float]
    top: tuple[float, float]
    size: float
    legible: bool
    upper: bool


@dataclass(frozen=True, eq=False)
class TrueBoard:
    """The ground truth of a picture: the board's kind and size, its field's corners (4 x 2), its bar (4 x 2), its men.

    ``hand``: where a hand covers the picture, `COARSE` times coarser, bool; None without a hand.
    """

    kind: str
    columns: int
    rows: int
    corners: Points
    bar: Points | None
    men: tuple[TrueMan, ...]
    hand: npt.NDArray[np.bool_] | None


def write_boards(rendered: Iterator[RenderedBoard], folder: Path, name: str) -> int:
    """Write pictures and ground truth into ``folder`` under a name; an interrupted run leaves a usable part."""
    folder.mkdir(parents=True, exist_ok=True)
    place = count = 0
    with (folder / f"{name}.jpegs").open("wb") as pictures, (folder / f"{name}.jsonl").open("w") as truths:
        for one in rendered:
            pictures.write(one.jpeg)
            pictures.flush()
            truths.write(json.dumps([place, len(one.jpeg), _to_json(one)]) + "\n")
            truths.flush()
            place += len(one.jpeg)
            count += 1
    return count


def truth_of(one: RenderedBoard) -> TrueBoard:
    """Return the ground truth of a picture as if it had been written and read again."""
    return _from_json(_to_json(one))


def _to_json(one: RenderedBoard) -> dict[str, Any]:
    board = one.scene.board
    hand = None
    if one.hand is not None:
        height, width = one.hand.shape
        size = (-(-width // COARSE), -(-height // COARSE))
        coarse = cv2.resize(one.hand.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
        hand = [*coarse.shape, np.packbits(coarse > 0).tobytes().hex()]
    men = [
        [
            *(man.standing.site, man.standing.men.colour, man.standing.men.shape, man.standing.men.number),
            *(_two(man.foot), _two(man.top), round(man.size, 2), man.legible, man.standing.upper),
        ]
        for man in one.men
    ]
    return {
        "kind": board.kind,
        "columns": board.columns,
        "rows": board.rows,
        "corners": np.round(one.corners, 2).tolist(),
        "bar": None if one.bar is None else np.round(one.bar, 2).tolist(),
        "men": men,
        "hand": hand,
    }


def _two(place: tuple[float, float]) -> list[float]:
    return [round(place[0], 2), round(place[1], 2)]


def _from_json(data: dict[str, Any]) -> TrueBoard:
    hand = None
    if data["hand"] is not None:
        rows, columns, packed = data["hand"]
        bits = np.unpackbits(np.frombuffer(bytes.fromhex(packed), np.uint8))[: rows * columns]
        hand = bits.reshape(rows, columns).astype(bool)
    men = tuple(
        TrueMan(site, colour, shape, number, tuple(foot), tuple(top), size, legible, upper)
        for site, colour, shape, number, foot, top, size, legible, upper in data["men"]
    )
    bar = None if data["bar"] is None else np.array(data["bar"])
    return TrueBoard(data["kind"], data["columns"], data["rows"], np.array(data["corners"]), bar, men, hand)


class Boards:
    """Drawn boards of one folder; a picture is decoded on demand."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        """Open everything written so far under these names.

        Raises:
            FileNotFoundError: nothing was drawn under one of them.
        """
        self._places: list[tuple[Path, int, int]] = []
        truths = []
        for name in names:
            path = folder / f"{name}.jpegs"
            for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
                place, length, truth = json.loads(line)
                self._places.append((path, place, length))
                truths.append(_from_json(truth))
        self.truths = tuple(truths)

    def __len__(self) -> int:
        return len(self._places)

    def picture(self, number: int) -> Image:
        """Return a picture, height x width x 3, BGR."""
        path, place, length = self._places[number]
        with path.open("rb") as file:
            file.seek(place)
            return decode_image(file.read(length))
