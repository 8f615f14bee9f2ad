"""What remembering costs: processor time a throw, memory of the process, and the size of a table's file.

``python -m bench.reader.memory_cost -n 60 --seed 1``: each owner's throws are drawn with held-out fonts. Two readers
read each picture, one with a memory and one without, and take turns in which reads first. Then each plays the throws
once more in a process of its own, for its memory.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median
from typing import Final, get_args

import cv2

from bench.reader.sittings import Owner, sitting
from bench.scoring.outcomes import Label
from bench.scoring.sitting import answers
from companion.vision.dice.memory import store
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.reader import DiceReader
from companion.vision.images import load_image
from companion.vision.readings import Image
from workshop.scenes.fonts import find_fonts

ROOT: Final = Path(__file__).resolve().parents[2]
LAST: Final = 20
"""The time is that of the last throws: a table that knows its dice."""


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=60, help="throws of each owner")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--owners", choices=get_args(Owner), nargs="+", default=["usual", "hand", "carved", "worn"])
    parser.add_argument("--memory-of", type=Path, metavar="FOLDER", help="play this folder here, and print the memory")
    parser.add_argument("--dice", default="wibold", help="the dice of the folder")
    parser.add_argument("--remember", action="store_true")
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    if given.memory_of:
        print(json.dumps(peak_memory(given.memory_of, given.dice, remember=given.remember)))
        return
    cv2.setNumThreads(1)
    before = os.getloadavg()[0]
    owners = {}
    more: list[float] = []
    for number, owner in enumerate(given.owners):
        made = sitting(owner, given.seed + 100 * (number + 1), find_fonts("held-out"))
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            labels = []
            for throw in range(given.n):
                shown = made.throw(throw)
                picture = f"throw_{throw:04d}.jpg"
                folder.joinpath(picture).write_bytes(shown.jpeg)
                labels.append(json.dumps(shown.to_json(picture)))
            folder.joinpath("labels.jsonl").write_text("\n".join(labels), encoding="utf-8")
            memory = TableMemory()
            times = list(both(folder, made.set_name, memory))[-LAST:]
            store.save(folder / "memory", memory, made.set_name)
            owners[owner] = {
                "general_ms": round(median(general for general, _ in times), 1),
                "more_ms": round(median(remembering - general for general, remembering in times), 1),
                "peak_MiB": elsewhere(folder, made.set_name),
                "remembering_peak_MiB": elsewhere(folder, made.set_name, "--remember"),
                "exemplars": len(memory.exemplars),
                "file_kB": round(folder.joinpath("memory").stat().st_size / 1000),
            }
            more += [remembering - general for general, remembering in times]
    report = {"n": given.n, "seed": given.seed, "load": [before, os.getloadavg()[0]], "owners": owners}
    print(json.dumps(report | {"more_ms": {"median": round(median(more), 1), "mean": round(mean(more), 1)}}))


def throws(folder: Path) -> Iterator[tuple[Label, Image]]:
    """Yield a folder's labels and pictures in their order."""
    for line in folder.joinpath("labels.jsonl").read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        yield label, load_image(folder / label["image"])


def both(folder: Path, set_name: str, memory: TableMemory) -> Iterator[tuple[float, float]]:
    """Play a folder of throws; yield the processor's milliseconds without and with this memory, learning included."""
    general, remembering = DiceReader(set_name), DiceReader(set_name, memory=memory)
    for number, (label, image) in enumerate(throws(folder)):
        took = {}
        for reader in (general, remembering) if number % 2 else (remembering, general):
            begun = time.process_time()
            reading = reader.read(image)
            if reader is remembering:
                reader.learn(answers(label, reading), str(label["image"]))
            took[reader] = (time.process_time() - begun) * 1000
        yield took[general], took[remembering]


def elsewhere(folder: Path, set_name: str, *options: str) -> float:
    """Return the peak memory of playing a folder of throws in a process of its own, see `peak_memory`."""
    command = [sys.executable, "-m", "bench.reader.memory_cost", "--memory-of", str(folder), "--dice", set_name]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout)


def peak_memory(folder: Path, set_name: str, *, remember: bool) -> float:
    """Play a folder of throws; return the most memory that this process has had, in MiB.

    ``ru_maxrss`` of `resource` would also count what the process had before it became this program.
    """
    cv2.setNumThreads(1)
    reader = DiceReader(set_name, memory=TableMemory() if remember else None)
    for label, image in throws(folder):
        reading = reader.read(image)
        if remember:
            reader.learn(answers(label, reading), str(label["image"]))
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return round(int(line.split()[1]) / 1024, 1)


if __name__ == "__main__":
    main()
