"""A reader for the sample tables of boards: it knows each picture by its bytes and reads what the labels say."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from companion.vision.board_readings import BoardReading, Men, SiteReading, Standing
from companion.vision.boards.layout import Layout, layout
from companion.vision.images import load_image
from companion.vision.readings import Image
from companion.vision.sources.scripted import SAMPLES
from tests.live.drawn_board import Place

MOST_COUNTED = 5
SURE = 0.999


def script(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((SAMPLES / name / "script.json").read_text(encoding="utf-8"))
    return data


def labels(name: str) -> list[dict[str, Any]]:
    text = (SAMPLES / name / "labels.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@cache
def stills(name: str) -> dict[bytes, Any]:
    """Return what a sample's labels say of each still picture, by the picture's bytes."""
    return {
        load_image(Path(SAMPLES / name / label["image"])).tobytes(): label["objects"][0]
        for label in labels(name)
        if label["phase"] == "still"
    }


class LabelledBoard:
    """Reads the still pictures of one sample table."""

    def __init__(self, name: str) -> None:
        self.layout: Layout = layout(script(name)["board"])
        self._known = stills(name)
        self.reads = 0

    def find(self, image: Image) -> Place | None:
        known = self._known.get(image.tobytes())
        return None if known is None else Place(known["corners"])

    def correct(self, image: Image, corners: Any) -> Place | None:
        del image
        return Place(corners)

    def known(self, image: Image, corners: Any) -> Place:
        del image
        return Place(corners)

    def read(self, image: Image, field: Any = None) -> BoardReading:
        self.reads += 1
        known = self._known.get(image.tobytes())
        if known is None or field is None:
            return BoardReading(self.layout.board, {}, (), "ignored", "No board was found.")
        sites = {site: site_reading(site, known["sites"].get(site, {})) for site in self.layout.sites}
        corners = tuple((float(x), float(y)) for x, y in known["corners"])
        return BoardReading(self.layout.board, sites, corners, "read")


def site_reading(site: str, label: dict[str, Any]) -> SiteReading:
    """Return what a perfect reader sees of a labelled site: of a pile no more men than lie apart."""
    men: Standing = None
    piled = False
    if "shape" in label:
        men = Men(label["colour"], 1, label["shape"], label["number"])
    for colour, count in label.items():
        if colour in ("light", "dark"):
            piled |= count > MOST_COUNTED and site != "bar"
            men = Men(colour, min(count, MOST_COUNTED) if site != "bar" else count, also=men)
    return SiteReading(site, ((men, SURE),), "read", piled)
