"""Flip one bit of an event in a closed journal's main file; its tail puts the event back, and it is said.

Only events that the tail still holds are hit, anywhere in their record: number, time, actor, kind, body or hash.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from companion.ledger.entries import JournalError
from companion.ledger.rescue import open_ledger
from companion.ledger.tail import beside, read_tail
from companion.referee.events import Committed, MatchStarted
from companion.referee.journal import Journal
from companion.rules.registry import game

BEFORE = 30  # bytes of a record before its body: header, chain, number, time, actor and kind
HASH = 64


def written(path: Path, matches: int, throws: int) -> None:
    """Write a journal of so many matches with so many throws each, and close it."""
    rules = game("ludus-regularis").rules_hash
    with Journal(path) as journal:
        for number in range(matches):
            match = journal.begin(
                MatchStarted(f"n{number}", "ludus-regularis", ("A", "B"), {}, "tapped", rules), 1.0, "owner"
            )
            for throw in range(throws):
                faces = {"1": "AEI", "2": "E", "3": "IOU", "consonants": "BCDF"}
                made = Committed(1 + throw % 2, "throw", {"set": "wibold", "faces": faces}, "tapped")
                journal.append(match, [made], 2.0 + throw, "page")


def events_of(path: Path) -> list[tuple[Any, ...]]:
    """Return every stored event of a whole journal."""
    with Journal(path, writable=False) as journal:
        return sorted(journal._rows("").fetchall())


def flipped(path: Path, chance: Random) -> None:
    """Flip one bit of one event that the tail holds."""
    tail = read_tail(beside(path))
    assert tail is not None
    body, digest = chance.choice(sorted(tail.rows.values()))[-2:]
    data = bytearray(path.read_bytes())
    found = data.find(f"{body}{digest}".encode())
    place = chance.randrange(found - BEFORE, found + len(body.encode()) + HASH)
    data[place] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def one(whole: Path, seed: int, folder: Path) -> str:
    """Flip a bit in a copy; return what came of it."""
    path = folder / "j.db"
    for end in ("", "-tail"):
        shutil.copyfile(whole.with_name(whole.name + end), path.with_name(path.name + end))
    flipped(path, Random(seed))
    try:
        with open_ledger(path, Journal) as journal:
            noticed = journal.notice is not None or journal.copy_trouble is not None
            same = sorted(journal._rows("").fetchall()) == events_of(whole)
    except JournalError:
        return "refused"
    with open_ledger(path, Journal) as again:
        steady = again.notice is None
    if same:
        return "restored and told" if noticed and steady else "restored, unsteady" if noticed else "restored silently"
    return "lost and told" if noticed else "lost silently"


def measure(n: int, seed: int) -> dict[str, int]:
    """Flip n bits, one a copy; return how often what came of it."""
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.db"
        written(whole, matches=2, throws=40)
        for number in range(n):
            with tempfile.TemporaryDirectory(dir=folder) as place:
                found[one(whole, seed + number, Path(place))] += 1
    return dict(found)


def main() -> int:
    """Print the figures; fail if an event was not put back, or was put back silently."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="As it always is.")
    given = parser.parse_args()
    figures = measure(given.n, given.seed)
    print(json.dumps(figures))
    return int(figures != {"restored and told": given.n})


if __name__ == "__main__":
    sys.exit(main())
