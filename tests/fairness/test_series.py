"""A series is the fold of its events: whatever is thrown, corrected, audited and answered, a plain recount agrees."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.desk.series.judging import Judges
from companion.fairness.audits.draw import FIRST_DRAWN, USUAL_SHARE, chosen
from companion.fairness.report.contents import report_of
from companion.fairness.report.document import ReportTable
from companion.fairness.report.sections_reader import reader_section
from companion.fairness.series.dice import SeriesDiceError, SeriesDie, WantedDie, named_dice
from companion.fairness.series.events import (
    CODEC,
    Audited,
    Corrected,
    Ended,
    Resumed,
    SeriesEvent,
    SeriesStarted,
    SessionBegan,
    Thrown,
)
from companion.fairness.series.fold import NoSeriesError, Series
from companion.fairness.series.ledger import SeriesLedger
from companion.fairness.verdict import judge
from companion.ledger.codec import EventFormatError
from companion.ledger.entries import Entry, JournalError, NotAJournalError
from companion.ledger.rescue import open_ledger
from companion.referee.arrangement import LyingDie
from companion.referee.journal import Journal
from tests.fairness.folded import folded

LUDIX = {"set": "ludix", "twins_apart": True}


def started(*dice: dict[str, Any], reader: dict[str, Any] | None = None, seed: int = 5) -> SeriesStarted:
    named = named_dice([WantedDie(**one) for one in dice] or [WantedDie("d6")])
    return SeriesStarted("a series", tuple(die.to_json() for die in named), None, None, {}, {}, seed, reader or {})


def entries(events: Sequence[SeriesEvent]) -> list[Entry[SeriesEvent]]:
    return [Entry(1, number, 1000.0 + number, "tests", event, "", "") for number, event in enumerate(events, start=1)]


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("throw"), st.sampled_from("123456"), st.sampled_from(["camera", "typed"]), st.booleans()),
        st.tuples(st.just("unread"), st.sampled_from("123456"), st.just(""), st.just(value=False)),
        st.tuples(st.just("correct"), st.integers(0, 400), st.sampled_from(["1", "6", None]), st.booleans()),
        st.tuples(
            st.just("audit"), st.integers(0, 400), st.sampled_from(["1", "2", "3", "4", "5", "6", None]), st.none()
        ),
        st.tuples(st.just("session"), st.sampled_from(["Monday", "Tuesday"]), st.just(""), st.none()),
    ),
    max_size=60,
)


def events_of(series: Series, operations: Sequence[Any], plain: list[dict[str, Any]]) -> list[SeriesEvent]:
    """Return events for operations, and keep beside them a plain list of what counts."""
    events: list[SeriesEvent] = []
    for what, one, two, flag in operations:
        event: SeriesEvent
        if what == "throw":
            event = Thrown("d6", one, two, question=3 if flag and two == "camera" else 0)
            plain.append({"face": one, "read": one, "gone": False, "truth": "nobody looked"})
        elif what == "unread":
            event = Thrown("d6", None, "camera", one, question=3)
            plain.append({"face": None, "read": None, "gone": False, "truth": "nobody looked"})
        elif what == "session":
            event = SessionBegan(one, "")
        elif not plain:
            continue
        elif what == "correct":
            number = one % len(plain)
            event = Corrected(number + 1, None if flag else two, "seen", withdrawn=flag)
            plain[number] |= {"face": None if flag else two, "gone": flag}
        else:
            number = one % len(plain)
            if not series.throw(number + 1).due:
                continue
            event = Audited(number + 1, two)
            plain[number]["truth"] = two
            if two is not None:
                plain[number]["face"] = two
        events.append(event)
        series.take(entries([*[event] * (series.events + 1)])[-1])
    return events


@settings(max_examples=60)
@given(OPERATIONS, st.integers(0, 2**32))
def test_counts_are_those_of_a_plain_recount_and_of_the_events_folded_anew(operations: Any, seed: int) -> None:
    start = started(seed=seed)
    series, plain = Series(entries([start])), list[dict[str, Any]]()
    judges = Judges(series)
    events = events_of(series, operations, plain)
    counted = [throw for throw in plain if not throw["gone"]]
    labels = series.dice[0].outcomes.labels
    counts = [sum(throw["face"] == label for throw in counted) for label in labels]
    assert series.counted[0].counts.tolist() == counts
    assert series.counted[0].unread == sum(throw["face"] is None for throw in counted)
    audits = np.zeros((6, 7), np.int64)
    for throw in plain:
        if throw["truth"] in labels:
            audits[labels.index(throw["truth"]), labels.index(throw["read"])] += 1
    assert series.counted[0].audits.tolist() == audits.tolist()
    assert folded(Series(entries([start, *events]))) == folded(series)
    account = series.account(0)
    assert account.counts.tolist() == counts
    sentence = account.throws or ()
    assert [throw.outcome for throw in sentence if not throw.withdrawn] == [
        None if throw["face"] is None else labels.index(throw["face"]) for throw in counted
    ]
    assert [throw.number for throw in sentence] == [*range(1, len(plain) + 1)]
    assert [throw.withdrawn for throw in sentence] == [throw["gone"] for throw in plain]
    assert account.chain is not None
    assert account.chain.events == series.events
    assert account.seen is not None
    assert account.seen.tolist() == series.seen(0).tolist()
    again = judge(
        series.seen(0),
        series.dice[0].outcomes,
        reader=series.reader(0),
        stakes=series.stakes,
        together=series.dice[0].together,
    )
    judged = judges.judgement(0)
    assert judged.counts.tolist() == again.counts.tolist()
    assert judged.evidence.most == pytest.approx(again.evidence.most)


def test_the_draw_takes_a_fifth_of_the_first_throws_and_a_twentieth_of_the_others() -> None:
    first = sum(chosen(seed, number, number) for seed in range(100) for number in range(FIRST_DRAWN))
    later = sum(chosen(seed, number, number) for seed in range(20) for number in range(FIRST_DRAWN, FIRST_DRAWN + 1000))
    assert first / (100 * FIRST_DRAWN) == pytest.approx(0.2, abs=0.03)
    assert later / 20_000 == pytest.approx(USUAL_SHARE, abs=0.008)


def test_only_what_a_camera_read_by_itself_is_drawn() -> None:
    throws = [Thrown("d6", "1", "typed"), Thrown("d6", "2", "camera", question=9), Thrown("d6", None, "camera")]
    series = Series(entries([started(), *throws * 200]))
    assert series.due(0) == []


def test_a_correction_by_whoever_happened_to_notice_is_no_audit() -> None:
    series = Series(entries([started(), *[Thrown("d6", "1", "camera")] * 100]))
    number = series.due(0)[0].number
    series.take(Entry(1, 102, 2000.0, "tests", Corrected(number, "6", "seen"), "", ""))
    assert series.counted[0].audits.sum() == 0
    assert series.due(0)[0].number == number
    series.take(Entry(1, 103, 2001.0, "tests", Audited(number, "6"), "", ""))
    assert series.counted[0].audits[5].tolist() == [1, 0, 0, 0, 0, 0, 0]
    assert number not in [throw.number for throw in series.due(0)]


def test_one_error_that_an_audit_finds_is_heeded_before_every_face_was_audited() -> None:
    thrown = [Thrown("d6", "1", "camera") for _ in range(60)]
    due = [throw.number for throw in Series(entries([started(), *thrown])).due(0)]
    right = [Audited(number, "1") for number in due[1:]]
    assert Series(entries([started(), *thrown, *right])).reader(0) is None, "no error was found"
    reader = Series(entries([started(), *thrown, Audited(due[0], "6"), *right])).reader(0)
    assert reader is not None
    assert reader.named == (len(due), 1, 0)
    assert np.diagonal(reader.seen).tolist() == [len(due) - 1] * 6, "all faces together"
    assert reader.seen.sum(axis=0)[:6].tolist() == [len(due)] * 6, "the error is spread evenly"


def test_throws_of_a_sample_are_not_drawn_for_a_second_look() -> None:
    sampled = replace(started(), known={"sample": "pips"})
    thrown = [Thrown("d6", "1", "camera") for _ in range(60)]
    assert Series(entries([started(), *thrown])).due(0)
    assert not Series(entries([sampled, *thrown])).due(0)


def test_what_the_reader_did_when_it_was_measured_and_the_audits_are_summed() -> None:
    known = {"d6": {str(face): {str(face): 50, "unread": 1} for face in range(1, 7)}}
    series = Series(entries([started(reader=known), *[Thrown("d6", "1", "camera")] * 100]))
    due = [throw.number for throw in series.due(0)][:2]
    for place, (number, truth) in enumerate(zip(due, "16", strict=True)):
        series.take(Entry(1, 102 + place, 2000.0, "tests", Audited(number, truth), "", ""))
    reader = series.reader(0)
    assert reader is not None
    assert reader.seen[0].tolist() == [52, 0, 0, 0, 0, 0, 0]
    assert reader.seen[5].tolist() == [1, 0, 0, 0, 0, 51, 0]
    typed = Series(entries([started(reader=known), Thrown("d6", "1", "typed")]))
    assert typed.reader(0) is None


def test_what_people_answer_is_not_lost_to_the_reader_and_what_nobody_answers_is() -> None:
    known = {"d6": {str(face): {str(face): 80, "unread": 20} for face in range(1, 7)}}
    answered = [Thrown("d6", "1", "camera", question=3)] * 30
    unread = [Thrown("d6", None, "camera", "1", question=3)] * 10
    series = Series(entries([started(reader=known), Thrown("d6", "1", "camera"), *answered, *unread]))
    reader = series.reader(0)
    assert reader is not None
    assert reader.seen[0].tolist() == [95, 0, 0, 0, 0, 0, 5]


def test_twins_are_labelled_by_their_place() -> None:
    die = named_dice([WantedDie("ludix", "", twins_apart=True)])[0]
    twins = [place for place, face in enumerate(die.die.faces) if face.text == "X"]
    assert [die.labels("X", twin) for twin in twins] == [("X/1",), ("X/2",)]
    assert die.labels("X") == ("X/1", "X/2")
    assert die.labels("nothing") == ()
    assert SeriesDie.from_json(die.to_json()) == die


def test_dice_that_nobody_can_tell_apart_count_together() -> None:
    distances = named_dice([WantedDie("pips", name=name, by_looks=True) for name in ("red", "blue")])
    assert [(die.name, die.together) for die in distances] == [("red", 1), ("blue", 1)]
    (die,) = named_dice([WantedDie("pips", name="red"), WantedDie("pips", name="blue")])
    assert (die.name, die.together) == ("red + blue", 2)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ([], "at least one die"),
        ([WantedDie("none")], "There is no dice set"),
        ([WantedDie("wibold")], "say which one"),
        ([WantedDie("d6"), WantedDie("d20")], "of one set"),
        ([WantedDie("wibold", "1"), WantedDie("wibold", "1")], "named twice"),
        ([WantedDie("pips", together=7)], "at most 6"),
    ],
)
def test_dice_that_cannot_be_thrown_are_refused_in_a_sentence(asked: list[WantedDie], sentence: str) -> None:
    with pytest.raises(SeriesDiceError, match=sentence):
        named_dice(asked)


def test_an_own_set_is_kept_with_the_series(tmp_path: Path) -> None:
    own = tmp_path / "coin.toml"
    own.write_text(
        'title = "A long die"\nsource = "dug up"\nmarks = "numerals"\n[[dice]]\nname = "long"\nshape = "cube"\n'
        'faces = ["1", "2", "3", "4", "5", "6"]\n',
        encoding="utf-8",
    )
    start = started({"set": str(own), "name": "the long one"})
    own.unlink()
    series = Series(entries([start, Thrown("the long one", "5", "typed")]))
    assert series.counted[0].counts.tolist() == [0, 0, 0, 0, 1, 0]


def test_the_pace_leaves_pauses_out_and_takes_dice_thrown_together_as_one_throw() -> None:
    times = [0.0, 0.0, 6.0, 6.0, 12.0, 12.0, 9000.0, 9000.0, 9006.0]
    series = Series(entries([started()]))
    for number, at in enumerate(times, start=2):
        series.take(Entry(1, number, at, "tests", Thrown("d6", "1", "typed"), "", ""))
    assert series.pace() == pytest.approx(10)


def test_events_that_do_not_fit_are_no_series() -> None:
    for wrong in (Thrown("d8", "1", "typed"), Thrown("d6", "9", "typed"), Corrected(1, "1", ""), Audited(1, "1")):
        with pytest.raises(NoSeriesError, match="Event 2"):
            Series(entries([started(), wrong]))
    with pytest.raises(NoSeriesError, match="first event"):
        Series(entries([Ended()]))


def test_a_file_of_series_is_read_as_it_was_written_and_is_no_journal_of_matches(tmp_path: Path) -> None:
    path = tmp_path / "throws.db"
    with open_ledger(path, SeriesLedger) as ledger:
        number = ledger.open_chain(started(LUDIX), 1.0, "tests")
        ledger.append(number, [Thrown("ludix", "X/2", "camera", candidates=(["X/2", 0.9], ["I/1", 0.1]))], 2.0, "tests")
        ledger.append(number, [SessionBegan("Monday", "left"), Ended(), Resumed()], 3.0, "tests")
        live = Series(ledger.events(number))
    with SeriesLedger(path, writable=False) as again:
        assert folded(Series(again.events(number))) == folded(live)
        assert again.count("thrown") == {number: 1}
        with pytest.raises(JournalError, match="has no series 7"):
            again.events(7)
    with pytest.raises(NotAJournalError):
        Journal(path)


def test_a_damaged_file_of_series_gives_what_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "throws.db"
    with open_ledger(path, SeriesLedger) as ledger:
        number = ledger.open_chain(started(), 1.0, "tests")
        for _ in range(300):
            ledger.append(number, [Thrown("d6", "1", "typed")], 2.0, "tests")
    data = bytearray(path.read_bytes())
    data[-6000:-2000] = b"\xff" * 4000
    path.write_bytes(data)
    with open_ledger(path, SeriesLedger) as rescued:
        assert rescued.notice is not None
        assert "of 1 series were saved" in str(rescued.notice)
        series = Series(rescued.events(number))
    assert 100 < len(series.throws) <= 300
    assert list(tmp_path.glob("throws.db.damaged-1"))


def test_what_a_damaged_log_lost_of_a_series_is_put_back_and_said(tmp_path: Path) -> None:
    alive, path = tmp_path / "alive.db", tmp_path / "throws.db"
    with open_ledger(alive, SeriesLedger) as ledger:
        number = ledger.open_chain(started(), 1.0, "tests")
        for count in range(40):
            ledger.append(number, [Thrown("d6", "1", "typed")], 2.0 + count, "tests")
        expected = ledger.events(number)
        for end in ("", "-wal", "-tail"):
            shutil.copyfile(f"{alive}{end}", f"{path}{end}")
    log = path.with_name("throws.db-wal")
    log.write_bytes(log.read_bytes()[:20_000])
    with open_ledger(path, SeriesLedger) as rescued:
        assert rescued.events(number) == expected
        assert "no saved event is missing" in str(rescued.notice)


@pytest.mark.parametrize(
    "change",
    [
        {"sentence": {"template": "{a.b}", "parts": {"a.b": 1}}},
        {"sentence": {"template": "{a}" * 900, "parts": {"a": "four"}}},
        {"asked": [{"key": "d6"}]},
        {"asked": [{"key": "d6", "die": "d6", "candidates": [["1"]]}]},
        {"arrangement": [{"die": "d6"}]},
    ],
)
def test_a_question_that_could_not_be_asked_is_no_event(change: dict[str, Any]) -> None:
    die = {"key": "d6", "die": "d6", "face": None, "missing": False, "candidates": [["1", 0.5]], "picture": ""}
    asked = {"kind": "asked", "sentence": {"template": "What?", "parts": {}}, "asked": [die], "arrangement": []}
    assert CODEC.from_json(asked)
    with pytest.raises(EventFormatError):
        CODEC.from_json({**asked, **change})


def test_a_question_about_no_die_of_the_series_does_not_fit() -> None:
    asked = CODEC.from_json(
        {
            "kind": "asked",
            "sentence": {"template": "What?", "parts": {}},
            "asked": [{"key": "x", "die": "another"}],
            "arrangement": [],
        }
    )
    with pytest.raises(NoSeriesError, match="Event 2 of series 1 does not fit"):
        Series(entries([started(), asked]))


def test_a_report_shows_where_in_the_picture_throws_were_not_read() -> None:
    """The first three, in the upper left, were not read; of two that were typed nobody knows where they lay."""

    def lying(x: float, y: float) -> tuple[dict[str, Any], ...]:
        return (LyingDie("d6", "1", x, y, 40.0, 0.0, 4).to_json(),)

    thrown = [
        Thrown("d6", None if place < 5 else "3", "camera", arrangement=lying(600.0 * (place % 2), 10.0 * place))
        for place in [*range(0, 10, 2), *range(10, 45)]
    ]
    account = Series(entries([started(), *thrown, Thrown("d6", "1", "typed"), Thrown("d6", "2", "typed")])).account(0)
    assert [at for at in account.lay if at is None] == [None, None]
    (table,) = [
        block
        for block in reader_section(report_of(account)).blocks
        if isinstance(block, ReportTable) and str(block.about).startswith("How many throws were not read in each part")
    ]
    assert [row[1:] for row in table.rows] == [
        ("3 / 8", "0 / 0", "0 / 2"),
        ("0 / 7", "0 / 0", "0 / 8"),
        ("0 / 8", "0 / 0", "0 / 7"),
    ]
