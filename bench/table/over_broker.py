"""Two tables of a hall with a real broker play matches: TLS, passwords, the access list of ``companion hall acl``.

What each says to the other is dropped, doubled, late and out of order, the broker is reached through a line that cuts
connections, and one table is restarted in the middle. Or one of them lies about its part of a throw.
"""

import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from bench.table.cutting_line import CuttingLine
from companion.hall.acl import access_list
from companion.hall.settings import Broker, HallSettings
from companion.live.remote_table import Sync
from companion.referee.shared_log import SharedLog
from tests.hall.bad_post import BadPost, LyingPost
from tests.hall.mosquitto import Mosquitto
from tests.live.two_tables import match_in, play, says
from tests.web.lined_table import LinedTable

HALL: Final = "bench"
AT_ONCE: Final = 6
"""Matches that are played at the same time: most of their time is waiting."""

CUT_SHARE: Final = 0.005
FAULTY: Final = "no longer hold the same match"
PATIENCE_SECONDS: Final = 120.0


@contextmanager
def broker() -> Iterator[Mosquitto]:
    """Run a broker whose access list knows two tables for each match that is played at the same time."""
    names = [f"{side}{number}" for number in range(AT_ONCE) for side in ("north", "south")]
    with tempfile.TemporaryDirectory(prefix="alea-broker-") as folder:  # where Mosquitto's own user may write
        made = Mosquitto(Path(folder), names, access_list(HALL, names, ""))
        made.start()
        try:
            yield made
        finally:
            made.stop()


@dataclass(frozen=True)
class Played:
    """What is played: a game, how its dice come (``both``: real ones at both tables), at most so many ``turns``."""

    slug: str
    dice_by: str
    turns: int
    seed: int

    @property
    def begun(self) -> dict[str, Any]:
        """How the match is begun."""
        return {"slug": self.slug, "dice_by": "tapped" if self.real else self.dice_by, "both_throw": self.real}

    @property
    def real(self) -> bool:
        """Whether people throw at both tables."""
        return self.dice_by == "both"


def matches_over_broker(made: Mosquitto, played: Played, count: int) -> list[dict[str, Any]]:
    """Play so many matches, each between two tables, and return what came of each."""
    # in processes: threads that make Flask's rules at once fail in Python 3.11
    with ProcessPoolExecutor(AT_ONCE, mp_context=get_context("spawn")) as pool:
        found = pool.map(partial(_some, made.safe(""), played, count), range(AT_ONCE))
        return [one for some in found for one in some]


def _some(way: Broker, played: Played, count: int, place: int) -> list[dict[str, Any]]:
    return [_match(way, place, replace(played, seed=played.seed + 10 * n)) for n in range(place, count, AT_ONCE)]


def _settings(way: Broker, table: str) -> HallSettings:
    return HallSettings(HALL, table, broker=replace(way, user=table), prefix="")


def _match(way: Broker, place: int, played: Played) -> dict[str, Any]:
    seed, turns, real = played.seed, played.turns, played.real
    chance = Random(seed)
    line = CuttingLine(way.port, Random(seed + 1), share=CUT_SHARE)
    settings = [_settings(replace(way, port=line.port), f"{side}{place}") for side in ("north", "south")]
    with tempfile.TemporaryDirectory() as named:
        folder = Path(named)
        folders = [folder / "here", folder / "there"]
        journals = (folders[0] / "match.db", folders[1] / "match.db")
        tables = [LinedTable(one, seed + side, settings[side]) for side, one in enumerate(folders)]
        bad = [_badly(table, seed + side) for side, table in enumerate(tables)]
        _begin(tables, **played.begun)
        both = (tables[0].table, tables[1].table)
        play(both, folder, seed, turns // 2, ends=False, both_throw=real, journals=journals)
        side = chance.randrange(2)
        tables[side].stop()
        tables[side] = LinedTable(folders[side], seed + 7, settings[side])
        bad.append(_badly(tables[side], seed + 8))
        both = (tables[0].table, tables[1].table)
        play(both, folder, seed + 2, turns // 2, both_throw=real, journals=journals)
        for table in tables:
            table.stop()
        line.close()
        logs = [SharedLog(match_in(journal)) for journal in journals]
    counts = [log.count for log in logs]
    same = counts[0] == counts[1] and logs[0].head(counts[0]) == logs[1].head(counts[1])
    sent = {"dropped": sum(one.dropped for one in bad), "doubled": sum(one.doubled for one in bad)}
    return {"events": min(counts), "same": same, "cuts": line.cuts, **sent}


def _badly(table: LinedTable, seed: int) -> BadPost:
    assert table.member is not None
    return BadPost(table.member.publisher.matches, seed)


def _begin(tables: list[LinedTable], slug: str, dice_by: str, *, both_throw: bool) -> None:
    tables[0].ask("new_match", game=slug, players=["Anna", "Bert"], dice_by=dice_by)
    tables[0].ask("share", remote=[2], both_throw=both_throw)
    code, end = tables[0].line.seen().code, time.monotonic() + PATIENCE_SECONDS
    while (why := tables[1].line.join("", code)) is not None:
        if time.monotonic() > end:
            raise TimeoutError(str(why))


def cheats_over_broker(made: Mosquitto, played: Played, count: int) -> int:
    """Let the waiting table open something else so many times; return how often the other one noticed it."""
    seed, real = played.seed, played.real
    chance = Random(seed)
    with tempfile.TemporaryDirectory() as named:
        tables = [
            LinedTable(Path(named) / side, seed + n, _settings(made.safe(""), f"{side}0"))
            for n, side in enumerate(("north", "south"))
        ]
        assert tables[1].member is not None
        publisher = tables[1].member.publisher
        lie = _Lie()
        LyingPost(publisher.matches, lie).lies.set()
        _begin(tables, **played.begun)
        for table in tables if real else tables[:1]:
            table.until(lambda state: state["match"] and not state["match"]["paused"])
            table.ask("roll")
        noticed = 0
        for _ in range(count):
            lie.bit = chance.randrange(128)
            publisher.wake()
            state = tables[0].until(lambda state: FAULTY in says(state) or state["throw"] is not None)
            noticed += state["throw"] is None
            lie.bit = None
            publisher.wake()
            tables[0].until(lambda state: FAULTY not in says(state))
        for table in tables:
            table.stop()
    return noticed


class _Lie:
    """Holds back what a table opens, or opens it with one ``bit`` of another value."""

    def __init__(self) -> None:
        self.bit: int | None = None

    def __call__(self, sync: Sync) -> Sync:
        if sync.dice is None or not sync.dice.opening:
            return sync
        opening = sync.dice.opening
        other = "" if self.bit is None else f"{int(opening, 16) ^ (1 << self.bit):0{len(opening)}x}"
        return msgspec.structs.replace(sync, dice=msgspec.structs.replace(sync.dice, opening=other))
