"""How well real photographs are read, by ``companion read`` as a user calls it; in halves that share no scene."""

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from bench.reader import pictures
from bench.scoring import rate
from companion.rules.dice import dice_set
from companion.vision.readings import readable

SPLIT = Path(__file__).parent / "photo_split.toml"
PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"
SETS = {"pips-phone": "pips", "pips-webcam": "pips", "letter-tiles": "tiles"}


def scenes(part: str, folder: str | None = None) -> list[dict[str, Any]]:
    """Return the scenes of a part: ``folder``, ``scene``, ``ground`` and ``images``."""
    every: list[dict[str, Any]] = tomllib.loads(SPLIT.read_text(encoding="utf-8"))["scenes"]
    return [one for one in every if one["part"] == part and folder in (None, one["folder"])]


def measure(folder: str, part: str, sheets: Path | None) -> dict[str, Any]:
    """Read one part of a folder and score it."""
    ground = {image: one for one in scenes(part, folder) for image in one["images"]}
    labels = [
        label | {"conditions": {"ground": ground[label["image"]]["ground"], "scene": ground[label["image"]]["scene"]}}
        for label in pictures.labels_of(PHOTOS / folder)
        if label["image"] in ground
    ]
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        for label in labels:
            (place / label["image"]).symlink_to(PHOTOS / folder / label["image"])
        pictures.write_labels(place, labels)
        command = [pictures.COMPANION, "read", "--dice", SETS[folder], "--json"]
        done = subprocess.run(
            command + [str(place / label["image"]) for label in labels], capture_output=True, text=True, check=True
        )
        (place / "readings").write_text(done.stdout, encoding="utf-8")
        more: tuple[str | Path, ...] = ()
        if sheets:
            sheets.mkdir(parents=True, exist_ok=True)
            more = ("--sheet", sheets / f"{folder}-{part}.png")
        return pictures.bench_vision(place, SETS[folder], "--readings", place / "readings", *more)


def main() -> int:
    """Print the rates of a part, by folder, and together for pip dice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--final", action="store_true", help="the part that is measured once, when nothing is chosen")
    parser.add_argument("--sheets", type=Path, help="a folder for pictures of the errors")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if not PHOTOS.is_dir():
        print(json.dumps({"not_measured": f"the photographs do not lie in {PHOTOS.name} beside the project"}))
        return 0
    part = "final" if given.final else "dev"
    report: dict[str, Any] = {"part": part, "load": pictures.load(), "folders": {}}
    for folder, set_name in SETS.items():
        if readable(dice_set(set_name)):
            report["folders"][folder] = measure(folder, part, given.sheets)
        else:
            report["folders"][folder] = {"not_measured": "the reader does not read them"}
    pips = [one["dice"] for name, one in report["folders"].items() if SETS[name] == "pips" and "dice" in one]
    if pips:
        dice = sum(one["dice"] for one in pips)
        names = ("correct", "asked", "missed", "silent")
        report["pips"] = {name: rate(sum(one[name]["count"] for one in pips), dice) for name in names}
    print(json.dumps(report, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
