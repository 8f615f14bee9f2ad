"""Whatever is asked of the table, in whatever order: its state is the replay of its journal."""

import tempfile
import weakref
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.desk.sight import DiceSeen, Sight
from companion.desk.table.autoplay import Autoplay
from companion.desk.table.commands import TableCommands
from companion.desk.table.dice_judge import DiceJudge
from companion.desk.table.match_desk import PAGE, Desk, Reply
from companion.referee.events import Committed, Finished
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.referee.transfer import export_match, import_match
from companion.rules.dice import Throw, dice_set
from companion.vision.readings import DiceReading
from tests.referee.build import KARITAS, MISERICORDIA, NOTHING, reading, seen, thrown
from tests.referee.older import check_read_as_before


class Office:
    """Desk, commands and judge as the writer has them, without threads."""

    def __init__(self, path: Path, seed: int = 1) -> None:
        self.journal = Journal(path)
        weakref.finalize(self, self.journal.close)
        ticks = count(1000)
        self.desk = Desk(self.journal, lambda: float(next(ticks)), Random(seed))
        self.dice_judge = DiceJudge(self.desk)
        self.sight = Sight()
        self.commands = TableCommands(self.desk, self.dice_judge, Autoplay(), lambda: self.sight)

    def do(self, name: str, **data: Any) -> Reply:
        return self.commands.do(name, data, "tests")

    def begin(self, dice_by: str = "program", **options: Any) -> None:
        reply = self.do("new_match", game="ludus-regularis", players=["Anna", "Ben"], options=options, dice_by=dice_by)
        assert reply.ok, str(reply.sentence)

    def see(self, dice: DiceReading, *, watched: bool = True, width: int = 0) -> None:
        number = self.sight.motion + 1
        lying = DiceSeen(number, dice, b"", (), "", number, watched=watched, width=width)
        self.sight = Sight("drawn", "LIVE", phase="still", motion=number, seen=lying)
        self.dice_judge.see(self.sight)

    @property
    def match(self) -> Match:
        return self.desk.require_match()

    def replayed(self) -> Match:
        return Match.of(self.journal.events(self.match.id))


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path / "match.db")


def faces(text: str) -> dict[str, str]:
    return dict(Throw.parse("wibold", text).shown)


face_of = st.sampled_from([die.faces[0].text for die in dice_set("wibold").dice])
throws = st.tuples(*(st.sampled_from([face.text for face in die.faces]) for die in dice_set("wibold").dice))
steps = st.one_of(
    st.tuples(st.just("throw"), throws),
    st.tuples(st.just("recast"), st.sampled_from(["1", "2", "3"])),
    st.tuples(st.just("see"), throws, st.sampled_from(["read", "ask"]), st.integers(0, 3)),
    st.tuples(st.just("answer"), st.integers(0, 3)),
    st.tuples(st.just("dismiss"), st.integers(0, 3)),
    st.tuples(st.just("correct"), st.integers(1, 30), st.none() | throws, st.sampled_from(["all", "until_misfit"])),
    st.tuples(st.sampled_from(["pause", "unpause", "finish", "time_up", "reset", "roll"])),
)


def take(office: Office, step: tuple[Any, ...]) -> None:
    """Do one step; it may be refused."""
    match step:
        case ("throw", shown):
            office.do("throw", faces=faces(" ".join(shown)))
        case ("recast", die):
            office.do("throw", faces={die: dice_set("wibold").die(die).faces[2].text})
        case ("see", shown, status, shift):
            dice = thrown(" ".join(shown), 40.0 * shift).dice
            last = dice[-1]
            if status == "ask":
                dice = (*dice[:-1], seen(last.die or "", last.face or "", status="ask"))
            office.see(reading(dice))
        case ("answer" | "dismiss" as name, back):
            question = office.match.question
            number = (question.number if question is not None else 1) - (back == 3)
            office.do(name, ask=number, faces={}, reason="")
        case ("correct", event, shown, keep):
            new = None if shown is None else faces(" ".join(shown))
            preview = office.do("preview_correction", event=event, faces=new, reason="misread")
            if preview.ok:
                token = preview.data["token"]
                assert office.do("correct", event=event, faces=new, reason="misread", token=token, keep=keep).ok
        case (name,):
            office.do(name, reason="")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(steps, max_size=30),
    st.sampled_from([{}, {"ending": "first-to", "target": 2}, {"ending": "throws", "throws": 6}, {"ending": "time"}]),
    st.sampled_from(["camera", "program", "tapped"]),
)
def test_the_state_is_the_replay_of_the_journal(
    play: list[tuple[Any, ...]], options: dict[str, Any], dice_by: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        office = Office(Path(folder) / "match.db")
        office.begin(dice_by, **options)
        for step in play:
            take(office, step)
            assert office.match == office.replayed()
        lines = list(export_match(office.journal, office.match.id))
        with Journal(Path(folder) / "other.db") as other:
            number = import_match(other, lines)
            back = Match.of(other.events(number))
            assert back.position == office.match.position
            assert back.history == office.match.history
            assert list(export_match(other, number)) == lines
        check_read_as_before(office.journal, office.match, Path(folder) / "older.db")
        office.journal.close()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(throws, min_size=1, max_size=12), st.data())
def test_a_correction_is_a_replay_with_that_move_changed(played: list[tuple[str, ...]], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        office, other = Office(Path(folder) / "a.db"), Office(Path(folder) / "b.db")
        which = data.draw(st.integers(0, len(played) - 1))
        new = data.draw(throws)
        for place, desk in ((None, office), (which, other)):
            desk.begin("tapped")
            for number, shown in enumerate(played):
                if desk.match.position.awaits.kind == "recast":
                    desk.do("throw", faces={"1": "EI"})
                desk.do("throw", faces=faces(" ".join(new if number == place else shown)))
        commits = [entry.number for entry in office.match.entries if isinstance(entry.event, Committed)]
        thrown_at = [number for number in commits if office.match.commit_of(number).awaited == "throw"]  # type: ignore[union-attr]
        event = thrown_at[which]
        preview = office.do("preview_correction", event=event, faces=faces(" ".join(new)), reason="x")
        office.do(
            "correct", event=event, faces=faces(" ".join(new)), reason="x", token=preview.data["token"], keep="all"
        )
        recasts = [turn for match in (office.match, other.match) for turn in match.history if turn.kind == "recast"]
        if not recasts and other.match.position.awaits.kind == office.match.position.awaits.kind:
            assert office.match.position == other.match.position
        office.journal.close()
        other.journal.close()


def test_two_reads_of_one_still_interval_commit_once(office: Office) -> None:
    office.begin("camera")
    office.see(thrown(MISERICORDIA))
    office.dice_judge.see(office.sight)
    office.see(thrown(MISERICORDIA, 2.0))
    assert office.match.play.throws == 1


@pytest.mark.parametrize("status", ["read", "ask"])
def test_a_camera_that_changes_its_size_asks_nothing_about_dice_that_lie_still(office: Office, status: str) -> None:
    def lie(shift: float, zoom: float, shown: str = MISERICORDIA) -> DiceReading:
        dice = thrown(shown, shift).dice
        if status == "ask":
            dice = (*dice[:-1], seen(dice[-1].die or "", dice[-1].face or "", status="ask"))
        larger = [tuple((zoom * x, zoom * y) for x, y in die.polygon) for die in dice]
        return reading(replace(die, polygon=outline) for die, outline in zip(dice, larger, strict=True))

    office.begin("camera")
    office.see(lie(0, 1), width=640)
    events = len(office.match.entries)
    for zoom in (3, 3, 1, 0.5, 2):
        office.see(lie(1, zoom), width=int(640 * zoom))
        assert len(office.match.entries) == events, "nobody threw"
    assert (office.match.question is not None) == (status == "ask")
    office.see(lie(300, 2, NOTHING), width=1280)
    assert len(office.match.entries) > events, "these were thrown"


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("juggle", {}, "The commands are"),
        ("new_match", {"game": "quidditch", "players": ["A", "B"]}, "There is no game called"),
        ("new_match", {"game": "ludus-regularis", "players": ["A"]}, "2 to 6 players"),
        ("new_match", {"game": "ludus-regularis", "players": ["A", "A"]}, "name of their own"),
        ("new_match", {"game": "ludus-regularis", "players": "AB"}, "a list"),
        ("new_match", {"game": "ludus-regularis", "players": [1, 2]}, "texts"),
        ("new_match", {"game": "ludus-regularis", "players": ["A", "B"], "options": {"speed": 3}}, "speed"),
        ("new_match", {"game": "ludus-regularis", "players": ["A", "B"], "options": {"players": 3}}, "got 'players'"),
        ("new_match", {"game": "ludus-regularis", "players": ["A", "B"], "dice_by": "post"}, "post"),
        ("resume", {"match": 99}, "no match 99"),
        ("resume", {"match": True}, "a whole number"),
        ("throw", {"faces": {"1": "A"}}, "Expected the dice"),
        ("throw", {"faces": {"1": "Z"}}, "has the faces"),
        ("throw", {"faces": {"9": "A"}}, "has the dice"),
        ("throw", {"faces": {"1": 5}}, "as texts"),
        ("throw", {}, "Expected faces as an object"),
        ("throw", {"faces": {"1": "A"}, "dice_set": "bones"}, "dice sets are"),
        ("answer", {"ask": 2, "faces": {}}, "no longer open"),
        ("dismiss", {"ask": 2}, "no longer open"),
        ("correct", {"event": 1, "reason": "x", "token": ""}, "not a throw that could be corrected"),
        ("unpause", {}, "not paused"),
        ("autoplay", {"on": "yes"}, "true or false"),
        ("autoplay", {"on": True, "pace": "quick"}, "throws a second"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(
    office: Office, name: str, data: dict[str, Any], text: str
) -> None:
    office.begin()
    before = office.match
    reply = office.do(name, **data)
    assert not reply.ok
    assert text in str(reply.sentence)
    assert office.match is before


def test_every_command_without_a_match_is_refused_in_a_sentence(office: Office) -> None:
    for name in ("pause", "unpause", "throw", "roll", "finish", "reset", "time_up"):
        reply = office.do(name, faces=faces(NOTHING), on=True)
        assert not reply.ok
        assert "No match is open" in str(reply.sentence)


def test_a_new_match_pauses_the_open_one_which_can_be_resumed(office: Office) -> None:
    office.begin()
    office.do("throw", faces=faces(MISERICORDIA))
    first = office.match.id
    office.begin()
    assert office.match.id != first
    assert office.do("resume", match=first).ok
    assert not office.match.paused
    assert office.match.play.throws == 1


def test_a_player_without_a_name_is_called_after_the_seat_or_as_the_program(office: Office) -> None:
    players, zeno = ["", "Anna", " ", ""], {"game": "tables/zeno", "dice_by": "tapped"}
    assert office.do("new_match", game="ludus-regularis", players=players, programs=[3, 4], dice_by="program").ok
    assert office.match.started.players == ("Player 1", "Anna", "The program", "The program 2")
    assert office.match.started.name == "Player 1, Anna, The program, The program 2"
    assert office.do("new_match", **zeno, players=["Player 2", ""]).ok
    assert [*office.match.started.players] == ["Player 2", "Player 1"], "every name is another"


def test_reset_begins_the_same_match_anew(office: Office) -> None:
    office.begin(ending="first-to", target=3)
    office.do("roll")
    assert office.do("reset").ok
    assert office.match.play.throws == 0
    assert office.match.position.options["target"] == 3


def test_a_stale_token_is_refused(office: Office) -> None:
    office.begin()
    office.do("throw", faces=faces(MISERICORDIA))
    token = office.do("preview_correction", event=2, faces=None, reason="x").data["token"]
    office.do("throw", faces=faces(NOTHING))
    reply = office.do("correct", event=2, faces=None, reason="x", token=token, keep="all")
    assert "moved on" in str(reply.sentence)


def test_only_the_correction_that_was_shown_is_carried_out(office: Office) -> None:
    office.begin()
    office.do("throw", faces=faces(MISERICORDIA))
    shown: dict[str, Any] = {"event": 2, "faces": None, "reason": "x", "keep": "all"}
    token = office.do("preview_correction", **shown).data["token"]
    before = len(office.match.entries)
    others: list[dict[str, Any]] = [{"faces": faces(NOTHING)}, {"reason": "y"}, {"choice": {}}, {"event": 1}]
    for other in others:
        assert not office.do("correct", **{**shown, **other}, token=token).ok
    assert len(office.match.entries) == before
    office.do("preview_correction", event=2, faces=faces(NOTHING), reason="z")  # somebody else looks at another one
    assert office.do("correct", **shown, token=token).ok
    assert office.match.history[0].standing == "voided"


def test_what_was_shown_of_a_correction_is_not_found_out_again(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    office.begin()
    office.do("throw", faces=faces(MISERICORDIA))
    shown = {"event": 2, "faces": faces(NOTHING), "reason": "x"}
    token = office.do("preview_correction", **shown).data["token"]
    monkeypatch.setattr(Match, "preview", lambda *_: pytest.fail("it was found out again"))
    assert office.do("correct", **shown, token=token, keep="all").ok
    assert office.match.position.scores() == {1: 0, 2: 0}


def test_a_correction_wants_a_reason_and_where_throws_no_longer_fit_a_decision(office: Office) -> None:
    office.begin(ending="first-to", target=1)
    office.do("throw", faces=faces(NOTHING))
    office.do("throw", faces=faces(NOTHING))
    for reason, sentence in (("", "no longer fit"), ("misread", "no longer fit")):
        shown = office.do("preview_correction", event=2, faces=faces(MISERICORDIA), reason=reason)
        assert [entry["event"] for entry in shown.data["misfits"]] == [3]
        reply = office.do("correct", event=2, faces=faces(MISERICORDIA), reason=reason, token=shown.data["token"])
        assert sentence in str(reply.sentence)
    token = office.do("preview_correction", event=2, faces=faces(MISERICORDIA), reason="").data["token"]
    reply = office.do("correct", event=2, faces=faces(MISERICORDIA), reason="", token=token, keep="all")
    assert "needs a reason" in str(reply.sentence)


def test_time_up_ends_a_game_played_for_a_time_by_its_rules(office: Office) -> None:
    office.begin(ending="time")
    office.do("throw", faces=faces(MISERICORDIA))
    assert office.do("time_up").ok
    assert office.match.position.outcome is not None
    assert office.match.finished is None


def test_time_that_nobody_agreed_on_is_never_up(office: Office) -> None:
    office.begin()
    office.do("throw", faces=faces(MISERICORDIA))
    before = office.match
    assert "No time limit was agreed" in str(office.do("time_up").sentence)
    assert "No time limit was agreed" in str(office.do("choose", text="time up").sentence)
    assert office.do("new_match", game="tables/zeno", players=["Anna", "Ben"], dice_by="tapped").ok
    assert "No time limit was agreed" in str(office.do("time_up").sentence)
    assert office.match.outcome is None
    assert office.do("resume", match=before.id).ok
    assert office.match.outcome is None


def test_who_is_not_known_ends_no_match_by_choosing_its_end(office: Office) -> None:
    office.begin(ending="time")
    reply = office.commands.do("choose", {"text": "time up"}, PAGE)
    assert "its own button" in str(reply.sentence)
    assert not reply.ok
    assert not office.match.over
    assert office.do("choose", text="time up").ok
    assert office.match.over


def test_a_match_that_was_ended_by_the_time_before_can_still_be_opened(office: Office) -> None:
    office.begin()
    office.do("roll")
    office.desk.record([Finished("time", "")], "tests")  # as earlier versions did in a game without an agreed time
    again = office.replayed()
    assert again.over
    assert "time is up" in str(again.outcome.why if again.outcome else "")


@pytest.mark.parametrize("pace", [0, -4, 0.09, 1000.5, 1e308, float("nan"), float("inf"), 10**30, True, "3", None])
def test_a_pace_beyond_the_bounds_is_refused_and_not_bent(office: Office, pace: Any) -> None:
    office.begin()
    reply = office.do("autoplay", on=True, pace=pace)
    assert not reply.ok
    assert str(reply.sentence).startswith("Expected 0.1 to 1000.0 throws a second, but got ")
    assert not office.commands._autoplay.runs(office.match)


@pytest.mark.parametrize("pace", [0.1, 3, 1000])
def test_a_pace_within_the_bounds_is_kept(office: Office, pace: float) -> None:
    office.begin()
    assert f"throws {float(pace)} times" in str(office.do("autoplay", on=True, pace=pace).sentence)


def test_the_program_throws_a_second_cast_too(office: Office) -> None:
    office.begin()
    office.do("throw", faces=faces(KARITAS))
    assert office.do("roll").ok
    assert office.match.history[-1].kind == "recast"


def test_the_programs_throws_come_from_the_generator_that_was_handed_in(tmp_path: Path) -> None:
    played = []
    for name in ("a.db", "b.db"):
        office = Office(tmp_path / name, seed=7)
        office.begin()
        for _ in range(20):
            office.do("roll")
        played.append([turn.text for turn in office.match.history])
    assert played[0] == played[1]


def test_choices_are_made_as_data_or_as_text_and_taken_back(office: Office) -> None:
    reply = office.do("new_match", game="tables/zeno", players=["Anna", "Ben"], dice_by="tapped")
    assert reply.ok, str(reply.sentence)
    assert office.do("throw", faces={"1": "2", "2": "5", "3": "6"}).ok
    before = office.match.position
    assert str(office.do("choose", choice={"from": "a", "to": "c", "die": 2}).sentence).startswith(
        "Anna goes from a to c"
    )
    made = office.do("choose", text="a-f")
    assert made.ok, str(made.sentence)
    assert str(office.do("take_back", event=made.data["event"]).sentence) == "Anna takes a-f back."
    assert office.do("take_back", event=made.data["event"]).ok is False
    last = office.match.last_choice
    assert last is not None
    assert office.do("take_back", event=last.event).ok
    assert office.match.position == before == office.replayed().position


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"text": "a-z"}, "a-z"),
        ({"text": "2 5 6"}, "is a throw"),
        ({"text": "cheese"}, "cheese"),
        ({"choice": {"to": "c"}}, "Expected"),
        ({"choice": "a-c"}, "Expected choice as an object"),
        ({}, "Expected choice as an object"),
    ],
)
def test_what_is_no_choice_is_refused_in_a_sentence(office: Office, data: dict[str, Any], text: str) -> None:
    office.do("new_match", game="tables/zeno", players=["Anna", "Ben"], dice_by="tapped")
    office.do("throw", faces={"1": "2", "2": "5", "3": "6"})
    reply = office.do("choose", **data)
    assert not reply.ok
    assert text in str(reply.sentence)
    assert office.match.play.throws == 1


def test_nothing_is_chosen_or_taken_back_where_nothing_was(office: Office) -> None:
    assert not office.do("choose", text="a-c").ok
    assert not office.do("take_back", event=2).ok
    office.begin()
    assert "until somebody throws" in str(office.do("take_back", event=2).sentence)


def test_the_program_throws_in_any_game_but_chooses_in_none(office: Office) -> None:
    office.do("new_match", game="tables/zeno", players=["Anna", "Ben"], dice_by="program")
    assert office.do("roll").ok
    assert str(office.do("roll").sentence) == "This is not the time to throw."
    assert office.match.position.awaits.kind == "choice"


def test_dice_that_no_camera_reads_are_not_left_to_it(office: Office) -> None:
    office.sight = Sight("drawn", "LIVE")
    refused = office.do("new_match", game="ludus-regularis/wheel", players=["Anna", "Ben"], dice_by="camera")
    assert "No camera can read the dice of this game yet" in str(refused.sentence)
    taken = {}
    for slug in ("ludus-regularis/wheel", "ludus-regularis"):
        assert office.do("new_match", game=slug, players=["Anna", "Ben"]).ok
        taken[slug] = office.match.started.dice_by
    assert taken == {"ludus-regularis/wheel": "tapped", "ludus-regularis": "camera"}
