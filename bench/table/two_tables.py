"""Two tables play matches together over bad lines, and are restarted meanwhile: both must hold the same match.

A ``bad`` line drops, delays, doubles and reorders messages. ``https`` is the real line, through a relay that delays
what passes, and cuts connections in the middle.
"""

import argparse
import json
import os
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

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
LONGEST_DELAY_SECONDS: Final = 0.05
CUT_SHARE: Final = 0.02


class Relay:
    """Passes connections on to a port, slowly, and cuts them by chance."""

    def __init__(self, port: int, chance: Random) -> None:
        self._port, self._chance, self.cuts = port, chance, 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
                far = socket.create_connection(("127.0.0.1", self._port), 5)
            except OSError:
                if self._listening.fileno() < 0:
                    return
                continue
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while part := one.recv(4096):
                time.sleep(LONGEST_DELAY_SECONDS * self._chance.random())
                if self._chance.random() < CUT_SHARE:
                    self.cuts += 1
                    other.sendall(part[: len(part) // 2])
                    break
                other.sendall(part)
        except OSError:
            pass
        finally:
            one.close()
            other.close()

    def close(self) -> None:
        """Take no more connections."""
        self._listening.close()


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
    relay = Relay(int(seen.address.rpartition(":")[2]), Random(seed))
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
    parser.add_argument("--turns", type=int, default=30, help="throws and choices, then the match is ended")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", action="store_true", help="games with dice alone, thrown by people at both tables")
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    load, found, begun = os.getloadavg()[0], {}, time.monotonic()
    for slug in [slug for slug, dice_by in FAMILIES.items() if not given.real or dice_by == "program"]:
        for way, count, run in (("bad", given.n, over_bad_line), ("https", given.https, over_https)):
            total: Counter[str] = Counter()
            for number in range(count):
                with tempfile.TemporaryDirectory() as folder:
                    total.update(run(Path(folder), slug, given.seed + 10 * number, given.turns, real=given.real))
            found[f"{slug} {way}"] = {"n": count, "differ": count - total.pop("same", 0), **total}
            print(json.dumps(found[f"{slug} {way}"]), file=sys.stderr)
    seconds = round(time.monotonic() - begun)
    print(json.dumps({"seed": given.seed, "load": load, "seconds": seconds, "lines": found}))
    return any(one["differ"] for one in found.values())


if __name__ == "__main__":
    sys.exit(main())
