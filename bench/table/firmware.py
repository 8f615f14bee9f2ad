"""The compiled firmware on an emulated controller: frames, speed, faults and rubbish, in simulated time."""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from firmware_bridge.protocols import adalight, awa
from firmware_bridge.protocols.uplink import Button, Squares
from tests.firmware_bridge.emulated.board import EmulatedBoard, Event, frames, messages
from tests.firmware_bridge.emulated.damage import cut, flipped, rubbish, shortened
from tests.firmware_bridge.emulated.workshop import Workshop

SPEEDS = (115200, 250000, 500000, 1000000)
LEDS = (128, 200)
ENCODERS: dict[str, Callable[[bytes], bytes]] = {"adalight": adalight.encode, "awa": awa.encode}
PATIENCE = 150.0  # ms after a frame's own time at which a host without an answer sends the next one
MOST_RECOVERY = 1000.0  # ms


def is_wrong(shown: Event, commanded: Iterable[bytes]) -> bool:
    """Tell whether LEDs show what nobody commanded.

    The beginning of a picture is right where a reset cut off the rest; the LED at the cut may have lost a bit.
    """
    return not any(
        pixels.startswith(shown.pixels if len(shown.pixels) == len(pixels) else shown.pixels[:-3])
        for pixels in commanded
    )


def switched_on(workshop: Workshop, **flags: Any) -> EmulatedBoard:
    """Return a board that has started."""
    board = EmulatedBoard(workshop.emulator(), workshop.firmware(**flags))
    board.boot()
    return board


def frames_of(workshop: Workshop, name: str, baud: int, leds: int, n: int) -> dict[str, Any]:
    """Send n frames, each after the answer to the one before; then n without pauses."""
    chance = Random(baud + leds)
    answered: list[float] = []
    bits: set[float] = set()
    equal = out_of_spec = 0
    with switched_on(workshop, baud=baud, leds=leds) as board:
        for _ in range(n):
            pixels = chance.randbytes(3 * leds)
            sent = board.now
            board.send(ENCODERS[name](pixels))
            seen = board.until("$OK", 1000)
            answered.append(next(event.t_ms for event in seen if event.kind == "line") - sent)
            shown = frames(seen + board.run(0.5))
            equal += [frame.pixels for frame in shown] == [pixels]
            out_of_spec += sum(frame.data["out_of_spec"] for frame in shown)
            bits |= {frame.data["ns"]["bit"][1] for frame in shown}
        pictures = [chance.randbytes(3 * leds) for _ in range(n)]
        for first in range(0, n, 50):
            board.send(b"".join(map(ENCODERS[name], pictures[first : first + 50])))
            board.run(50 * (len(ENCODERS[name](pictures[0])) * 10_000 / baud) + 100)
        assert not [event for event in board.events if event.kind == "reset"]
        streamed = frames(board.events)[n + 1 :]  # the first was the dark one at the start
        bits |= {frame.data["ns"]["bit"][1] for frame in streamed}
        wrong = [frame for frame in streamed if frame.pixels not in pictures]
        free = next(event.data["free"] for event in board.command("stack") if event.kind == "stack")
    reached = 16e6 / 8 / round(16e6 / 8 / baud)  # 117647 for 115200
    wire = (len(ENCODERS[name](pixels)) + 8) * 10_000 / reached
    return {
        "protocol": name, "baud": baud, "leds": leds, "n": n, "equal": equal, "out_of_spec_bits": out_of_spec,
        "longest_bit_ns": max(bits), "answer_ms": [round(median(answered), 2), round(max(answered), 2)],
        "theory_ms": round(wire + 0.0315 * leds, 2), "streamed_shown": len(streamed), "streamed_wrong": len(wrong),
        "streamed_out_of_spec_bits": sum(frame.data["out_of_spec"] for frame in streamed), "free_stack": free,
    }  # fmt: skip


def recovery(board: EmulatedBoard, encode: Callable[[bytes], bytes], pictures: list[bytes]) -> tuple[float, int]:
    """Send frames like a host that hears no answer; return the time until one was right, and how many were wrong."""
    began = board.now
    wrong = 0
    while board.now - began < 10 * MOST_RECOVERY:
        board.send(encode(pictures[-1]))
        first = len(board.events)
        board.command(f"until $OK {len(encode(pictures[-1])) * 10_000 / 115200 + PATIENCE}")
        board.run(0.5)
        shown = frames(board.events[first:])
        wrong += sum(is_wrong(frame, pictures) for frame in shown)
        if shown and shown[-1].pixels == pictures[-1]:
            board.run(500)  # a frame that was sent several times is shown several times
            return shown[-1].t_ms - began, wrong
    return float("inf"), wrong


def faults_of(workshop: Workshop, name: str, n: int) -> list[dict[str, Any]]:
    """Damage one frame in two; reset the controller, let it hang, and talk to it at another speed."""
    encode, leds = ENCODERS[name], 128
    dark = bytes(3 * leds)
    table = []

    def fault(what: str, cause: Callable[[EmulatedBoard, bytes, Random], None], times: int) -> None:
        chance = Random(7)
        took: list[float] = []
        wrong = 0
        with switched_on(workshop, leds=leds) as board:
            for _ in range(times):
                first = len(board.events)
                damaged, pixels = chance.randbytes(3 * leds), chance.randbytes(3 * leds)
                cause(board, damaged, chance)
                wrong += sum(is_wrong(frame, (damaged, dark)) for frame in frames(board.events[first:]))
                lasted, more = recovery(board, encode, [damaged, dark, pixels])
                took.append(lasted)
                wrong += more
        table.append(
            {
                "fault": what,
                "protocol": name,
                "n": times,
                "shown_wrong": wrong,
                "recovery_ms": [round(median(took), 1), round(max(took), 1)],
            }
        )

    def damaged_by(damage: Callable[[bytes, Random], bytes]) -> Callable[[EmulatedBoard, bytes, Random], None]:
        return lambda board, pixels, chance: board.send(damage(encode(pixels), chance))

    def waited(board: EmulatedBoard, pixels: bytes, chance: Random) -> None:
        board.send(cut(encode(pixels), chance))
        board.run(100)

    def reset(board: EmulatedBoard, pixels: bytes, chance: Random) -> None:
        board.send(encode(pixels))
        board.run(chance.uniform(0, 60))
        board.command("reset 0")

    def hang(board: EmulatedBoard, pixels: bytes, chance: Random) -> None:
        board.send(encode(pixels))
        board.run(chance.uniform(0, 60))
        board.command("hang")

    def elsewhere(board: EmulatedBoard, pixels: bytes, chance: Random) -> None:
        board.command(f"speed {chance.choice([9600, 57600, 230400, 1000000])}")
        board.send(encode(pixels))
        board.run(500)
        board.command("speed 0")

    fault("one bit turned", damaged_by(flipped), n)
    fault("one byte lost", damaged_by(shortened), n)
    fault("cut off, the next at once", damaged_by(cut), n)
    fault("cut off, the next after 100 ms", waited, n)
    fault("reset in a frame (no boot loader)", reset, n // 2)
    fault("the program hangs", hang, n // 2)
    fault("another speed", elsewhere, n // 2)
    return table


def rubbish_of(workshop: Workshop, count: int) -> dict[str, Any]:
    """Send rubbish at 1 Mbaud; count lights and events, then check that it still works."""
    chance = Random(11)
    with switched_on(workshop, baud=1000000, leds=200, buttons=4, squares=64) as board:
        first = len(board.events)
        for _ in range(0, count, 20_000):
            board.send(rubbish(chance, min(count, 20_000)))
            board.run(200 + 5)
        seen = board.events[first:]
        received = messages(seen)
        pixels = chance.randbytes(600)
        took, wrong = recovery(board, awa.encode, [pixels])
        lasted = board.now / 1000
    return {
        "bytes": count,
        "lights": len(frames(seen)) + wrong,
        "presses": sum(isinstance(message, Button) for message in received),
        "false_squares": sum(isinstance(message, Squares) and message.occupied > 0 for message in received),
        "resets": sum(event.kind == "reset" for event in seen),
        "recovery_ms": round(took, 1),
        "simulated_s": round(lasted, 1),
    }


def main() -> int:
    """Print the figures; fail if a frame changed, a checked one was shown wrong, or rubbish had an effect."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=100, help="frames of each kind")
    parser.add_argument("--faults", type=int, default=60, help="faults of each kind")
    parser.add_argument("--rubbish", type=int, default=1_000_000, help="bytes")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    missing = Workshop.missing()
    if missing is not None:
        print(missing, file=sys.stderr)
        return 1
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(Path(folder))
        streams = [
            frames_of(workshop, name, baud, leds, given.n) for baud in SPEEDS for leds in LEDS for name in ENCODERS
        ]
        faults = [line for name in ENCODERS for line in faults_of(workshop, name, given.faults)]
        figures: dict[str, Any] = {"frames": streams, "faults": faults, "rubbish": rubbish_of(workshop, given.rubbish)}
    figures["seconds"] = round(time.monotonic() - began, 1)
    print(json.dumps(figures))
    bad = any(line["equal"] < line["n"] or line["out_of_spec_bits"] for line in streams)
    bad |= any(line["streamed_wrong"] for line in streams)
    bad |= any(line["protocol"] == "awa" and line["shown_wrong"] for line in faults)
    bad |= any(line["recovery_ms"][1] > MOST_RECOVERY for line in faults)
    bad |= bool(figures["rubbish"]["lights"] + figures["rubbish"]["presses"] + figures["rubbish"]["false_squares"])
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
