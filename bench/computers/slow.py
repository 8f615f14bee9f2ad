"""The program on a slow computer: one core at a quarter of its speed and 1 GB, about that of a Raspberry Pi 4.

First a sample table plays its whole match here, and there: it must ask the same and read the same. Then a camera on
the network, 15 pictures a second of 1280x960, shows the sample's throws; the time of a throw goes from the sending of
its first still picture until its event, by the journal's clock. Only the program is slow: the camera and whoever asks
are not. At the end the camera stays: while the computer is as quick as this one the page must not call it slow, and
while it gets slower and slower the page must say so.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final

import cv2
import numpy as np

from bench.computers.limits import Limited, NoLimitsError, limited
from bench.page.served import COMPANION, address_in, ask, soon
from companion.ledger.rescue import open_ledger
from companion.referee.events import BoardAsked, Committed, Proposed, Rejected
from companion.referee.journal import Journal
from companion.vision.images import load_image
from companion.vision.readings import Image
from companion.vision.sources.scripted import IN_MOTION, SHAKE, STILL, ScriptStep, load_script
from tests.live.labelled import SAMPLE, script
from tests.referee.chain import broken_at
from tests.vision.mjpeg_server import MjpegServer

SHARE: Final = 0.25
MEMORY_MB: Final = 1000
FRAMES: Final = 15.0  # a second
NOISE: Final = 2.0  # standard deviation of the camera's, of 255: no sensor gives the same picture twice
WITHIN: Final = 1.5  # seconds from rest to the event of a throw
FEWER: Final = (0.1, 0.05, 0.03, 0.02)  # shares of a core that are too little for this camera
QUICK_SECONDS: Final = 40.0  # in which a quick computer must not be called slow
Events = list[tuple[Any, ...]]


@contextmanager
def served(there: Limited | None, journal: Path, *options: str) -> Iterator[tuple[str, float]]:
    """Serve a table, on a slow computer if one is given; yield its address, and the seconds until it answered."""
    command = [COMPANION, "serve", "--port", "0", "--journal", str(journal), *options]
    began = time.monotonic()
    with subprocess.Popen(
        command if there is None else there.command(*command), stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        try:
            address = address_in(server.stdout)
            ask(address, "/api/state")
            yield address, time.monotonic() - began
        finally:
            server.terminate()


def events(journal: Path) -> tuple[Events, list[float], int]:
    """Return what was asked and committed, when, and the number of matches whose chain is broken."""
    with open_ledger(journal, Journal) as kept:
        lines = [kept.events(line.id) for line in kept.matches()]
    asked = [
        (entry.at, found) for entries in lines for entry in entries if (found := _compared(entry.event)) is not None
    ]
    return (
        [found for _, found in asked],
        [at for at, _ in asked],
        sum(broken_at(entries) is not None for entries in lines),
    )


def _compared(event: Any) -> tuple[Any, ...] | None:
    """Return what two computers must agree on; not where dice lie, as each reads another frame of the same rest."""
    match event:
        case Committed():
            by = "a person" if event.proposed else event.by
            return "committed", event.player, json.dumps(event.move, sort_keys=True), by
        case Proposed():
            return "asked", event.player, str(event.sentence), json.dumps(event.suggestion, sort_keys=True)
        case BoardAsked():
            return "asked about the board", event.player, str(event.sentence), len(event.candidates)
        case Rejected():
            return "answered no", event.reason
    return None


def play_sample(there: Limited | None, folder: Path, name: str) -> tuple[Events, dict[str, Any]]:
    """Let a sample table play its match; return what was asked and committed, and how long it took."""
    journal = folder / f"{name}-{'here' if there is None else 'there'}.db"
    began = time.monotonic()
    with served(there, journal, "--sample", name) as (address, answered):
        soon(lambda: ask(address, "/api/state")["throw"], 0.2)
        first = time.monotonic() - began
        soon(lambda: ask(address, "/api/state")["outcome"], 1.0)
        whole = time.monotonic() - began
    played, _, broken = events(journal)
    took = {"answer_s": round(answered, 1), "first_throw_s": round(first, 1), "match_s": round(whole), "broken": broken}
    return played, took


class Camera:
    """Sends pictures of a table, each with noise of its own; notes when it first sent the one that is shown now."""

    def __init__(self) -> None:
        chance = np.random.default_rng(1)
        first = load_image(load_script(SAMPLE)[0].image)
        self._noise = [np.round(chance.normal(0, NOISE, first.shape)).astype(np.int16) for _ in range(4)]
        self._lock = threading.Lock()
        self._jpegs: Sequence[bytes] = ()
        self._count = 0
        self._new = False
        self.first_sent = 0.0
        self.show(self.made(first, moving=False))

    def made(self, image: Image, *, moving: bool) -> list[bytes]:
        """Make the pictures to send of a table in advance; one that moves shakes."""
        shown = [np.roll(image, shift, axis=1) for shift in SHAKE[::2]] if moving else [image] * len(self._noise)
        noisy = [cv2.add(one, self._noise[at % 4], dtype=cv2.CV_8U) for at, one in enumerate(shown)]
        return [cv2.imencode(".jpg", one, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes() for one in noisy]

    def show(self, pictures: Sequence[bytes]) -> None:
        """Send these pictures in turn from now on."""
        with self._lock:
            self._jpegs, self._new = pictures, True

    def picture(self) -> bytes:
        """Return the next picture: the server sends it at once."""
        with self._lock:
            if self._new:
                self._new, self.first_sent = False, time.time()
            self._count += 1
            return self._jpegs[self._count % len(self._jpegs)]


def play_camera(there: Limited | None, folder: Path, throws: int) -> dict[str, Any]:
    """Show the sample's throws by a camera on the network; return how long each took from rest to its event."""
    journal, camera, casts = folder / "camera.db", Camera(), script()["casts"]
    steps = until_rest(load_script(SAMPLE), throws)
    # making pictures takes longer than showing them
    made = {step.image: camera.made(load_image(step.image), moving=step.phase in IN_MOTION) for step in steps}
    server = MjpegServer(camera.picture, fps=FRAMES)
    began: list[float] = []
    before = "empty"
    with served(there, journal, "--camera", server.address) as (address, _):
        soon(lambda: ask(address, "/api/state")["camera"]["status"] == "LIVE")
        ask(
            address,
            "/api/command/new_match",
            {key: script()[key] for key in ("game", "players", "options")} | {"dice_by": "camera"},
        )
        time.sleep(3)
        for step in steps:
            first_still = (before, step.phase) == ("moving", STILL)
            before = step.phase
            camera.show(made[step.image])
            if not first_still:
                time.sleep(step.seconds)
                continue
            done = len(began)
            state = soon(lambda: after_throw(ask(address, "/api/state"), done))  # noqa: B023 (called within this turn)
            began.append(camera.first_sent)
            if state["ask"] is not None:
                ask(address, "/api/command/answer", {"ask": state["ask"]["id"], "faces": casts[done]["faces"]})
        memory = None if there is None else round(there.most_memory())
        said = {} if there is None else until_it_says_so(there, address)
    server.close()
    played, at, broken = events(journal)
    firsts = [when for when, one in zip(at, played, strict=True) if one[0] == "asked" or one[3] == "camera"]
    took = [round(event - begin, 3) for begin, event in zip(began, firsts, strict=True)]
    times = sorted(took)
    return {
        "n": len(times),
        "took_s": took,
        "asked": sum(one[0] == "asked" for one in played),
        "median_s": round(median(times), 2),
        "p95_s": round(times[int(len(times) * 0.95)], 2),
        "max_s": round(times[-1], 2),
        "broken": broken,
        "most_memory_mb": memory,
        **said,
    }


def until_rest(steps: Sequence[ScriptStep], throws: int) -> Sequence[ScriptStep]:
    """Return the steps of a script up to the first picture after so many throws."""
    rests = [at for at, (one, other) in enumerate(pairwise(steps), 1) if (one.phase, other.phase) == ("moving", STILL)]
    return steps[: rests[throws - 1] + 1]


def until_it_says_so(there: Limited, address: str) -> dict[str, Any]:
    """Slow the computer down step by step until the page says that it takes too few pictures; then let it recover.

    Before, it gets a whole core for a while, and the page must say nothing.
    """
    there.give(1.0)
    soon(lambda: not _slow(address), 2.0)
    said: dict[str, Any] = {"said_on_a_whole_core": said_within(address, QUICK_SECONDS)}
    for share in FEWER:
        there.give(share)
        try:
            soon(lambda: _slow(address), 2.0, 60.0)
        except TimeoutError:
            continue
        said |= {"says_so_at_share": share, "sentence": _slow(address)}
        break
    there.give(SHARE)
    soon(lambda: not _slow(address), 2.0)
    return said


def said_within(address: str, seconds: float) -> bool:
    """Return whether the page calls the computer too slow within this time."""
    with suppress(TimeoutError):
        soon(lambda: _slow(address), 1.0, seconds)
        return True
    return False


def _slow(address: str) -> str:
    """Return what the page says of a computer that is too slow."""
    warning = ask(address, "/api/state")["camera"]["warning"] or {"text": ""}
    return str(warning["text"]) if "too slow" in warning["text"] else ""


def after_throw(state: Any, done: int) -> Any:
    """Return the state once another throw was committed or is asked about."""
    played = sum(line["kind"] in ("throw", "recast") for line in state["log"])
    return state if played > done or state["ask"] is not None else None


def measure(names: Sequence[str], throws: int) -> dict[str, Any]:
    """Do all of it and return the figures."""
    figures: dict[str, Any] = {"share_of_a_core": SHARE, "memory_mb": MEMORY_MB, "load": [round(os.getloadavg()[0], 1)]}
    with tempfile.TemporaryDirectory() as folder, limited(SHARE, MEMORY_MB) as there:
        for name in names:
            here, took_here = play_sample(None, Path(folder), name)
            other, took_there = play_sample(there, Path(folder), name)
            figures[name] = {
                "events": len(here),
                "asked": sum(one[0].startswith("asked") for one in here),
                "otherwise": [pair for pair in zip(here, other, strict=False) if pair[0] != pair[1]][:3],
                "events_there": len(other),
                "here": took_here,
                "there": took_there,
            }
        figures["camera"] = play_camera(there, Path(folder), throws)
    figures["load"].append(round(os.getloadavg()[0], 1))
    return figures


def right(figures: dict[str, Any], names: Sequence[str]) -> bool:
    """Return whether the slow computer does the same, loses nothing, reads in time, and says when it cannot."""
    samples = [figures[name] for name in names]
    same = all(not one["otherwise"] and one["events"] == one["events_there"] for one in samples)
    whole = not any(one["there"]["broken"] for one in samples) and not figures["camera"]["broken"]
    return same and whole and figures["camera"]["max_s"] <= WITHIN and _says_what_is(figures["camera"])


def _says_what_is(camera: Mapping[str, Any]) -> bool:
    return "sentence" in camera and not camera["said_on_a_whole_core"]


def main() -> int:
    """Print the figures; fail if the slow computer does otherwise, reads too late, or does not say that it is slow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=31, help="throws before the camera")
    parser.add_argument("--sample", nargs="*", default=["ludus-regularis"], help="sample tables that play their match")
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    try:
        figures = measure(given.sample, given.n)
    except NoLimitsError as why:
        sys.exit(str(why))
    print(json.dumps(figures))
    return int(not right(figures, given.sample))


if __name__ == "__main__":
    sys.exit(main())
