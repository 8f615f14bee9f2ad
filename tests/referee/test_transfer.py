"""A match leaves as JSON lines and comes back the same, or not at all."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.desk.page.library import Library
from companion.desk.table.match_desk import Desk
from companion.ledger.entries import GENESIS, chained
from companion.referee.events import Corrected, Paused, to_json
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.referee.refused import RefusedError
from companion.referee.transfer import AlreadyHereError, ImportRefusedError, export_match, import_match
from tests.referee.build import KARITAS, MISERICORDIA, NOTHING, Table, seen, started


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path / "here.db")
    first = table.throw(MISERICORDIA)
    table.throw(KARITAS)
    table.throw("2:UAE")
    table.record(Corrected(first, None, "leant", ()))
    table.record(Paused())
    return table


@pytest.fixture
def lines(table: Table) -> list[str]:
    return list(export_match(table.journal, table.match.id))


def test_a_match_comes_back_the_same(table: Table, lines: list[str], tmp_path: Path) -> None:
    with Journal(tmp_path / "there.db") as there:
        back = Match.of(there.events(import_match(there, lines)))
        assert back == table.match
        assert list(export_match(there, back.id)) == lines


def test_it_gets_a_number_of_its_own_beside_other_matches(table: Table, lines: list[str], tmp_path: Path) -> None:
    other = Table(tmp_path / "there.db", started("Clara", "Dora"))
    other.throw(NOTHING)
    number = import_match(other.journal, lines)
    assert number == 2
    assert Match.of(other.journal.events(number)).position == table.match.position


def test_importing_twice_is_recognised(table: Table, lines: list[str]) -> None:
    with pytest.raises(AlreadyHereError, match="already in this journal as match 1, in the same state") as caught:
        import_match(table.journal, lines)
    assert caught.value.match == 1


def test_a_match_that_went_on_elsewhere_is_not_mixed_in(table: Table, lines: list[str]) -> None:
    table.record(Corrected(2, None, "again", ()))
    with pytest.raises(AlreadyHereError, match="in another state"):
        import_match(table.journal, lines)


@pytest.mark.parametrize("number", range(7))
def test_a_damaged_line_is_named(lines: list[str], tmp_path: Path, number: int) -> None:
    lines[number] = lines[number][: len(lines[number]) // 2]
    with Journal(tmp_path / "there.db") as there:
        with pytest.raises(ImportRefusedError, match=f"Line {number + 1}: expected JSON"):
            import_match(there, lines)
        assert there.matches() == ()


@pytest.mark.parametrize("number", range(1, 7))
def test_an_edited_line_is_named(lines: list[str], tmp_path: Path, number: int) -> None:
    data = json.loads(lines[number])
    lines[number] = json.dumps({**data, "actor": "somebody else"})
    with (
        Journal(tmp_path / "there.db") as there,
        pytest.raises(ImportRefusedError, match=f"Line {number + 1}: its hash does not fit"),
    ):
        import_match(there, lines)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda lines: lines[:-1], "the file ends after 5"),
        (lambda lines: [*lines[:3], *lines[4:]], "Line 4: expected event 3, but got event 4"),
        (lambda lines: lines[1:], "Line 1: expected the head"),
        (lambda _: [], "Line 1: expected JSON"),
        (lambda _: ["{}"], "Line 1: expected the head"),
        (lambda lines: [lines[0], "[1, 2]"], "Line 2: expected an event"),
        (lambda lines: [lines[0], "[" * 100_000], "Line 2: .*inside each other"),
        (lambda lines: [lines[0].replace('"version": 1', '"version": 2'), *lines[1:]], "newer companion"),
        (lambda lines: [lines[0], "1" * 2_000_000], "at most 1000000 characters"),
    ],
)
def test_what_is_no_whole_match_is_refused(lines: list[str], tmp_path: Path, change: object, text: str) -> None:
    assert callable(change)
    with Journal(tmp_path / "there.db") as there:
        with pytest.raises(ImportRefusedError, match=text):
            import_match(there, change(lines))
        assert there.matches() == ()


def written(*events: dict[str, Any] | str, rules: str | None = None, **line: Any) -> list[str]:
    """Return a match of these events as an export has it, its hashes right; ``line`` changes the last line."""
    start = {**to_json(started()), "players": ["Anna", "Ben"], **({} if rules is None else {"rules": rules})}
    bodies = [json.dumps(event) if isinstance(event, dict) else event for event in (start, *events)]
    digest, lines = GENESIS, [json.dumps({"format": "alea-match", "version": 1, "events": len(bodies)})]
    for number, body in enumerate(bodies, start=1):
        of = {"number": number, "at": 1000.0, "actor": "x", "body": body, **(line if number == len(bodies) else {})}
        digest = chained(digest, number, of["at"], of["actor"], of["body"])
        lines.append(json.dumps({**of, "hash": digest}))
    return lines


def asked(**changes: Any) -> dict[str, Any]:
    die = seen("1", "EI", status="ask").to_json()
    stated = {"template": "What is it?", "parts": {}}
    return {"kind": "proposed", "player": 1, "sentence": stated, "dice": [die], "suggestion": {"1": "EI"}, **changes}


def bomb(times: int) -> dict[str, Any]:
    stated: dict[str, Any] = {"template": "bang", "parts": {}}
    for _ in range(times):
        stated = {"template": "{a}{a}{a}{a}", "parts": {"a": stated}}
    return stated


DEEP = '{"template": "{a}{a}", "parts": {"a": ' * 500 + "1" + "}}" * 500
THROW = {"set": "wibold", "faces": {"1": "EI", "2": "EIOUA", "3": "I", "consonants": "MNPR"}}
MADE = {"kind": "committed", "player": 1, "awaited": "throw", "move": THROW, "by": "tapped"}
OBSERVATION = {"kind": "board", "decision": "ask", "seen": {}, "milliseconds": 1.0, "frames": 1}
BOARD = {"kind": "board asked", "about": "play", "player": 1, "sentence": {"template": "?", "parts": {}}}


def test_what_is_written_by_hand_but_right_is_taken(tmp_path: Path) -> None:
    with Journal(tmp_path / "there.db") as there:
        number = import_match(there, written(asked(), {**MADE, "proposed": 2}, {"kind": "paused"}))
        assert Match.of(there.events(number)).play.throws == 1


@pytest.mark.parametrize(
    ("events", "text"),
    [
        ([asked(sentence={"template": "{a}", "parts": {"a": "\ud800"}})], "Line 3: .*half of a character"),
        ([asked(sentence=bomb(10))], "Line 3: .*a sentence that can be said"),
        ([asked(sentence=bomb(25))], "Line 3: .*a sentence that can be said"),
        ([json.dumps(asked(sentence={})).replace("{}", DEEP)], "Line 3: .*inside each other"),
        ([asked(dice=[{"junk": 1}])], "Line 3: .*dice as they were seen"),
        ([asked(dice=[{**asked()["dice"][0], "set": "bones"}])], "Line 3: It asks about bones dice"),
        ([asked(dice=[{**asked()["dice"][0], "die": "9"}])], "Line 3: It asks about a die 9"),
        ([asked(suggestion={"9": "EI"})], "Line 3: It asks about a die 9"),
        ([asked(arrangement=[{"die": "1"}])], "Line 3: .*where dice lie"),
        ([asked(player=7)], "Line 3: It is about player 7"),
        ([{"kind": "paused"}, {"kind": "rejected", "proposed": 2, "reason": ""}], "Line 4: It answers event 2"),
        ([{**MADE, "proposed": 99}], "Line 3: It answers event 99"),
        ([MADE, {"kind": "corrected", "event": 77, "move": None, "reason": "x"}], "Line 4: Event 77 is not a throw"),
        ([{**BOARD, "candidates": [{"text": "x", "moves": []}]}], "Line 3: .*no reading of the board"),
        ([OBSERVATION, {**BOARD, "candidates": []}], "Line 4: It asks, but offers no answer"),
        ([OBSERVATION, {**BOARD, "candidates": [{"text": "x"}]}], "Line 4: One of its answers"),
        ([OBSERVATION, {**BOARD, "candidates": [{"text": "x", "moves": [{"junk": 1}]}]}], "Line 4: "),
        ([{**MADE, "move": {"set": "wibold", "faces": {"1": "EI"}}}], "Line 3 does not follow"),
        ([to_json(started())], "Line 3: A match begins once"),
        (['{"kind": "paused", "kind": "resumed"}'], "Line 3: .*one occurs twice"),
        (['{"kind": "rejected", "proposed": 1e999, "reason": ""}'], "Line 3: .*19 digits"),
        ([f'{{"kind": "rejected", "proposed": {"9" * 5000}, "reason": ""}}'], "Line 3: .*19 digits"),
        ([{**OBSERVATION, "milliseconds": float("nan")}], "Line 3: .*no such numbers"),
        ([{"kind": "finished", "by": "agreement", "reason": "x" * 100_000}], "Line 3: The field reason"),
    ],
)
def test_what_could_not_be_played_is_refused_with_its_line(tmp_path: Path, events: list[Any], text: str) -> None:
    with Journal(tmp_path / "there.db") as there:
        with pytest.raises(ImportRefusedError, match=text) as caught:
            import_match(there, written(*events))
        assert len(str(caught.value)) < 600
        assert there.matches() == ()


@pytest.mark.parametrize("rules", [None, "0" * 64])
@pytest.mark.parametrize(
    ("event", "text"),
    [
        ({**MADE, "move": {"set": "bones", "faces": {}}}, "bones"),
        ({**MADE, "move": {"set": "<b>", "faces": {"1": "<img src=x>"}}}, "<b>"),
        ({**MADE, "move": {"set": "wibold", "faces": {"1": "Z"}}}, "Z"),
        ({**MADE, "move": {"set": "wibold", "faces": {"1": ["EI"]}}}, "EI"),
        ({**MADE, "move": {**THROW, "more": {"junk": 1}}}, "more than a throw"),
        ({**MADE, "move": {"junk": 1}}, "Expected"),
        ({**MADE, "move": {"choice": "<b>"}}, "<b>"),
        ({**MADE, "awaited": "choice"}, "awaited"),
        ({**MADE, "awaited": "<b>"}, "awaited"),
        ({**MADE, "player": 7}, "player 7"),
        ({"kind": "corrected", "event": 2, "move": {"set": "<b>", "faces": {}}, "reason": "x"}, "<b>"),
    ],
)
def test_a_throw_is_a_throw_whatever_rules_a_file_names(
    tmp_path: Path, event: dict[str, Any], text: str, rules: str | None
) -> None:
    with Journal(tmp_path / "there.db") as there:
        with pytest.raises(ImportRefusedError, match=f"Line 4: .*{re.escape(text)}"):
            import_match(there, written(MADE, event, rules=rules))
        assert there.matches() == ()


def test_what_todays_rules_cannot_play_is_a_record_and_no_match_to_go_on_with(tmp_path: Path) -> None:
    lines = written(MADE, MADE, {"kind": "paused"}, rules="0" * 64)  # the same player twice
    path = tmp_path / "there.db"
    with Journal(path) as there:
        assert Match.of(there.events(import_match(there, lines))).is_record
        assert list(export_match(there, 1)) == lines
        desk = Desk(there, lambda: 0.0, Random(0))
        assert desk.reopen(1) is None
        with pytest.raises(RefusedError, match="kept as a record to look at"):
            desk.open(1, "owner")
        assert desk.match is None
    assert [(line["record"], line["over"]) for line in Library(path).matches()] == [(True, False)]


@pytest.mark.parametrize("at", [float("nan"), float("inf"), 1e300, -1.0, 253_402_300_800])
def test_an_event_happens_at_a_moment_of_a_calendar(tmp_path: Path, at: float) -> None:
    with Journal(tmp_path / "there.db") as there, pytest.raises(ImportRefusedError, match="Line 3: "):
        import_match(there, written(asked(), at=at))


def test_who_did_it_is_told_in_a_text(tmp_path: Path) -> None:
    lines = written(asked())
    lines[-1] = json.dumps({**json.loads(lines[-1]), "actor": "\ud800"})
    with Journal(tmp_path / "there.db") as there, pytest.raises(ImportRefusedError, match=r"Line 3: .*half of a"):
        import_match(there, lines)


@pytest.mark.parametrize("options", [{"players": 2}, {"self": 1}, {"nothing": 1}, {"ending": []}, {"target": 1e9}])
def test_options_that_no_game_takes_are_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    start = json.dumps({**to_json(started()), "players": ["Anna", "Ben"], "options": options})
    lines = written()
    lines[1] = json.dumps({**json.loads(lines[1]), "body": start, "hash": chained(GENESIS, 1, 1000.0, "x", start)})
    with Journal(tmp_path / "there.db") as there, pytest.raises(ImportRefusedError, match="cannot be opened here"):
        import_match(there, lines)


def test_each_game_of_another_programs_file_becomes_a_match(tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "rules/tables/golden/gnubg-three-points.mat").read_text(encoding="utf-8")
    with Journal(tmp_path / "there.db") as there:
        assert import_match(there, text.splitlines()) == 1
        matches = [Match.of(there.events(number)) for number in (1, 2, 3)]
        assert [match.started.players for match in matches] == [("gnubg", "root"), ("root", "gnubg"), ("root", "gnubg")]
        assert [match.over for match in matches] == [False, False, True]
        again = list(export_match(there, 3))
    with Journal(tmp_path / "elsewhere.db") as elsewhere:
        assert Match.of(elsewhere.events(import_match(elsewhere, again))).outcome == matches[2].outcome
        with pytest.raises(ImportRefusedError, match=r"Game 1, turn 1: 31: 8/5 6/4 is no play"):
            import_match(elsewhere, text.replace("8/5 6/5 ", "8/5 6/4 ", 1).splitlines())
        assert len(elsewhere.matches()) == 1
