"""Two tables play matches together over bad lines, and are restarted meanwhile: both must hold the same match.

A ``bad`` line drops, delays, doubles and reorders messages. ``https`` is the real line, through one that delays what
passes, and cuts connections in the middle. ``broker`` is that of a hall with Mosquitto, bad in both ways.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

from bench.table.cutting_line import CuttingLine
from bench.table.over_broker import Played, broker, cheats_over_broker, matches_over_broker
from companion.live.table import LiveTable
from companion.referee.shared_log import SharedLog
from companion.web.remote.place import OtherTable
from tests.live.two_tables import BadLine, match_in, play, share, start

FAMILIES: Final = {
    "ludus-regularis/sum": "program",
    "ludix": "program",
    "tables/zeno": "program",
    "rithmomachia/durnil-guardia": "tapped",
}
"""A game of each family, and how its dice come: by the program they are thrown by both tables.

With ``--real`` people throw them at both tables, one of them unseen, and tap them in.
"""

JOURNALS: Final = ("here.db", "there.db")


def compared(folder: Path) -> dict[str, Any]:
    """Return how many common events the journals have, and whether they are the same."""
    logs = [SharedLog(match_in(folder / name)) for name in JOURNALS]
    counts = [log.count for log in logs]
    same = counts[0] == counts[1] and logs[0].head(counts[0]) == logs[1].head(counts[1])
    return {"events": min(counts), "same": same}


def over_bad_line(folder: Path, slug: str, seed: int, turns: int, *, real: bool) -> dict[str, Any]:
    """Play one match by messages, and stop a table once in the middle."""
    chance = Random(seed)
    both = [start(folder / name, seed + side) for side, name in enumerate(JOURNALS)]
    name = share(folder, (both[0], both[1]), slug, dice_by="tapped" if real else FAMILIES[slug], both_throw=real)
    line = BadLine(both[0], both[1], name, seed)
    play((both[0], both[1]), folder, seed, turns // 2, ends=False, both_throw=real)
    line.end()
    side = chance.randrange(2)
    both[side].stop()
    both[side] = start(folder / JOURNALS[side], seed + 7)
    line = BadLine(both[0], both[1], name, seed + 1)
    play((both[0], both[1]), folder, seed + 2, turns // 2, both_throw=real)
    line.end()
    for one in both:
        one.stop()
    return {**compared(folder), "carried": line.carried}


def over_https(folder: Path, slug: str, seed: int, turns: int, *, real: bool) -> dict[str, Any]:
    """Play one match over the real line, through a relay."""
    both = [start(folder / name, seed + side) for side, name in enumerate(JOURNALS)]
    lines = [OtherTable(table, folder / f"line{side}") for side, table in enumerate(both)]
    for line in lines:
        line.start()
    _begin(both[0], slug, real=real)
    seen = lines[0].seen()
    relay = CuttingLine(int(seen.address.rpartition(":")[2]), Random(seed))
    for _ in range(20):  # the relay may cut the first tries
        if lines[1].join(f"127.0.0.1:{relay.port}", seen.code) is None:
            break
    play((both[0], both[1]), folder, seed, turns, both_throw=real)
    for line in lines:
        line.stop()
    for one in both:
        one.stop()
    relay.close()
    return {**compared(folder), "cuts": relay.cuts}


def _begin(table: LiveTable, slug: str, *, real: bool) -> None:
    dice_by = "tapped" if real else FAMILIES[slug]
    for name, data in (
        ("new_match", {"game": slug, "players": ["Anna", "Bert"], "dice_by": dice_by}),
        ("share", {"remote": [2], "both_throw": real}),
    ):
        reply = table.command(name, data, "bench")
        assert reply.ok, reply.sentence


def main() -> int:
    """Print the figures; fail if any two journals differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200, help="matches of each family over the bad line")
    parser.add_argument("--https", type=int, default=20, help="matches of each family over the real line")
    parser.add_argument("--broker", type=int, default=20, help="matches of each family over a broker")
    parser.add_argument("--cheats", type=int, default=250, help="wrong openings over a broker, a family with dice")
    parser.add_argument("--turns", type=int, default=30, help="throws and choices, then the match is ended")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", action="store_true", help="games with dice alone, thrown by people at both tables")
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    found: dict[str, Any] = {}
    load, begun = os.getloadavg()[0], time.monotonic()
    for slug in [slug for slug, dice_by in FAMILIES.items() if not given.real or dice_by == "program"]:
        for way, count, run in (("bad", given.n, over_bad_line), ("https", given.https, over_https)):
            total: Counter[str] = Counter()
            for number in range(count):
                with tempfile.TemporaryDirectory() as folder:
                    total.update(run(Path(folder), slug, given.seed + 10 * number, given.turns, real=given.real))
            if count:
                _note(found, f"{slug} {way}", count, total)
    if given.broker or given.cheats:
        _over_broker(found, given)
    seconds = round(time.monotonic() - begun)
    print(json.dumps({"seed": given.seed, "load": load, "seconds": seconds, "lines": found}))
    return any(one["differ"] for one in found.values())


def _note(found: dict[str, Any], name: str, count: int, total: Counter[str]) -> None:
    found[name] = {"n": count, "differ": count - total.pop("same", 0), **total}
    print(json.dumps({name: found[name]}), file=sys.stderr)


def _over_broker(found: dict[str, Any], given: argparse.Namespace) -> None:
    with broker() as made:
        for slug, usual in FAMILIES.items():
            if given.real and usual == "tapped":
                continue
            played = Played(slug, "both" if given.real else usual, given.turns, given.seed)
            total: Counter[str] = Counter()
            for one in matches_over_broker(made, played, given.broker):
                total.update(one)
            _note(found, f"{slug} broker", given.broker, total)
            if usual == "program" and given.cheats:  # each that the other table does not notice counts as a difference
                _note(
                    found, f"{slug} cheats", given.cheats, Counter(same=cheats_over_broker(made, played, given.cheats))
                )


if __name__ == "__main__":
    sys.exit(main())
