"""Positions taken from pictures of boards: ``python -m bench.boards.photographed FOLDER ...``.

A position is right if, in one of the offered ways, every site that nobody is asked to check holds what the label says.
Folders have `labels.jsonl`, as `python -m bench.boards.matches` draws them.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.referee.board.photographed import photographed
from companion.rules.registry import game
from companion.vision.board_readings import BoardReading
from companion.vision.boards.layout import UnknownBoardError
from companion.vision.boards.readers import reader_of
from companion.vision.images import load_image
from companion.vision.readings import Image
from companion.web.learning.photographed import perhaps

GAMES = {"tables": "tables/backgammon", "rithmomachia": "rithmomachia/durnil-guardia", "8x16": "rithmomachia/italian"}


def labelled(folder: Path) -> Iterator[tuple[str, Image, Mapping[str, Any]]]:
    """Yield the name, the picture and the labelled board of each picture that lies still."""
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        boards = [one for one in label["objects"] if one["kind"] == "board" and one["board"] in GAMES]
        if boards and label.get("phase", "still") == "still":
            yield label["image"], load_image(folder / label["image"]), boards[0]


def judged(reading: BoardReading, board: Mapping[str, Any]) -> str:
    """Return whether the position is right, wrong or refused, or every place of it is asked about."""
    if reading.status != "read" and not perhaps(reading):
        return "refused"
    one = game(GAMES[board["board"]])
    ways = photographed(one, reading)
    right = any(_agrees(way.position["men"], set(way.doubtful), board["sites"]) for way in ways)
    if reading.status == "ask":
        return "every place asked, right" if right else "every place asked, wrong"
    return "right" if right else "wrong"


def _agrees(men: Mapping[str, Any], doubtful: set[str], truth: Mapping[str, Any]) -> bool:
    """Whether men stand where the label says, however the board is turned and whose the colours are."""
    if "1" not in men:
        seen = {site: (man["colour"], man["shape"], man["number"]) for site, man in men.items()}
        return any(
            all(
                seen.get(site) == (None if man is None else (named[man["colour"]], man["shape"], man["number"]))
                for site in (seen.keys() | truth.keys()) - doubtful
                for man in (truth.get(site),)
            )
            for named in ({"white": "white", "black": "black"}, {"white": "black", "black": "white"})
        )
    sites = ({*men["1"], *men["2"], *truth}) - {"hand", "off", "bar"} - doubtful
    return any(
        all(
            men[str(side)].get(site, 0) == truth.get(site, {}).get(colour, 0)
            for site in sites
            for side, colour in enumerate(colours, 1)
        )
        for colours in (("light", "dark"), ("dark", "light"))
    )


def main() -> int:
    """Print what became of the pictures of each folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    given = parser.parse_args()
    for folder in given.folders:
        counts: Counter[str] = Counter()
        wrong = []
        for name, image, board in labelled(folder):
            try:
                reader = reader_of(game(GAMES[board["board"]]).board.name)
            except UnknownBoardError:
                continue
            found = judged(reader.read(image, reader.find(image)), board)
            counts[found] += 1
            wrong += [name] if found == "wrong" else []
        print(json.dumps({"folder": folder.name, **counts, "wrong": wrong, "load": round(os.getloadavg()[0], 1)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
