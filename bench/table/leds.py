"""The cost and robustness of the LED driver: unplugging, WLED's reader, the processor, the way to the wire, rubbish.

Everything runs on simulated boards at real terminal devices, except rubbish and cut frames, which go through memory.
"""

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

from companion.live.features import TableFeatures
from companion.live.table import LiveTable
from firmware_bridge.brightness import Brightness
from firmware_bridge.driver import Driver
from firmware_bridge.frame import LedFrame
from firmware_bridge.protocols import wled
from firmware_bridge.protocols.uplink import LineReader
from firmware_bridge.serial_transport import SerialTransport
from tests.firmware_bridge.rig import frame, open_files, rig
from tests.firmware_bridge.simulated.board import SimulatedBoard
from tests.firmware_bridge.simulated.firmware import OwnFirmware, Sketch
from tests.firmware_bridge.simulated.transport import SimulatedTransport
from tests.firmware_bridge.waiting import until
from tests.firmware_bridge.wled_board import WledBoard
from tests.firmware_bridge.wled_wire import HARMLESS, wired

SIZE = 128


def unplugs(n: int, seed: int) -> dict[str, Any]:
    """Unplug the board at random moments of a match and plug it in again under another name."""
    chance = Random(seed)
    threads, files = set(threading.enumerate()), open_files()
    board = SimulatedBoard(OwnFirmware(SIZE), leds=SIZE)
    board.start()
    driver = Driver(SerialTransport(lister=board.lister))
    driver.start()
    came_back: list[float] = []
    for _ in range(n):
        for _ in range(chance.randrange(1, 4)):
            shown = frame(chance, SIZE)
            driver.show(shown)
            time.sleep(chance.uniform(0, 0.12))
        board.unplug()
        time.sleep(chance.uniform(0, 0.3))
        shown = frame(chance, SIZE)
        driver.show(shown)
        board.plug()
        came_back.append(_shown_after(board, shown))
    driver.stop(10)
    board.stop()
    return {
        "n": n,
        "seed": seed,
        "right_again_s": _spread(came_back, 3),
        "over_2_s": sum(took > 2 for took in came_back),
        "threads_left": len(set(threading.enumerate()) - threads),
        "files_left": (open_files() - files).total(),
    }


def _shown_after(board: SimulatedBoard, shown: LedFrame) -> float:
    wanted = Brightness().applied(shown.pixels())
    return until(lambda: board.firmware.lit()[: len(wanted)] in (wanted, wled.safe(wanted)), 30)


def match_unplugs(n: int, seed: int) -> dict[str, Any]:
    """Play a match while its board is unplugged again and again: the match must continue."""
    chance = Random(seed)
    board = SimulatedBoard(OwnFirmware(200), leds=200)
    refused = 0
    answers: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        table = LiveTable(
            Path(folder) / "match.db", features=TableFeatures(leds=SimulatedTransport(board)), chance=chance
        )
        table.start()
        game = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "dice_by": "program"}
        table.command("new_match", game, "bench")
        for _ in range(n):
            began = time.perf_counter()
            refused += not table.command("roll", {}, "bench").ok
            answers.append(time.perf_counter() - began)
            board.unplug()
            time.sleep(chance.uniform(0, 0.05))
            board.plug()
            time.sleep(chance.uniform(0, 0.2))
        until(lambda: any(board.firmware.lit()))
        time.sleep(1)  # now the lights show the last throw
        shown = board.firmware.lit()
        board.unplug()
        board.plug()
        until(lambda: not any(board.firmware.lit()))  # the board restarts, dark
        right = until(lambda: board.firmware.lit() == shown)
        table.stop()
    return {"n": n, "seed": seed, "refused": refused, "answer_ms": _ms(answers), "right_at_the_end_s": round(right, 3)}


def page_latency(n: int, seed: int) -> dict[str, Any]:
    """Measure the time of a command with no board, with one, and with one that never reads."""
    figures: dict[str, Any] = {"n": n}
    for name in ("none", "simulated", "deaf"):
        board = SimulatedBoard(Sketch() if name == "deaf" else OwnFirmware(200), leds=200)
        with tempfile.TemporaryDirectory() as folder:
            lights = None if name == "none" else SimulatedTransport(board)
            table = LiveTable(Path(folder) / "match.db", features=TableFeatures(leds=lights), chance=Random(seed))
            table.start()
            game = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "dice_by": "program"}
            table.command("new_match", game, "bench")
            time.sleep(2)  # until the board is found
            board.faults.deaf = name == "deaf"
            took = []
            for _ in range(n):
                began = time.perf_counter()
                table.command("roll", {}, "bench")
                took.append(time.perf_counter() - began)
                time.sleep(0.05)
            board.faults.deaf = False
            table.stop()
        figures[name] = _ms(took)
    return figures


def processor(seconds: float, seed: int) -> dict[str, Any]:
    """Return the percentage of a core that the driver's thread takes at 15 new frames per second."""
    chance = Random(seed)
    frames = [frame(chance, SIZE) for _ in range(32)]
    figures: dict[str, Any] = {"leds": SIZE, "frames_a_second": 15, "seconds": seconds}
    for name, firmware in (("own", OwnFirmware(SIZE)), ("wled", WledBoard(SIZE))):
        with rig(firmware) as it:
            it.live()
            thread = it.driver._thread.native_id
            began, used, shown = time.monotonic(), _cpu_seconds(thread), firmware.frames
            number = 0
            while time.monotonic() - began < seconds:
                it.driver.show(frames[number % len(frames)])
                number += 1
                time.sleep(max(0.0, began + number / 15 - time.monotonic()))
            took = time.monotonic() - began
            figures[name] = {
                "percent_of_a_core": round(100 * (_cpu_seconds(thread) - used) / took, 2),
                "shown_a_second": round((firmware.frames - shown) / took, 1),
            }
    return figures


def _cpu_seconds(thread: int | None) -> float:
    return int(Path(f"/proc/self/task/{thread}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9


def to_the_wire(n: int, seed: int) -> dict[str, Any]:
    """Measure from a new frame to its last byte at the board: 128 LEDs at 115200 baud, where the wire takes 34 ms."""
    chance = Random(seed)
    figures: dict[str, Any] = {"n": n, "leds": SIZE, "baud": 115_200}
    for name, firmware in (("own", OwnFirmware(SIZE)), ("wled", WledBoard(SIZE))):
        with rig(firmware) as it:
            it.live()
            it.show(frame(chance, SIZE))
            took = []
            for _ in range(n):
                time.sleep(chance.uniform(0.07, 0.2))
                shown = frame(chance, SIZE)
                wanted = Brightness().applied(shown.pixels())
                wanted = wled.safe(wanted) if name == "wled" else wanted
                began = time.perf_counter()
                it.driver.show(shown)
                while firmware.lit() != wanted:
                    time.sleep(0.0005)
                took.append(time.perf_counter() - began)
        figures[name] = _ms(took) | {"over_60_ms": sum(it > 0.06 for it in took)}
    return figures


def through_wled(n: int, seed: int) -> dict[str, Any]:
    """Send random frames through WLED's reader, half of them after a cut frame, some after one that lost a byte."""
    chance = Random(seed)
    cut = wrong = lost = wrong_after_loss = commands = 0
    board, wire, transport = wired(SIZE)
    for number in range(n):
        if number % 500 == 0:
            commands += len(board.executed) - len(HARMLESS)
            leds = chance.randrange(1, 260)
            board, wire, transport = wired(leds)
        draw = chance.random()
        if draw < 0.5:
            wire.cut = chance.randrange(6 + 3 * leds)
            transport.send(frame(chance, leds))
            cut += 1
        elif draw < 0.55:
            wire.lost = chance.randrange(6, 6 + 3 * leds)
            torn = frame(chance, leds)
            for _ in range(3):
                transport.send(torn)
            wrong_after_loss += not _right(board, torn)
            lost += 1
        shown = frame(chance, leds)
        transport.send(shown)
        wrong += not _right(board, shown)
    commands += len(board.executed) - len(HARMLESS)
    return {
        "n": n,
        "seed": seed,
        "cut": cut,
        "shown_wrong_after": wrong,
        "bytes_lost_unknown": lost,
        "wrong_after_it_was_kept": wrong_after_loss,
        "commands_executed": commands,
    }


def _right(board: WledBoard, shown: LedFrame) -> bool:
    return board.lit() == wled.safe(Brightness().applied(shown.pixels()))


def rubbish(n: int, seed: int) -> dict[str, Any]:
    """Send rubbish: random bytes up must make no event, random bytes down to our simulated firmware no light."""
    chance = Random(seed)
    reader, events, down = LineReader(), 0, OwnFirmware(SIZE)
    down.boot(0)
    lit = 0
    for number in range(n // 100):
        data = chance.randbytes(100)
        events += len(reader.feed(data))
        down.feed(data, number)
        lit += any(down.lit())
    return {"n": n, "seed": seed, "events": events, "lit": lit}


def _spread(values: list[float], digits: int) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median": round(statistics.median(ordered), digits),
        "p95": round(ordered[int(0.95 * (len(ordered) - 1))], digits),
        "max": round(ordered[-1], digits),
    }


def _ms(seconds: list[float]) -> dict[str, float]:
    return _spread([1000 * it for it in seconds], 1)


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200, help="how often the board is pulled out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    n, seed = given.n, given.seed
    figures = {
        "unplugs": unplugs(n, seed),
        "match_unplugs": match_unplugs(n, seed),
        "page_latency": page_latency(n, seed),
        "processor": processor(n / 10, seed),
        "to_the_wire": to_the_wire(n, seed),
        "through_wled": through_wled(50 * n, seed),
        "rubbish": rubbish(5000 * n, seed),
    }
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
