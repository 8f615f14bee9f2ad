"""The comparison of a ledger with its tail at opening."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from companion.ledger.entries import GENESIS, chained
from companion.ledger.file import arriving
from companion.ledger.tail import Gap, Head, Row, Tail

Heads = Mapping[int, Head]

MOST_AT_ONCE = 16  # most events in one addition to an existing chain; a throw has three at most


@dataclass(frozen=True)
class LedgerComparison:
    """``lost``: what the ledger lacks, by chain; a chain that it lacks entirely is lost after its event 0.

    ``foreign``: the tail belongs to another ledger, or to another state of this one. ``defective``: the tail lacks
    something that it should have. ``current``: the tail has every event and can be continued.
    """

    lost: Mapping[int, Gap]
    foreign: bool
    defective: bool
    current: bool


def compare(db: sqlite3.Connection, chain: str, tail: Tail) -> LedgerComparison:
    """Compare a ledger with its tail; ``chain`` is the column that numbers the chains."""
    heads = heads_of(db, chain)
    if _begins_otherwise(db, chain, tail, heads) or _goes_on_otherwise(db, chain, tail):
        return LedgerComparison({}, foreign=True, defective=False, current=False)
    ahead = {number: head for number, head in heads.items() if head.number > known(tail.heads, number)}
    # A power cut tears the tail only after the same events were written to the ledger.
    torn = tail.torn and not ahead
    defective = bool(tail.spoiled) or torn or _several_additions(db, chain, tail.heads, ahead)
    current = not (ahead or tail.spoiled or tail.torn or tail.forgotten)
    return LedgerComparison(lost(tail, heads), foreign=False, defective=defective, current=current)


def lost(tail: Tail, heads: Heads) -> dict[int, Gap]:
    """Return what a ledger with these heads lacks of what its tail has, by chain."""
    return {
        chain: Gap(chain, known(heads, chain), head.number - known(heads, chain))
        for chain, head in tail.heads.items()
        if known(heads, chain) < head.number and chain not in tail.forgotten
    }


def known(heads: Heads, chain: int) -> int:
    """Return the number of a chain's last event, 0 where there is no such chain."""
    return heads[chain].number if chain in heads else 0


def heads_of(db: sqlite3.Connection, chain: str) -> dict[int, Head]:
    """Return the head of every chain that is whole: the tail knows nothing of one that still arrives."""
    rows = db.execute(
        f"SELECT g.{chain}, g.last, b.hash, a.hash"  # noqa: S608  (a word of our own)
        f" FROM (SELECT {chain}, MAX(number) AS last FROM events GROUP BY {chain}) g"
        f" JOIN events b ON b.{chain} = g.{chain} AND b.number = g.last"
        f" LEFT JOIN events a ON a.{chain} = g.{chain} AND a.number = 1"
    )
    hidden = arriving(db)
    return {int(row[0]): Head(int(row[1]), str(row[2]), str(row[3])) for row in rows if row[0] not in hidden}


def rows_behind(db: sqlite3.Connection, chain: str, before: Heads, now: Heads) -> list[Row]:
    """Return the events that a ledger now has after the heads ``before``."""
    later = f"SELECT {chain}, number, at, actor, body, hash FROM events WHERE {chain} = ? AND number > ?"  # noqa: S608  (a word of our own)
    rows: list[Row] = []
    for number, head in now.items():
        if head.number > known(before, number):
            rows += db.execute(later, (number, known(before, number))).fetchall()
    return rows


def _begins_otherwise(db: sqlite3.Connection, chain: str, tail: Tail, heads: Heads) -> bool:
    """Tell whether all chains in both begin with different events."""
    both = [number for number, head in tail.heads.items() if number in heads and head.first]
    return bool(both) and all(
        tail.heads[number].first != heads[number].first and _is_whole(db, chain, number, 1) for number in both
    )


def _goes_on_otherwise(db: sqlite3.Connection, chain: str, tail: Tail) -> bool:
    """Tell whether the ledger has a different event where the tail has a chain's last one."""
    digest = f"SELECT hash FROM events WHERE {chain} = ? AND number = ?"  # noqa: S608  (a word of our own)
    for number, head in tail.heads.items():
        row = db.execute(digest, (number, head.number)).fetchone()
        other = row is not None and row[0] != head.digest and number not in tail.forgotten
        if other and _is_whole(db, chain, number, head.number):
            return True
    return False


def _is_whole(db: sqlite3.Connection, chain: str, of: int, number: int) -> bool:
    """Tell whether an event's hash follows from the one before; if not, the file is damaged there, not another one."""
    rows = db.execute(
        f"SELECT number, at, actor, body, hash FROM events"  # noqa: S608  (a word of our own)
        f" WHERE {chain} = ? AND number BETWEEN ? AND ? ORDER BY number",
        (of, number - 1, number),
    ).fetchall()
    before = GENESIS if number == 1 else rows[0][-1]
    return bool(rows[-1][-1] == chained(before, *rows[-1][:-1]))


def _several_additions(db: sqlite3.Connection, chain: str, before: Heads, ahead: Heads) -> bool:
    """Tell whether the ledger is ahead by more than the one addition that may have been in progress."""
    if len(ahead) != 1:
        return bool(ahead)
    number = next(iter(ahead))
    if number not in before:
        return False  # a chain that was just being begun, or imported whole
    times = f"SELECT COUNT(DISTINCT at), COUNT(*) FROM events WHERE {chain} = ? AND number > ?"  # noqa: S608  (a word of our own)
    moments, events = db.execute(times, (number, before[number].number)).fetchone()
    return int(moments) > 1 or int(events) > MOST_AT_ONCE
