"""The time from the first frame of a still table to the snapshot with the throw, at 15 frames per second."""

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.table.reading import reader
from companion.language.sentence import Sentence
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.vision.images import load_image
from companion.vision.readings import Frame, Image
from companion.vision.sources.scripted import SHAKE, STILL, load_script
from companion.vision.sources.source import NewestFrame, SourceState
from tests.live.labelled import SAMPLE, script

TICK = 1 / 15


class Stage:
    """A camera that shows the given picture 15 times per second, and records when each picture was first shown."""

    name = "a stage"
    state = SourceState.LIVE
    sentence = Sentence("A stage.")

    def __init__(self) -> None:
        self._slot = NewestFrame(self.name)
        self._image: Image | None = None
        self._moving = False
        self._count = 0
        self._ending = threading.Event()
        self._new = False
        self.first_shown = 0.0
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._ending.set()
        self._slot.shut()

    def newest(self, after: int, timeout: float) -> Frame | None:
        return self._slot.newer(after, timeout)

    def show(self, image: Image, *, moving: bool = False) -> None:
        """Show this picture from the next frame on."""
        self._image, self._moving, self._new = image, moving, True

    def _run(self) -> None:
        due = time.monotonic()
        while not self._ending.is_set():
            image = self._image
            if image is not None:
                shift = SHAKE[self._count % len(SHAKE)] if self._moving else 0
                self._count += 1
                shown = image if not shift else np.roll(image, shift, axis=1)
                frame = self._slot.put(shown)
                if self._new:
                    self._new, self.first_shown = False, frame.taken
            due += TICK
            self._ending.wait(max(0.0, due - time.monotonic()))


def measure(path: Path, throws: int, *, labels: bool = False) -> dict[str, Any]:
    """Play the first throws of the sample match; return the time until each was shown."""
    name, make, combine = reader(labels=labels)
    stage, casts = Stage(), script()["casts"]
    table = LiveTable(path, Seeing(stage, reader=make), combine=combine)
    table.start()
    match = {key: script()[key] for key in ("game", "players", "options")}
    table.command("new_match", {**match, "dice_by": "camera"}, "bench")
    times: list[float] = []
    asked = done = 0
    before = "empty"
    for step in load_script(SAMPLE):
        if done == throws:
            break
        first_still = (before, step.phase) == ("moving", STILL)
        before = step.phase
        stage.show(load_image(step.image), moving=step.phase in ("moving", "hand"))
        if not first_still:
            time.sleep(step.seconds if step.phase == "empty" else 0.3)
            continue
        shot = _settled(table, done)
        if shot is not None and shot["ask"] is None:
            times.append(time.monotonic() - stage.first_shown)
        elif shot is not None:
            asked += 1
            table.command("answer", {"ask": shot["ask"]["id"], "faces": casts[done]["faces"]}, "bench")
        done += 1
        time.sleep(0.3)
    table.stop()
    times.sort()
    return {
        "n": len(times),
        "asked": asked,
        "missed": done - asked - len(times),
        "reader": name,
        "size": "1280x960",
        "median_s": round(statistics.median(times), 3) if times else None,
        "p95_s": round(times[min(len(times) - 1, int(len(times) * 0.95))], 3) if times else None,
        "max_s": round(times[-1], 3) if times else None,
    }


def _settled(table: LiveTable, done: int) -> dict[str, Any] | None:
    """Wait until the cast is committed or asked about; return None if neither happens."""
    until = time.monotonic() + 5
    shot = table.snapshot()
    while time.monotonic() < until:
        data = dict(shot.data)
        played = sum(line["kind"] in ("throw", "recast") for line in data["log"])
        if played > done or data["ask"] is not None:
            return data
        shot = table.wait(shot.version, 0.5) or table.snapshot()
    return None


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=31, help="casts of the sample match")
    parser.add_argument("--labels", action="store_true", help="read by the labels: all but the reader's own time")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder) / "match.db", given.n, labels=given.labels)
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
