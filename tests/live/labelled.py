"""Reads the sample frames by their labels, so that the table can be tested whatever the real reader can do."""

import hashlib
import json
from pathlib import Path
from typing import Any

from companion.vision.images import load_image
from companion.vision.readings import DiceReading, Image, ReadDie, Status

SAMPLE = Path(__file__).resolve().parents[2] / "sample_images" / "ludus-regularis"


def script() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((SAMPLE / "script.json").read_text(encoding="utf-8"))
    return data


def _key(image: Image) -> str:
    return hashlib.sha256(image.tobytes()).hexdigest()


class LabelReader:
    """Knows the still and empty sample frames; asks about what no person could read."""

    def __init__(self) -> None:
        self._objects: dict[str, list[dict[str, Any]]] = {}
        for line in (SAMPLE / "labels.jsonl").read_text(encoding="utf-8").splitlines():
            label = json.loads(line)
            if label["phase"] in ("still", "empty"):
                self._objects[_key(load_image(SAMPLE / label["image"]))] = label["objects"]

    def read(self, image: Image) -> DiceReading:
        found = self._objects.get(_key(image))
        if found is None:
            return DiceReading((), "ignored", "This picture is not one of the sample's.")
        dice = tuple(self._die(label) for label in found if label["kind"] == "die")
        sure = bool(dice) and all(die.status == "read" for die in dice)
        return DiceReading(dice, "read" if sure else "ask", expected=("1", "2", "3", "consonants"))

    @staticmethod
    def _die(label: dict[str, Any]) -> ReadDie:
        status: Status = "read" if label["legible"] else "ask"
        outline = tuple((float(x), float(y)) for x, y in label["polygon"])
        chances = ((label["face"], 0.99 if label["legible"] else 0.4),)
        return ReadDie("wibold", label["die"], label["face"], status, chances[0][1], chances, outline)
