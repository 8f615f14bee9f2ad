"""Dice that owners gave away (`companion contribute`) as training material: real photographs among the drawn ones.

``python -m workshop.training.contributed OUT FOLDER...`` packs such folders as the part ``contributed`` of OUT. A line
whose picture its owner deleted is left out, and so is what no shipped set has, and a tetrahedron, whose outline is no
face.

People say what a die shows and not how it lies: its marks' top is where the shipped net sees this face best.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.rules.dice import Face, Shape, UnknownDiceSetError, dice_set
from companion.vision.dice.faces import FaceReader
from companion.vision.dice.geometry import PLACES, Points, cut_turned
from companion.vision.images import decode_image
from companion.vision.readings import Image
from workshop.training.store import Flat, Truth, write_scenes

CONTRIBUTED: Final = "contributed"
QUALITY: Final = 95


def packed(folders: Sequence[Path], out: Path) -> int:
    """Pack the dice of such folders into ``out``; return how many there are."""
    found = [one for folder in folders for one in _dice_of(folder)]
    write_scenes(iter(found), out, CONTRIBUTED)
    return len(found)


def _dice_of(folder: Path) -> Iterator[tuple[bytes, Truth]]:
    readers: dict[str, FaceReader] = {}
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        label = json.loads(line)
        path = folder / Path(label["file"]).name
        known = _face(label)
        if known is None or not path.exists():
            continue
        shape, face = known
        image = decode_image(path.read_bytes(), live=False)
        reader = readers.setdefault(label["set"], FaceReader(dice_set(label["set"]), 1.0))
        corners = _from_top(reader, image, np.array(label["corners"], np.float64), shape, face.text)
        if corners is None:
            continue
        ok, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        assert ok
        yield jpeg.tobytes(), Truth((Flat(face.marks, corners, 1.0, legible=True, shape=shape),), ())


def _face(label: dict[str, Any]) -> tuple[Shape, Face] | None:
    """Return the shape of the die and the face that a person named; None where the shipped sets have no such face."""
    try:
        dice = dice_set(str(label["set"])).dice
    except UnknownDiceSetError:
        return None
    named = ((die.shape, face) for die in dice for face in die.faces if face.text == label["face"])
    return next(((shape, face) for shape, face in named if shape != "tetrahedron"), None)


def _from_top(reader: FaceReader, image: Image, corners: Points, shape: Shape, text: str) -> Points | None:
    """Return the corners from the marks' top on; None where no such face has so many corners."""
    texts = reader.texts
    fits = [one for (_, one), count in zip(texts.upper, texts.corners, strict=True) if count == len(corners)]
    if text not in fits:
        return None
    (opinion,) = reader.opinions(reader.views([cut_turned(image, corners, PLACES[shape])]))
    faces, _ = opinion.weights(texts.bags(len(corners)))
    top = int(faces[:, fits.index(text)].argmax())
    return np.asarray(np.roll(corners, -top, axis=0))


def main() -> None:
    """Pack folders."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    given = parser.parse_args()
    sys.stdout.write(f"{packed(given.folders, given.out)} dice\n")


if __name__ == "__main__":
    main()
