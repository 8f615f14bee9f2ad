"""Files that an earlier version wrote open in this one, and say the same field by field; see files/README.md."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.golden import mended, telling_matches, telling_series
from tests.golden.comparing import Mended, differences, unexplained
from tests.golden.copying import EXPECTED, GOLDEN, JOURNAL, KILLED, THROWS, copied, expected
from tests.golden.telling_files import FILES

MATCHES = sorted(path.stem for path in (EXPECTED / "matches").iterdir())
EXPORTS = sorted(path.stem for path in (GOLDEN / "exports").iterdir())
SERIES = sorted(int(path.stem) for path in (EXPECTED / "throws").iterdir())


def same(was: Any, found: Any, *meant: Mended) -> None:
    """Fail unless something is told as it was told then, but for what was mended since."""
    left = unexplained(list(differences(was, json.loads(json.dumps(found)))), meant)
    assert not left, "\n".join(left)


def mended_of(match: str) -> tuple[Mended, ...]:
    return (*mended.MATCHES.get(match, mended.UNWATCHED), *mended.ANALYSED, *mended.REWORDED_TELLING)


def test_a_journal_opens_without_a_word_and_lists_its_matches(tmp_path: Path) -> None:
    journal = copied(tmp_path, *JOURNAL)
    for _ in range(2):  # the first time has written what stands beside it
        with telling_matches.table_of(journal) as table:
            same(
                expected("matches"),
                telling_matches.told_journal(table),
                *mended.LOST,
                *mended.RESULTS,
                *mended.UNWATCHED,
                *mended.SECOND_SIDE,
                *mended.REWORDED_TELLING,
            )


@pytest.mark.parametrize("name", MATCHES)
def test_a_match_is_told_as_it_was_and_goes_on(name: str, tmp_path: Path) -> None:
    journal, number, was = copied(tmp_path, *JOURNAL), int(name[:2]), expected(f"matches/{name}")
    with telling_matches.table_of(journal) as table:
        found = telling_matches.match_review(table, journal, number, was["claims"])
        found["resumed"] = telling_matches.resumed(table, number)
    same(was, found, *mended_of(name))


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_is_taken_in_and_given_out_unchanged(name: str, tmp_path: Path) -> None:
    journal, was = copied(tmp_path, *JOURNAL), expected(f"matches/{name}")
    journal.unlink()
    lines = (GOLDEN / "exports" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    with telling_matches.table_of(journal) as table:
        reply = table.import_lines(lines, "page")
        assert reply.ok, str(reply.sentence)
        assert [line.removesuffix("\n") for line in table.export(1) or ()] == lines
        found = telling_matches.match_review(table, journal, 1, was["claims"])
    assert found["head"].pop("id") == 1
    del was["head"]["id"], was["resumed"]
    same(was, found, *(one for one in mended_of(name) if _differs_without_page(one)))


def _differs_without_page(one: Mended) -> bool:
    return not one.place.startswith(("/resumed", "*/match", "*page"))


def test_a_journal_whose_program_was_killed_has_what_lay_in_its_log(tmp_path: Path) -> None:
    journal = copied(tmp_path, *KILLED)
    with telling_matches.table_of(journal) as table:
        found = telling_matches.told_journal(table) | {"match": telling_matches.match_review(table, journal, 1, {})}
    rules = Mended("*/rules_changed", "As of every match of that game.", mended.ANOTHER_REVISION)
    same(expected("killed"), found, *mended.LOST, *mended.RESULTS, *mended_of("killed"), rules)


def test_a_file_of_throws_opens_without_a_word_and_lists_its_series(tmp_path: Path) -> None:
    path = copied(tmp_path, *THROWS)
    for _ in range(2):
        with telling_series.laboratory_of(path) as laboratory:
            same(expected("throws"), telling_series.told_laboratory(laboratory), *mended.THROWS)


@pytest.mark.parametrize("number", SERIES)
def test_a_series_is_told_as_it_was_and_goes_on(number: int, tmp_path: Path) -> None:
    path = copied(tmp_path, *THROWS)
    with telling_series.laboratory_of(path) as laboratory:
        found = telling_series.told_series(laboratory, path, number)
        found["resumed"] = telling_series.resumed(laboratory, number)
    same(expected(f"throws/{number}"), found, *mended.SERIES[number])


@pytest.mark.parametrize("name", FILES)
def test_a_file_says_what_it_said(name: str, tmp_path: Path) -> None:
    path = copied(tmp_path, name)
    same(expected(name), FILES[name](path), *mended.FILES.get(name, ()))


ELSEWHERE = ("exports", "expected", "3c665223")
"""What other tests here open: the last one `test_every_game_of_before`."""


def test_every_golden_file_is_opened() -> None:
    known = {GOLDEN / name for name in (*JOURNAL, *KILLED, *THROWS, *FILES, *ELSEWHERE, "README.md")}
    files = {path for path in GOLDEN.rglob("*") if path.is_file() and not path.name.startswith(".")}
    assert not {path for path in files if not known & {path, *path.parents}}
