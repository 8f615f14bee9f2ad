"""Drawn scenes on disk: JPEG pictures end to end in one file, the ground truth of each in another."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from companion.vision.dice.geometry import Points
from companion.vision.images import decode_image
from companion.vision.readings import Image


class NothingDrawnError(RuntimeError):
    """A training step finds no material from the step before."""


@dataclass(frozen=True, eq=False)
class Flat:
    """One face to cut out flat: its marks and its corners in pixels, clockwise from the marks' top.

    The first corner of four is the marks' upper left. ``seen``: the visible share of the face, 0 to 1. ``legible``:
    whether a person could read it. ``shape``: the die's, which decides where the corners move to.
    """

    marks: tuple[str, ...]
    corners: Points
    seen: float
    legible: bool
    shape: str

    def to_json(self) -> list[Any]:
        """Return the fields as a list, in their order."""
        return [list(self.marks), np.round(self.corners, 2).tolist(), round(self.seen, 2), self.legible, self.shape]

    @classmethod
    def from_json(cls, data: list[Any]) -> "Flat":
        """Read what `to_json` wrote."""
        return cls(tuple(data[0]), np.array(data[1], np.float64), float(data[2]), bool(data[3]), str(data[4]))


@dataclass(frozen=True, eq=False)
class Truth:
    """What lies in a picture: upper faces, and tetrahedra as base (3 x 2), apex (2), and their visible sides.

    ``sides``: the other visible faces of dice, of tetrahedra too, each n x 2 and clockwise. They look like upper faces
    but are not.
    """

    faces: tuple[Flat, ...]
    tetrahedra: tuple[tuple[Points, Points, tuple[Flat, ...]], ...]
    sides: tuple[Points, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return nested lists."""
        return {
            "faces": [face.to_json() for face in self.faces],
            "tetrahedra": [
                [np.round(base, 2).tolist(), np.round(apex, 2).tolist(), [side.to_json() for side in sides]]
                for base, apex, sides in self.tetrahedra
            ],
            "sides": [np.round(side, 2).tolist() for side in self.sides],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Truth":
        """Read what `to_json` wrote; material drawn before sides were stored has none."""
        return cls(
            tuple(Flat.from_json(face) for face in data["faces"]),
            tuple(
                (np.array(base, np.float64), np.array(apex, np.float64), tuple(Flat.from_json(side) for side in sides))
                for base, apex, sides in data["tetrahedra"]
            ),
            tuple(np.array(side, np.float64) for side in data.get("sides", ())),
        )


class Scenes:
    """Drawn scenes of one folder, in the order in which they were drawn; a picture is decoded on demand."""

    def __init__(self, pictures: Sequence[tuple[Path, int, int]], truths: Sequence[Truth]) -> None:
        self._places = pictures
        self._files = {path: np.memmap(path, np.uint8, "r") for path in {path for path, _, _ in pictures}}
        self.truths = tuple(truths)

    def __len__(self) -> int:
        return len(self.truths)

    def picture(self, number: int) -> Image:
        """Return a picture, height x width x 3, BGR."""
        path, start, end = self._places[number]
        return decode_image(self._files[path][start:end].tobytes())

    @classmethod
    def load(cls, folder: Path, *names: str) -> "Scenes":
        """Return all parts ``<name>.jsonl`` and ``<name>-<part>.jsonl`` of a folder together, for each of the names.

        Raises:
            NothingDrawnError: there are none.
        """
        places: list[tuple[Path, int, int]] = []
        truths: list[Truth] = []
        for path in sorted(
            path for name in names for one in (name, f"{name}-*") for path in folder.glob(f"{one}.jsonl")
        ):
            start = 0
            for line in path.read_text("utf-8").splitlines():
                data = json.loads(line)
                end = start + int(data["bytes"])
                places.append((path.with_suffix(".jpgs"), start, end))
                truths.append(Truth.from_json(data))
                start = end
        if not truths:
            wanted = " or ".join(f"{name}-*.jsonl" for name in names)
            raise NothingDrawnError(f"Expected drawn scenes {wanted} in {folder}, but found none; draw first.")
        return cls(places, truths)


def write_scenes(drawn: Iterator[tuple[bytes, Truth]], folder: Path, name: str) -> None:
    """Write scenes (JPEG and ground truth) as they come, so that they can be used while more are being drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        (folder / f"{name}.jpgs").open("wb") as pictures,
        (folder / f"{name}.jsonl").open("w", encoding="utf-8") as truth,
    ):
        for jpeg, one in drawn:
            pictures.write(jpeg)
            pictures.flush()
            truth.write(json.dumps({"bytes": len(jpeg)} | one.to_json()) + "\n")
            truth.flush()
