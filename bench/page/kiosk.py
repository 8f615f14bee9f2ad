"""Six hours of a kiosk with planted faults: camera lost, process killed and hung, disk full, clock set.

A real ``companion serve --kiosk`` runs under a stand-in for systemd, which restarts it when it ends and kills it when
it gives no sign of life over its notify socket. A visit every five minutes makes 72 in six hours. The visits follow
each other without pauses, as fast as the table acknowledges, and the idle time is 2 seconds instead of 90. Cameras,
restarts, the disk and the clock are not compressed: they take their real time. Memory is compared within one life of
the process, with its size when it was ready for the first visitor.
"""

import argparse
import json
import re
import resource
import signal
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import cv2

from bench.page.kiosk_service import Systemd
from companion.ledger.rescue import open_ledger
from companion.referee.journal import Journal
from tests.referee.chain import broken_at
from tests.vision.mjpeg_server import MjpegServer
from tests.vision.stage import Stage

VISITS = 72  # six hours, one every five minutes
FIRST = 12  # visits before the first fault: an hour
UNTIL_A_VISITOR = 20.0  # seconds after the start, in which the program loads its own first page
WITHIN = 15.0  # seconds in which the kiosk must recover by itself
PATIENCE = 60.0  # seconds until a wait is abandoned
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC).timestamp()
HOURS = 3600.0
SETTINGS = """
idle_seconds = 2
countdown_seconds = 1
dice = "program"
[[games]]
game = "ludus-regularis"
players = [2]
options = { ending = "throws", throws = 12 }
[hours]
saturday = ["09:00-18:00"]
"""


class Hall:
    """The kiosk's visitors and their acknowledgements: every acknowledged event by match and number."""

    def __init__(self, systemd: Systemd) -> None:
        self.systemd = systemd
        self.acknowledged: list[tuple[int, int]] = []
        self.visits = 0

    def ask(self, path: str, data: dict[str, Any] | None = None) -> Any:
        """Return the answer, also an error's; None if nobody answers."""
        body = None if data is None else json.dumps(data).encode()
        asked = urllib.request.Request(f"{self.systemd.address}{path}", body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(asked, timeout=8) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return json.loads(refused.read() or b"{}")
        except (OSError, ValueError):
            return None

    def state(self) -> Any:
        return self.ask("/api/state")

    def roll(self) -> bool:
        """Let the program throw; return whether that was acknowledged."""
        state = self.state()
        reply = self.ask("/api/command/roll", {})
        if not reply or not reply.get("ok") or not state:
            return False
        self.acknowledged.append((state["match"]["id"], reply["data"]["event"]))
        return True

    def begin(self) -> None:
        reply = wait(lambda: self.ask("/api/kiosk/begin", {"game": "ludus-regularis", "players": 2}), "ok")
        assert reply, "no match could be begun"
        self.visits += 1

    def visit(self, *, leave: bool) -> None:
        """Play a match to its end, or leave it halfway."""
        self.begin()
        for _ in range(6 if leave else 30):
            if not self.roll():
                break
        self.ask("/api/kiosk/leave", {})

    def whole(self) -> bool:
        """Whether the page answers, the camera sees and the journal is writable."""
        state = self.state()
        return bool(state and state["camera"]["status"] == "LIVE" and state["health"]["journal"] == "ok")

    def screen(self) -> str:
        return str((self.ask("/api/kiosk") or {}).get("screen"))

    @property
    def pid(self) -> int:
        """The number of the process that runs now."""
        assert self.systemd.process
        return self.systemd.process.pid

    def memory(self) -> float:
        """Return the process's resident memory in MB, the median of several samples."""
        path = Path(f"/proc/{self.pid}/status")
        seen = []
        for _ in range(7):
            found = re.search(r"VmRSS:\s+(\d+) kB", path.read_text(encoding="ascii"))
            assert found
            seen.append(int(found[1]) / 1024)
            time.sleep(0.3)
        return median(seen)


def wait(ask: Callable[[], Any], key: str | None = None, patience: float = PATIENCE) -> Any:
    """Return the first answer that is true (at ``key``), None after ``patience`` seconds."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        answer = ask()
        if answer and (key is None or answer.get(key)):
            return answer
        time.sleep(0.05)
    return None


def took(true: Callable[[], bool]) -> float:
    """Return the seconds until something becomes true; infinity if it never does."""
    began = time.monotonic()
    return time.monotonic() - began if wait(true) else float("inf")


class Faults:
    """Plant faults and measure how long the kiosk takes to recover by itself."""

    def __init__(self, hall: Hall, stage: Stage, camera: MjpegServer, chance: Random) -> None:
        self.hall, self.camera, self.chance = hall, camera, chance
        self._stage = stage
        self.back: dict[str, list[float]] = {}
        self.wrong: list[str] = []

    def _note(self, kind: str, seconds: float) -> None:
        print(f"{time.strftime('%X')} {kind} {seconds:.1f} s, visits {self.hall.visits}", file=sys.stderr, flush=True)
        self.back.setdefault(kind, []).append(seconds)

    def _expect(self, true: object, sentence: str) -> None:
        if not true:
            self.wrong.append(sentence)

    def lose_camera(self) -> None:
        """Close the camera's server for a moment, then bring it back."""
        port = self.camera.port
        self.camera.close()
        self._expect(wait(lambda: not self.hall.whole()), "the loss of the camera was not told")
        self._expect(self.hall.roll() or self.hall.screen() == "attract", "without the camera nothing can be played")
        time.sleep(self.chance.uniform(0, 1.5))
        self.camera = MjpegServer(lambda: drawn(self._stage), fps=8, port=port)
        self._note("camera", took(self.hall.whole))

    def kill(self) -> None:
        """Kill the process in the middle of a match, which must then be open again with all its events."""
        self.hall.begin()
        for _ in range(self.chance.randrange(1, 6)):
            self.hall.roll()
        state = self.hall.state()
        assert self.hall.systemd.process
        self.hall.systemd.process.send_signal(signal.SIGKILL)
        self.hall.systemd.process.wait()
        self._note("kill", took(lambda: self.hall.screen() == "table" and self.hall.whole()))
        after = self.hall.state()
        same = after and all(after["match"][key] == state["match"][key] for key in ("id", "throws", "acquired"))
        self._expect(same, "the match was another one after a kill")
        self._expect(self.hall.roll(), "the match did not go on after a kill")
        self.hall.ask("/api/kiosk/leave", {})

    def hang(self) -> None:
        """Freeze the process; only the watchdog notices that."""
        self.hall.begin()
        self.hall.roll()
        before = self.hall.systemd.silenced
        assert self.hall.systemd.process
        self.hall.systemd.process.send_signal(signal.SIGSTOP)
        self._expect(wait(lambda: self.hall.systemd.silenced > before), "the watchdog did not see a hang")
        self._note("hang", took(lambda: self.hall.screen() == "table" and self.hall.whole()))
        self.hall.ask("/api/kiosk/leave", {})

    def fill_disk(self) -> None:
        """Let the process write to no file for a while, also while visitors leave."""
        assert self.hall.systemd.process
        pid = self.hall.systemd.process.pid
        self.hall.begin()
        self.hall.roll()
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard))
        refused = not self.hall.roll() and not self.hall.roll()
        self._expect(refused, "a throw was acknowledged that cannot have been written")
        state = self.hall.state()
        self._expect(state and state["health"]["journal"] != "ok", "a full disk was not told")
        time.sleep(3)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))
        self._note("disk", took(self.hall.whole))
        self._expect(self.hall.roll(), "the match did not go on after the disk had room")
        self.hall.ask("/api/kiosk/leave", {})

    def set_clock(self, offset: Path) -> None:
        """Set the clock for a moment, into the night and back, and to where a machine without a battery starts."""
        right = float(offset.read_text(encoding="ascii"))
        self.hall.begin()
        write(offset, right + 10 * HOURS)
        time.sleep(2)
        write(offset, right)
        time.sleep(7)
        self._expect(self.hall.screen() != "closed", "a clock that was wrong for two seconds closed the kiosk")
        write(offset, -time.time() + 100.0)
        time.sleep(7)
        self._expect(self.hall.screen() != "closed", "a clock that nobody has set closed the kiosk")
        write(offset, right + 10 * HOURS)
        self._expect(wait(lambda: self.hall.screen() == "closed"), "it did not close at night")
        self._expect(wait(lambda: not self.hall.whole()), "the camera was not let go of at night")
        write(offset, right)
        self._note("clock", took(lambda: self.hall.screen() == "attract" and self.hall.whole()))


def drawn(stage: Stage) -> bytes:
    return cv2.imencode(".jpg", stage.picture())[1].tobytes()


def write(offset: Path, seconds: float) -> None:
    beside = offset.with_suffix(".new")
    beside.write_text(str(seconds), encoding="ascii")
    beside.replace(offset)


def lost(journal: Path, acknowledged: list[tuple[int, int]]) -> tuple[int, int, int]:
    """Return the number of acknowledged events missing from the journal, of broken matches, and of all its events."""
    with open_ledger(journal, Journal) as kept:
        lines = {line.id: kept.events(line.id) for line in kept.matches()}
    missing = sum(match not in lines or len(lines[match]) < number for match, number in acknowledged)
    broken = sum(broken_at(entries) is not None for entries in lines.values())
    return missing, broken, sum(len(entries) for entries in lines.values())


def soak(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Run the six hours and return the figures."""
    chance, stage = Random(given.seed), Stage(width=640, height=360)
    offset = folder / "offset"
    write(offset, NOON - time.time())
    (folder / "kiosk.toml").write_text(SETTINGS, encoding="utf-8")
    camera = MjpegServer(lambda: drawn(stage), fps=8)
    systemd = Systemd(folder, ("--kiosk", str(folder), "--camera", camera.address, "--pin", "271828", "--mat", "whole"))
    hall = Hall(systemd)
    faults = Faults(hall, stage, camera, chance)
    began = time.monotonic()
    systemd.start()
    assert wait(hall.whole, patience=90), (folder / "log").read_text(encoding="utf-8")
    time.sleep(UNTIL_A_VISITOR)
    memory = [hall.memory()]
    for number in range(FIRST):
        hall.visit(leave=number % 2 == 0)
    for _ in range(min(3, given.camera)):
        faults.lose_camera()
    faults.fill_disk()
    faults.set_clock(offset)
    memory.append(hall.memory())
    calm: list[Callable[[], None]] = [faults.lose_camera] * (given.camera - min(3, given.camera))
    calm += [faults.fill_disk, lambda: faults.set_clock(offset)]
    chance.shuffle(calm)
    calmly = max(0, given.visits - FIRST - given.kills - given.hangs - 4)
    for number, fault in enumerate(calm):
        if number % 10 == 9:
            memory.append(hall.memory())
        for _ in range(calmly * (number + 1) // len(calm) - calmly * number // len(calm)):
            hall.visit(leave=chance.random() < 0.3)
        fault()
    memory.append(hall.memory())
    lives = systemd.started
    for fault in [faults.kill] * given.kills + [faults.hang] * given.hangs:
        fault()
    seconds = time.monotonic() - began
    systemd.stop()
    faults.camera.close()
    missing, broken, events = lost(folder / "journal.db", hall.acknowledged)
    statistics = json.loads((folder / "statistics.json").read_text(encoding="utf-8"))["days"]
    return {
        "simulated_hours": round(hall.visits * 5 / 60, 1),
        "wall_seconds": round(seconds),
        "visits": hall.visits,
        "events": events,
        "acknowledged": len(hall.acknowledged),
        "lost": missing,
        "broken_matches": broken,
        "faults": {kind: len(times) for kind, times in faults.back.items()},
        "back_median_s": {kind: round(median(times), 2) for kind, times in faults.back.items()},
        "back_worst_s": {kind: round(max(times), 2) for kind, times in faults.back.items()},
        "lives_before_the_kills": lives,
        "starts": systemd.started,
        "memory_mb": [round(one, 1) for one in memory],
        "memory_growth_percent": round(100 * (memory[-1] / memory[0] - 1), 2),
        "counted_begun": sum(day["begun"] for day in statistics.values()),
        "wrong": faults.wrong,
    }


def main() -> int:
    """Print the figures; fail if the kiosk did not recover in time, grew, or lost anything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visits", type=int, default=VISITS)
    parser.add_argument("--camera", type=int, default=50, help="how often the camera is lost")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--hangs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = soak(Path(folder), given)
    print(json.dumps(figures))
    worst = max(figures["back_worst_s"].values(), default=0.0)
    grown = figures["memory_growth_percent"] >= 5
    return int(bool(figures["wrong"]) or figures["lost"] > 0 or worst > WITHIN or grown)


if __name__ == "__main__":
    sys.exit(main())
