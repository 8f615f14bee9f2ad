"""Labelled pictures for measuring the reader: drawn by two processes, kept in a folder, read as a user reads them."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.rules.dice import dice_set
from companion.vision.readings import Image, readable
from workshop.hands import book_hands
from workshop.samples.frames import conditions
from workshop.scenes import RANGES, Font, Ranges, Scene, find_fonts, random_scene, render

COMPANION = str(Path(sys.executable).parent / "companion")

KINDS = {
    "tray": ("wibold", "tray"),
    "usual": ("wibold", "usual"),
    "wide": ("wibold", "wide"),
    "hard": ("wibold", "hard"),
    **{name: (name, "usual") for name in ("ludix", "pips", "tiles", "d4", "d6", "d8", "d10", "d12", "d20")},
}
"""What is drawn: a dice set, and the ranges of camera and table."""

Label = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """One picture to draw; the same seed and number give the same picture. ``book``: in the held-out book hands."""

    folder: Path
    kind: str
    seed: int
    number: int
    size: tuple[int, int] | None = None
    dice: bool = True
    book: bool = False
    lamp_from_the_other_side: bool = False


def fonts() -> tuple[Font, ...]:
    """Return the held-out fonts, on which the reader was never trained."""
    return find_fonts("held-out")


def scene(job: Job) -> Scene:
    """Return the scene of a picture; if its size is given, the dice grow with its width."""
    set_name, view = KINDS[job.kind]
    ranges: Ranges = RANGES[view]
    if job.size is not None:
        low, high = (edge * job.size[0] / ranges.size[0] for edge in ranges.edge)
        ranges = replace(ranges, size=job.size, edge=(low, high))
    rng = np.random.default_rng([job.seed, job.number])
    hands = book_hands("held-out") if job.book else fonts()
    if not job.dice:
        return random_scene(rng, hands, ranges=replace(ranges, things=0.8), set_name=set_name, bodies=())
    made = random_scene(rng, hands, ranges=ranges, set_name=set_name)
    if job.lamp_from_the_other_side:
        lamps = tuple(
            replace(lamp, direction=(-lamp.direction[0], -lamp.direction[1], lamp.direction[2]))
            for lamp in made.lighting.lights
        )
        made = replace(made, lighting=replace(made.lighting, lights=lamps))
    return made


def draw(job: Job) -> Label:
    """Draw one picture into its folder; return its label."""
    cv2.setNumThreads(1)
    made = scene(job)
    drawn = render(made)
    name = f"{job.kind}_{job.number:05d}.jpg"
    (job.folder / name).write_bytes(drawn.jpeg)
    return drawn.to_json(name) | {"conditions": conditions(made)}


def draw_all(jobs: Sequence[Job], processes: int = 2) -> list[Label]:
    """Draw pictures and write the ``labels.jsonl`` of their folder."""
    jobs[0].folder.mkdir(parents=True, exist_ok=True)
    if processes == 1:
        labels = list(map(draw, jobs))
    else:
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            labels = list(pool.map(draw, jobs, chunksize=4))
    write_labels(jobs[0].folder, labels)
    return labels


def write_labels(folder: Path, labels: Iterable[Label]) -> None:
    """Write the label file of a folder."""
    lines = "".join(json.dumps(label, ensure_ascii=False) + "\n" for label in labels)
    (folder / "labels.jsonl").write_text(lines, encoding="utf-8")


@cache
def why_not(set_name: str) -> str | None:
    """Return why dice are not measurable yet (they are not read, or not drawn), None where they are."""
    if not readable(dice_set(set_name)):
        return "the reader does not read them"
    kind = next(name for name, (of, _) in KINDS.items() if of == set_name)
    try:
        scene(Job(Path(), kind, 0, 0))
    except ValueError as refused:
        return str(refused)
    return None


def bench_vision(folder: Path, set_name: str, *more: str | Path) -> dict[str, Any]:
    """Return the figures of ``companion bench vision`` for a folder."""
    return _bench(folder, "--dice", set_name, *more)


def bench_boards(folder: Path, board: str) -> dict[str, Any]:
    """Return the figures of ``companion bench vision --board`` for a folder."""
    return _bench(folder, "--board", board)


def _bench(folder: Path, *more: str | Path) -> dict[str, Any]:
    command = [COMPANION, "bench", "vision", str(folder), "--json", *map(str, more)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-600:])
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def short(report: dict[str, Any]) -> dict[str, Any]:
    """Return the main figures of a report, for use where the whole report is too long."""
    kept = ("dice", "kinds", "images", "die_identity", "ms")
    return {name: report[name] for name in kept if name in report}


def load() -> float:
    """Return the load of the machine: waiting processes in the last minute."""
    return round(os.getloadavg()[0], 2)


def labels_of(folder: Path) -> list[Label]:
    """Return the labels of a folder."""
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def change_all(
    source: Path, target: Path, change: Callable[[Image, Label], tuple[Image, Label]], quality: int = 95
) -> None:
    """Write a changed copy of every picture of a folder into another folder, with its changed label."""
    target.mkdir(parents=True, exist_ok=True)
    labels = []
    for label in labels_of(source):
        image = cv2.imread(str(source / label["image"]))
        assert image is not None
        changed, pair = change(np.asarray(image, np.uint8), label)
        cv2.imwrite(str(target / label["image"]), changed, [cv2.IMWRITE_JPEG_QUALITY, quality])
        labels.append(pair)
    write_labels(target, labels)
