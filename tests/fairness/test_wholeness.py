"""Tables of throws that somebody changed are named, and honest ones are not."""

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.fairness.account import CountedThrow, DieAccount, counts_of
from companion.fairness.outcomes import outcomes_of
from companion.fairness.report.sequence import read_table, to_csv
from companion.fairness.tables.lines import RecordError
from companion.fairness.tables.wholeness import pasted_block
from companion.rules.dice import dice_set
from tests.commands.running import run

D20 = dice_set("d20").dice[0]
OUTCOMES = outcomes_of(D20)
Rows = list[list[str]]


def account(seed: int, many: int = 300, *, every: int = 1, loaded: float = 0.05) -> DieAccount:
    """Return throws of a d20 as a series keeps them; ``every``: how many dice the series has, of which this is one."""
    rng = np.random.default_rng(seed)
    chances = np.full(20, (1 - loaded) / 19)
    chances[19] = loaded
    throws = tuple(
        CountedThrow(
            every * number + 1,
            None if rng.random() < 0.03 else int(rng.choice(20, p=chances)),
            "camera",
            at=1.8e9 + 4 * number + round(float(rng.random()), 6),
            session=f"=day {number // 100}",
            hand="'left" if number % 3 else "",
            digest=f"{seed:032x}{number:032x}",
            by='Ödön, "the" maker\n',
        )
        for number in range(many)
    )
    return DieAccount("oak", "d20", D20, OUTCOMES, counts_of(throws, OUTCOMES), throws)


def rows_of(text: str) -> Rows:
    return list(csv.reader(io.StringIO(text, newline="")))


def text_of(rows: Rows) -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue()


def deleted(rows: Rows, rng: np.random.Generator) -> Rows:
    at = int(rng.integers(1, len(rows) - 1))
    return rows[:at] + rows[at + int(rng.integers(1, 20)) :]


def doubled(rows: Rows, rng: np.random.Generator) -> Rows:
    at = int(rng.integers(1, len(rows)))
    return [*rows[: at + 1], rows[at], *rows[at + 1 :]]


def pasted(rows: Rows, rng: np.random.Generator) -> Rows:
    """Copy faces of one block over those of another: numbers and clock stay."""
    first, second, long = 1, int(rng.integers(60, len(rows) - 40)), int(rng.integers(20, 40))
    copied = [list(row) for row in rows]
    for step in range(long):
        copied[second + step][2] = rows[first + step][2]
    return copied


def sorted_by_face(rows: Rows, _: np.random.Generator) -> Rows:
    return [rows[0], *sorted(rows[1:], key=lambda row: row[2])]


def edited(rows: Rows, rng: np.random.Generator) -> Rows:
    copied = [list(row) for row in rows]
    row = copied[int(rng.integers(1, len(rows)))]
    row[2] = "20" if row[2] != "20" else "1"
    return copied


def joined(rows: Rows, rng: np.random.Generator) -> Rows:
    return rows + rows_of(to_csv(account(int(rng.integers(1000, 2000)), 50)))[1:]


def complaint(text: str) -> str:
    try:
        return " ".join(map(str, read_table(text, OUTCOMES).faults))
    except RecordError as why:
        return str(why)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("alter", "words"),
    [
        (deleted, "missing"),
        (doubled, "twice"),
        (pasted, "was changed"),
        (sorted_by_face, "order of their numbers"),
        (edited, "was changed"),
        (joined, "twice"),
    ],
)
def test_an_altered_table_is_named(seed: int, alter: Callable[[Rows, np.random.Generator], Rows], words: str) -> None:
    rows = alter(rows_of(to_csv(account(seed))), np.random.default_rng(seed))
    assert words in complaint(text_of(rows))


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("every", [1, 3])
def test_an_honest_table_is_not(seed: int, every: int) -> None:
    """Also one of a series with three dice, whose numbers jump, and one that a spreadsheet saved with semicolons."""
    text = to_csv(account(100 + seed, every=every, loaded=0.05 + 0.02 * (seed % 3)))
    assert not complaint(text)
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=";", quoting=csv.QUOTE_ALL).writerows(rows_of(text))
    assert not complaint("\ufeff" + out.getvalue())


def test_rows_that_are_missing_count_as_not_read_and_are_said_first() -> None:
    """56 of a fair die's twenties deleted: without the gaps the die would be called biased."""
    whole = account(3, 2000)
    twenties = [place for place, one in enumerate(whole.throws or ()) if one.outcome == 19][:56]
    rows = rows_of(to_csv(whole))
    kept = [row for place, row in enumerate(rows) if place - 1 not in twenties]
    table = read_table(text_of(kept), OUTCOMES)
    assert len(table.throws) == 2000
    assert sum("missing" in str(fault) for fault in table.faults) >= 5
    unread = replace(whole, throws=table.throws, counts=counts_of(table.throws, OUTCOMES))
    believed = replace(whole, throws=[one for one in table.throws if one.how == "camera"])
    assert believed.judged_alone().raw.reached is not None
    assert unread.judged_alone().said != "biased"


def test_a_table_cut_off_at_its_end_is_named() -> None:
    rows = rows_of(to_csv(account(4)))
    assert "rows at its end are missing" in complaint(text_of(rows[:-7]))


def test_a_table_with_faults_does_not_look_whole_when_it_is_written_again() -> None:
    table = read_table(text_of(edited(rows_of(to_csv(account(5))), np.random.default_rng(5))), OUTCOMES)
    again = to_csv(replace(account(5), throws=table.throws, faults=table.faults))
    assert {row[-1] for row in rows_of(again)[1:]} == {""}


@pytest.mark.parametrize("faces", [2, 6, 20])
def test_a_pasted_block_is_found_and_chance_makes_none(faces: int) -> None:
    rng = np.random.default_rng(faces)
    for _ in range(20):
        shown = rng.integers(faces, size=1500)
        assert pasted_block(shown) is None
        sticky = np.where(rng.random(1500) < 0.4, np.roll(shown, 1), shown)
        assert pasted_block(sticky) is None
        shown[900:980] = shown[100:180]
        found = pasted_block(shown)
        assert found is not None
        assert found[0] == pytest.approx(100, abs=8)
        assert found[1] == pytest.approx(900, abs=8)


def test_verify_says_whether_a_file_is_whole(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    text = to_csv(account(6))
    good.write_bytes(text.encode())
    bad.write_bytes(text_of(edited(rows_of(text), np.random.default_rng(6))).encode())
    ran = run("fairness", "verify", str(good))
    assert ran.exit_code == 0, ran.output
    assert "whole, 300 throws" in ran.output
    ran = run("fairness", "verify", str(good), str(bad))
    assert ran.exit_code == 1
    assert "not whole" in ran.output
    assert "was changed" in ran.output
