"""Kill a running match, damage its files, and open it: what is lost, what is reported, what is restored.

A case is *whole* if every acknowledged event is there unchanged, *silent* if one is not and nobody is told.
"""

import argparse
import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from companion.ledger.entries import JournalError
from companion.ledger.rescue import open_ledger
from companion.live.table import LiveTable
from companion.referee.journal import Journal
from tests.referee.chain import broken_at

ROOT = Path(__file__).resolve().parents[2]
GAME = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "dice_by": "program"}
LENGTHS = (150, 350, 600, 900)  # acknowledged throws before the kill
PAGE = 4096
FRAME = PAGE + 24  # a page in the log with its header
HEAD = 32  # of the log

Damage = Callable[[bytearray, Random], None]


def flip(data: bytearray, chance: Random) -> None:
    """Flip one bit."""
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def tear(data: bytearray, chance: Random) -> None:
    """Cut off the end."""
    del data[chance.randrange(len(data)) :]


def zero(data: bytearray, chance: Random) -> None:
    """Overwrite 4096 bytes with zeros, aligned like the disk's blocks."""
    begin = chance.randrange(0, len(data), PAGE)
    data[begin : begin + PAGE] = bytes(len(data[begin : begin + PAGE]))


def junk(data: bytearray, chance: Random) -> None:
    """Overwrite a block with random bytes."""
    begin = chance.randrange(0, len(data), PAGE)
    data[begin : begin + PAGE] = chance.randbytes(len(data[begin : begin + PAGE]))


def swap(data: bytearray, chance: Random) -> None:
    """Exchange two blocks."""
    blocks = range(0, len(data) - PAGE + 1, PAGE)
    if len(blocks) > 1:
        one, other = chance.sample(blocks, 2)
        data[one : one + PAGE], data[other : other + PAGE] = data[other : other + PAGE], data[one : one + PAGE]


def zero_frame(data: bytearray, chance: Random) -> None:
    """Zero a page of the log but keep its header."""
    begin = HEAD + FRAME * chance.randrange((len(data) - HEAD) // FRAME) + 24
    data[begin : begin + PAGE] = bytes(PAGE)


def swap_frames(data: bytearray, chance: Random) -> None:
    """Exchange two pages of the log with their headers."""
    one, other = (HEAD + FRAME * number for number in chance.sample(range((len(data) - HEAD) // FRAME), 2))
    data[one : one + FRAME], data[other : other + FRAME] = data[other : other + FRAME], data[one : one + FRAME]


def no_head(data: bytearray, chance: Random) -> None:
    """Zero the log's header."""
    del chance
    data[:HEAD] = bytes(HEAD)


def empty(data: bytearray, chance: Random) -> None:
    """Remove all bytes."""
    del chance
    data.clear()


LOG: Final[dict[str, Damage]] = {
    "flip": flip,
    "zero": zero,
    "zero_frame": zero_frame,
    "junk": junk,
    "swap": swap,
    "swap_frames": swap_frames,
    "tear": tear,
    "no_head": no_head,
    "empty": empty,
}
ANY: Final[dict[str, Damage]] = {"flip": flip, "zero": zero, "junk": junk, "swap": swap, "tear": tear, "empty": empty}

# what is damaged: the files and how; None deletes the file
CASES: Final[dict[str, dict[str, Damage | None]]] = {
    "nothing": {},
    **{f"log {name}": {"-wal": how} for name, how in LOG.items()},
    "log deleted": {"-wal": None},
    "index junk": {"-shm": junk},
    "index deleted": {"-shm": None},
    **{f"tail {name}": {"-tail": how} for name, how in ANY.items()},
    "tail deleted": {"-tail": None},
    **{f"main {name}": {"": how} for name, how in ANY.items()},
    "main deleted": {"": None},
    "main deleted alone": {"": None, "-wal": None, "-shm": None},
    "log and tail flip": {"-wal": flip, "-tail": flip},
    "log flip, tail tear": {"-wal": flip, "-tail": tear},
    "log flip, tail deleted": {"-wal": flip, "-tail": None},
    "log and tail deleted": {"-wal": None, "-tail": None},
}


def play(path: Path, throws: int) -> None:
    """Play at the table; print match and event after each acknowledgement; wait for the kill."""
    table = LiveTable(path)
    table.start()
    options = {"ending": "throws", "throws": 10_000}
    assert table.command("new_match", GAME | {"options": options}, "bench").ok
    for number in range(throws):
        if number == throws // 2:
            assert table.command("new_match", GAME | {"options": options}, "bench").ok
        reply = table.command("roll", {}, "bench")
        assert reply.ok, str(reply.sentence)
        match = table._writer._desk.match
        assert match is not None
        print(match.id, match.entries[-1].number, flush=True)
    print("done", flush=True)
    sys.stdin.read()


@dataclass(frozen=True)
class Killed:
    """What a killed process left: its files, and the hashes of the events that it acknowledged, by match."""

    folder: Path
    acknowledged: dict[int, list[str]]


def killed(folder: Path, throws: int) -> Killed:
    """Let a separate process play this many throws and kill it."""
    folder.mkdir()
    run = [sys.executable, "-m", "bench.table.damaged_log", "--play", str(folder / "j.db"), "-n", str(throws)]
    numbers: dict[int, int] = {}
    with subprocess.Popen(run, stdout=subprocess.PIPE, stdin=subprocess.PIPE, cwd=ROOT) as child:
        assert child.stdout
        for line in child.stdout:
            if line == b"done\n":
                break
            match, number = map(int, line.split())
            numbers[match] = number
        child.send_signal(signal.SIGKILL)
    with tempfile.TemporaryDirectory() as place:
        for part in folder.iterdir():
            shutil.copyfile(part, Path(place) / part.name)
        with Journal(Path(place) / "j.db", writable=False) as journal:
            kept = {match: journal.events(match)[:number] for match, number in numbers.items()}
    assert all(len(kept[match]) == number and broken_at(kept[match]) is None for match, number in numbers.items())
    return Killed(folder, {match: [entry.hash for entry in entries] for match, entries in kept.items()})


def one_case(left: Killed, damages: dict[str, Damage | None], seed: int, folder: Path) -> dict[str, Any]:
    """Damage a copy of these files and open it twice; return the outcome."""
    for part in left.folder.iterdir():
        shutil.copyfile(part, folder / part.name)
    chance = Random(seed)
    for end, how in damages.items():
        part = folder / f"j.db{end}"
        if how is None:
            part.unlink(missing_ok=True)
        elif part.exists() and part.stat().st_size > 0:
            data = bytearray(part.read_bytes())
            how(data, chance)
            part.write_bytes(data)
    first, again = opened(folder / "j.db"), opened(folder / "j.db")
    total = sum(len(hashes) for hashes in left.acknowledged.values())
    lost = sum(len(missing(left, first["hashes"], match)) for match in left.acknowledged)
    return {
        "events": total,
        "lost": lost,
        "told": first["told"],
        "steady": first["refused"] or (again["hashes"] == first["hashes"] and not again["told"]),
        "refused": first["refused"],
    }


def missing(left: Killed, found: dict[int, list[str]], match: int) -> set[str]:
    """Return the acknowledged events of a match that are missing."""
    return set(left.acknowledged[match]) - set(found.get(match, ()))


def opened(path: Path) -> dict[str, Any]:
    """Open a journal; return the hashes of its events, and what it reports."""
    try:
        journal = open_ledger(path, Journal)
    except JournalError as why:
        return {"hashes": {}, "told": str(why), "refused": True}
    with journal:
        notices = [journal.notice, getattr(journal, "copy_trouble", None)]
        hashes = {}
        for line in journal.matches():
            entries = journal.events(line.id)
            cut = broken_at(entries)
            hashes[line.id] = [entry.hash for entry in (entries if cut is None else entries[: cut - 1])]
    return {"hashes": hashes, "told": " ".join(str(one) for one in notices if one is not None), "refused": False}


def measure(n: int, seed: int, lengths: Sequence[int] = LENGTHS, cases: Sequence[str] = ()) -> dict[str, Any]:
    """Try every case n times; return how often events were lost, reported and restored."""
    chance, figures = Random(seed), {}
    with tempfile.TemporaryDirectory() as folder:
        lefts = [killed(Path(folder) / f"killed{number}", throws) for number, throws in enumerate(lengths)]
        for name in cases or CASES:
            found = []
            for number in range(n):
                with tempfile.TemporaryDirectory(dir=folder) as place:
                    left = lefts[number % len(lefts)]
                    found.append(one_case(left, CASES[name], chance.randrange(1 << 30), Path(place)))
            figures[name] = summed(found)
            print(name, figures[name], file=sys.stderr, flush=True)
    return {
        "n": n,
        "seed": seed,
        "throws": list(lengths),
        "silent": sum(case["silent"] for case in figures.values()),
        "false_alarms": figures.get("nothing", {}).get("told", 0),
        "cases": figures,
    }


def summed(found: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Return the figures of one kind of damage."""
    return {
        "n": len(found),
        "whole": sum(case["lost"] == 0 for case in found),
        "told": sum(bool(case["told"]) for case in found),
        "silent": sum(case["lost"] > 0 and not case["told"] for case in found),
        "refused": sum(case["refused"] for case in found),
        "most_lost": max(case["lost"] for case in found),
        "unsteady": sum(not case["steady"] for case in found),
    }


def main() -> int:
    """Print the figures; fail if an acknowledged event was lost silently, or a report had no reason."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--play", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--case", action="append", default=[], choices=CASES)
    given = parser.parse_args()
    if given.play is not None:
        play(given.play, given.n)
    figures = measure(given.n, given.seed, cases=given.case)
    print(json.dumps(figures))
    return int(figures["silent"] + figures["false_alarms"] > 0)


if __name__ == "__main__":
    sys.exit(main())
