"""Hours of a table with all that belongs to it, and a kill again and again: memory, descriptors, threads, journal.

Half of the lives of the process play a sample whose board is followed, at four times its pace; in the other half a
camera on the network shows a sample's dice at that pace. An LED board hangs on a simulated cable, and five pages are
open. A page is an event stream that is read to its end, asked for again when it breaks, and loaded with the files that
it names every two minutes; no browser draws it. Figures are taken every minute, and compared within a life only.
"""

import argparse
import json
import os
import re
import signal
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

from bench.computers.slow import FRAMES, Camera, until_rest
from bench.page.kiosk import PATIENCE, Hall, lost, wait
from bench.page.kiosk_service import Systemd
from companion.ledger.rescue import open_ledger
from companion.referee.journal import Journal
from companion.vision.images import load_image
from companion.vision.sources.scripted import IN_MOTION, STILL, load_script
from tests.firmware_bridge.simulated.board import SimulatedBoard
from tests.firmware_bridge.simulated.firmware import OwnFirmware
from tests.live.labelled import SAMPLE, script
from tests.vision.mjpeg_server import MjpegServer

PACE: Final = 4.0
PAGES: Final = 5
LEDS: Final = 200
RELOADED_EVERY: Final = 120.0
"""Seconds between two loads of a page."""

WARM_AFTER: Final = 90.0
"""Seconds of a life before its first figures: by then it has read dice and a board, and every page was loaded."""

FIGURES_EVERY: Final = 60.0


@dataclass
class ShownEvents:
    """What pages were shown of the journal: for each match the time of each event, by its number."""

    events: dict[int, dict[int, float]] = field(default_factory=dict)
    states: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, state: Any) -> None:
        """Note the events in the log of a state."""
        with self.lock:
            self.states += 1
            if state["match"] is not None:
                of_match = self.events.setdefault(state["match"]["id"], {})
                of_match.update((line["event"], line["at"]) for line in state["log"])


class OpenPage(threading.Thread):
    """An open page: it follows the event stream, and is loaded again from time to time, until `end`."""

    def __init__(self, address: str, shown: ShownEvents) -> None:
        super().__init__(name="page", daemon=True)
        self._address, self._shown = address, shown
        self._ending = threading.Event()

    def run(self) -> None:
        """Load the page, follow it, and begin again as a browser does when the line breaks."""
        while not self._ending.is_set():
            try:
                self._load()
                self._follow()
            except (OSError, ValueError):
                self._ending.wait(1.0)  # as the stream's "retry" says

    def end(self) -> None:
        """Close the page."""
        self._ending.set()
        self.join()

    def _load(self) -> None:
        text = self._read("/").decode()
        for path in sorted(set(re.findall(r'(?:href|src)="(/static/[^"#]+)', text))):
            self._read(path)
        self._read("/api/setup")

    def _read(self, path: str) -> bytes:
        with urllib.request.urlopen(f"{self._address}{path}", timeout=20) as answer:
            return bytes(answer.read())

    def _follow(self) -> None:
        until = time.monotonic() + RELOADED_EVERY
        with urllib.request.urlopen(f"{self._address}/api/events", timeout=60) as stream:
            event = b""
            while not self._ending.is_set() and time.monotonic() < until:
                line = stream.readline()
                if not line:
                    return
                if line.startswith(b"event: "):
                    event = line.split()[1]
                elif line.startswith(b"data: ") and event == b"snapshot":
                    self._shown.take(json.loads(line[6:]))


class Players(threading.Thread):
    """The people at a table; they go on after a kill. ``acknowledged``: every event that was, by match and number."""

    def __init__(self, hall: Hall) -> None:
        super().__init__(name="players", daemon=True)
        self.hall = hall
        self.refused = 0
        self.ending = threading.Event()

    def order(self, name: str, data: dict[str, Any] | None = None) -> Any:
        """Give an order; note its event if it was acknowledged."""
        reply = self.hall.ask(f"/api/command/{name}", data or {})
        if reply is None:
            return None
        if not reply.get("ok"):
            self.refused += 1
            return None
        state = self.hall.state()
        if state and state["match"]:
            newest = max((line["event"] for line in state["log"]), default=1)
            self.hall.acknowledged.append((state["match"]["id"], (reply.get("data") or {}).get("event", newest)))
        return reply

    def end(self) -> None:
        """Let them leave."""
        self.ending.set()
        self.join(PATIENCE)


class Watchers(Players):
    """Visitors of a sample: they pause each match once, so that it is kept when the next one begins."""

    def run(self) -> None:
        """Play until the end."""
        paused: set[int] = set()
        while not self.ending.wait(1.0):
            state = self.hall.state()
            match = state and state["match"]
            if match and match["id"] not in paused and self.order("pause"):
                self.order("unpause")
                paused.add(match["id"])
            elif match and match["paused"]:  # a kill came between the two
                self.order("unpause")


class Throwers(Players):
    """Two people who throw before a camera, one match after the other, as the sample's pictures show it."""

    def __init__(self, hall: Hall, camera: Camera, pictures: dict[Path, list[bytes]]) -> None:
        super().__init__(hall)
        self._camera, self._pictures = camera, pictures
        self.matches = 0

    def run(self) -> None:
        """Play until the end."""
        data = {key: script()[key] for key in ("game", "players", "options")} | {"dice_by": "camera"}
        casts = script()["casts"]
        steps = until_rest(load_script(SAMPLE), len(casts))
        while not self.ending.is_set():
            if not wait(lambda: self.ending.is_set() or self.order("new_match", data)):
                continue
            self.matches += 1
            done, before = 0, "empty"
            for step in steps:
                self._camera.show(self._pictures[step.image])
                if self.ending.wait(step.seconds / PACE):
                    return
                if (before, step.phase) == ("moving", STILL):
                    self._read(done, casts[done]["faces"])
                    done += 1
                before = step.phase

    def _read(self, done: int, faces: dict[str, str]) -> None:
        """Wait until a throw is read, and answer for the dice if the table asks."""

        def settled() -> bool:
            state = self.hall.state()
            if self.ending.is_set() or not state:
                return self.ending.is_set()
            if state["ask"] is not None:
                self.order("answer", {"ask": state["ask"]["id"], "faces": faces})
            return sum(line["kind"] in ("throw", "recast") for line in state["log"]) > done or bool(state["outcome"])

        wait(settled, patience=PATIENCE / 2)


@dataclass
class Life:
    """What was measured within one life of the process, a minute at a time; ``ended``: it ended before its time."""

    memory: list[float] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    ended: bool = False

    def figures(self) -> dict[str, Any]:
        """Return the figures; growth from the mean of the first two to that of the last two."""
        first, last = (sum(two) / len(two) for two in (self.memory[:2], self.memory[-2:]))
        return {
            "minutes": len(self.memory),
            "ended_before_its_time": self.ended,
            "memory_mb": [round(one, 1) for one in self.memory],
            "growth_percent": round(100 * (last / first - 1), 2),
            "descriptors": self.files,
            "threads": self.threads,
        }


def live(hall: Hall, seconds: float) -> Life:
    """Let the process live for some seconds and measure it every minute; it must be whole before."""
    life, until, pid = Life(), time.monotonic() + seconds, hall.pid
    time.sleep(min(WARM_AFTER, seconds / 3))
    while True:
        began = time.monotonic()
        if life.memory and hall.pid != pid:
            life.ended = True
            return life
        process = Path(f"/proc/{pid}")
        life.memory.append(hall.memory())
        life.files.append(len(list((process / "fd").iterdir())))
        found = re.search(r"Threads:\s+(\d+)", (process / "status").read_text(encoding="ascii"))
        assert found
        life.threads.append(int(found[1]))
        if began + FIGURES_EVERY > until:
            time.sleep(max(0.0, until - time.monotonic()))
            return life
        time.sleep(max(0.0, began + FIGURES_EVERY - time.monotonic()))


@contextmanager
def network_camera() -> Iterator[tuple[Camera, dict[Path, list[bytes]], str]]:
    """Yield a camera on the network, the pictures that it can show, by the sample's, and its address."""
    camera = Camera()
    pictures = {
        step.image: camera.made(load_image(step.image), moving=step.phase in IN_MOTION) for step in load_script(SAMPLE)
    }
    server = MjpegServer(camera.picture, fps=FRAMES)
    try:
        yield camera, pictures, server.address
    finally:
        server.close()


@contextmanager
def table(folder: Path, options: Sequence[str]) -> Iterator[tuple[Hall, SimulatedBoard]]:
    """Run a table with an LED board on a cable; it starts again by itself when it was killed."""
    board = SimulatedBoard(OwnFirmware(LEDS), leds=LEDS)
    board.start()
    folder.mkdir()
    (folder / "offset").write_text("0", encoding="ascii")
    systemd = Systemd(folder, (*options, "--leds", str(board.device)))
    systemd.start()
    try:
        yield Hall(systemd), board
    finally:
        systemd.stop()
        board.stop()


def missing(journal: Path, shown: ShownEvents) -> int:
    """Return the number of events that a page was shown, and that the journal has not, or has otherwise."""
    with open_ledger(journal, Journal) as kept:
        at = {line.id: [entry.at for entry in kept.events(line.id)] for line in kept.matches()}
    return sum(
        number > len(at.get(match, ())) or at[match][number - 1] != when
        for match, events in shown.events.items()
        for number, when in events.items()
    )


def run(folder: Path, options: Sequence[str], players: Any, lives: int, seconds: float) -> dict[str, Any]:
    """Run one kind of table for some lives and return its figures. ``players``: gives them for a `Hall`."""
    shown = ShownEvents()
    with table(folder, options) as (hall, board):
        assert wait(hall.whole, patience=120), (folder / "log").read_text(encoding="utf-8")
        people = players(hall)
        pages = [OpenPage(hall.systemd.address, shown) for _ in range(PAGES)]
        for one in (people, *pages):
            one.start()
        measured, back = [], []
        for _ in range(lives):
            measured.append(live(hall, seconds).figures())
            print(json.dumps(measured[-1]), file=sys.stderr, flush=True)
            os.kill(hall.pid, signal.SIGKILL)
            began, before = time.monotonic(), hall.systemd.started
            assert wait(lambda: hall.systemd.started > before and hall.whole(), patience=120)  # noqa: B023
            back.append(round(time.monotonic() - began, 1))
        time.sleep(5)
        for one in (people, *pages):
            one.end()
        starts, silenced, boots, lit = hall.systemd.started, hall.systemd.silenced, board.boots, any(board.shown())
    gone, broken, events = lost(folder / "journal.db", hall.acknowledged)
    return {
        "lives": measured,
        "kills": lives,
        "starts": starts,
        "killed_for_silence": silenced,
        "back_after_a_kill_s": {"median": median(back), "worst": max(back)},
        "events": events,
        "acknowledged": len(hall.acknowledged),
        "refused": people.refused,
        "lost": gone,
        "broken_matches": broken,
        "states_shown": shown.states,
        "events_shown": sum(map(len, shown.events.values())),
        "shown_and_not_in_the_journal": missing(folder / "journal.db", shown),
        "led_board_starts": boots,
        "led_board_lit": lit,
    }


def whole(figures: dict[str, Any]) -> bool:
    """Return whether nothing was lost, nothing grew and no life had more threads at its end than at its beginning."""
    lives = figures["lives"]
    return (
        not any(figures[key] for key in ("lost", "broken_matches", "shown_and_not_in_the_journal"))
        and not any(life["ended_before_its_time"] for life in lives)
        and all(life["growth_percent"] < 5 for life in lives)
        and all(life["threads"][-1] <= life["threads"][0] for life in lives)
    )


def main() -> int:
    """Print the figures; fail if an event was lost, or the process grew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lives", type=int, default=9, help="lives of each kind of table")
    parser.add_argument("--minutes", type=float, default=10, help="the length of a life")
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    began, figures = time.monotonic(), {}
    with tempfile.TemporaryDirectory() as name, network_camera() as (camera, pictures, address):
        folder, seconds = Path(name), 60 * given.minutes
        sample = ("--sample", "zeno", "--pace", str(PACE))
        figures["sample"] = run(folder / "sample", sample, Watchers, given.lives, seconds)
        figures["camera"] = run(
            folder / "camera",
            ("--camera", address),
            lambda hall: Throwers(hall, camera, pictures),
            given.lives,
            seconds,
        )
    report = {"hours": round((time.monotonic() - began) / 3600, 2), **figures, "load": os.getloadavg()[0]}
    print(json.dumps(report))
    return int(not all(map(whole, figures.values())))


if __name__ == "__main__":
    sys.exit(main())
