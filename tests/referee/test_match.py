"""A match is the replay of its journal: play, correction, pause and end."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.language.sentence import Sentence
from companion.referee.events import (
    Corrected,
    Finished,
    MatchStarted,
    Paused,
    Proposed,
    Rejected,
    Resumed,
)
from companion.referee.match import Match, NoMatchError
from companion.referee.refused import RefusedError
from companion.rules.dice import Throw
from tests.referee.build import KARITAS, MISERICORDIA, NOTHING, Table, lying, started

PAX = "A E I STXZ"  # 1.1.1 with a consonant of Karitas; used where any throw of the first lot will do
WINS_PAX = "A EIOU"


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "match.db")


def move(text: str) -> dict[str, object]:
    return Throw.parse("wibold", text).to_json()


def corrected(table: Table, event: int, text: str | None, *, keep: str = "all") -> None:
    preview = table.match.preview(event, None if text is None else move(text), "misread")
    drops = preview.drops_all if keep == "all" else preview.drops_stop
    table.record(Corrected(event, None if text is None else dict(move(text)), "misread", drops))


def ask(table: Table, text: str) -> int:
    sentence = Sentence("What do they show?").to_json()
    places = tuple(die.to_json() for die in lying(text))
    return table.record(Proposed(table.match.position.awaits.player, sentence, (), {}, places))


def test_a_throw_passes_the_turn_and_is_told(table: Table) -> None:
    event = table.throw(MISERICORDIA)
    (turn,) = table.match.history
    assert (turn.event, turn.number, turn.player, turn.kind) == (event, 1, 1, "throw")
    assert turn.account is not None
    assert "Misericordia" in str(turn.account.sentence)
    assert table.match.position.awaits.player == 2


def test_the_second_cast_has_the_number_of_its_throw(table: Table) -> None:
    table.throw(KARITAS)
    assert table.match.position.awaits.kind == "recast"
    table.throw("2:UAE")
    assert [(turn.number, turn.kind, turn.player) for turn in table.match.history] == [
        (1, "throw", 1),
        (1, "recast", 1),
    ]
    assert table.match.position.scores() == {1: 1, 2: 0}
    assert table.match.last_throw == Throw.parse("wibold", "A UAE I GHKL")


def test_a_match_survives_the_weeks_between_a_first_and_a_second_cast(table: Table) -> None:
    table.throw(KARITAS, lying(KARITAS))
    table.record(Paused())
    back = table.replayed()
    assert back.paused
    assert back.position.awaits.kind == "recast"
    assert [die.die for die in back.lying] == ["1", "2", "3", "consonants"]


def test_a_paused_match_takes_no_throw(table: Table) -> None:
    table.record(Paused())
    with pytest.raises(RefusedError, match="paused"):
        table.throw(NOTHING)
    table.record(Resumed())
    table.throw(NOTHING)


def test_a_throw_of_the_wrong_dice_is_refused(table: Table) -> None:
    with pytest.raises(RefusedError, match="Expected the dice"):
        table.match.committed(Throw.of("wibold", {"1": "A"}), "tapped")


def test_nothing_is_committed_past_an_open_question(table: Table) -> None:
    number = ask(table, MISERICORDIA)
    with pytest.raises(RefusedError, match="question"):
        table.throw(NOTHING)
    event = table.match.committed(Throw.parse("wibold", NOTHING), "camera", proposed=number)
    table.record(event)
    assert table.match.question is None


def test_a_question_put_aside_leaves_its_dice_known(table: Table) -> None:
    number = ask(table, MISERICORDIA)
    table.record(Rejected(number, "knocked over"))
    assert table.match.question is None
    assert [die.face for die in table.match.lying] == MISERICORDIA.split()


def test_putting_an_older_question_aside_changes_nothing(table: Table) -> None:
    ask(table, MISERICORDIA)
    newer = ask(table, NOTHING)
    table.record(Rejected(newer - 1, ""))
    assert table.match.question is not None
    assert table.match.question.number == newer


def test_a_corrected_throw_is_played_as_if_it_had_always_been_so(table: Table) -> None:
    first = table.throw(NOTHING)
    table.throw(MISERICORDIA)
    assert table.match.position.scores() == {1: 0, 2: 1}
    preview = table.match.preview(first, move(MISERICORDIA), "misread")
    assert preview.owners == {"1.2.5": (2, 1)}
    assert preview.scores == {1: (0, 1), 2: (1, 0)}
    assert preview.misfits == ()
    corrected(table, first, MISERICORDIA)
    assert table.match.position.scores() == {1: 1, 2: 0}
    assert [turn.corrected for turn in table.match.history] == [True, False]


def test_a_preview_changes_nothing(table: Table) -> None:
    event = table.throw(MISERICORDIA)
    before = table.match
    table.match.preview(event, None, "just looking")
    assert table.match is before
    assert table.replayed() == before


def test_a_preview_is_of_one_moment_only(table: Table) -> None:
    event = table.throw(MISERICORDIA)
    token = table.match.preview(event, None, "x").token
    assert table.match.preview(event, None, "x").token == token
    assert table.match.preview(event, move(NOTHING), "x").token != token
    table.throw(NOTHING)
    assert table.match.preview(event, None, "x").token != token


def test_the_last_throw_voided_is_thrown_again_by_its_player(table: Table) -> None:
    table.throw(NOTHING)
    event = table.throw(MISERICORDIA)
    corrected(table, event, None)
    assert table.match.position.awaits.player == 2
    assert table.match.play.throws == 1
    table.throw(MISERICORDIA)
    assert [(turn.number, turn.player, turn.standing) for turn in table.match.history] == [
        (1, 1, "stands"),
        (2, 2, "voided"),
        (2, 2, "stands"),
    ]


def test_an_earlier_throw_voided_counts_as_no_virtue_and_the_others_keep_their_players(table: Table) -> None:
    first = table.throw(MISERICORDIA)
    table.throw(NOTHING)
    table.throw(NOTHING)
    table.throw("EI EIOUA I STXZ")
    preview = table.match.preview(first, None, "the tetrahedron leant")
    assert preview.misfits == ()
    corrected(table, first, None)
    assert [(turn.number, turn.player) for turn in table.match.history] == [(1, 1), (2, 2), (3, 1), (4, 2)]
    assert table.match.position.scores() == {1: 0, 2: 1}
    assert table.match.position.awaits.player == 1


def test_a_second_cast_falls_with_its_throw(table: Table) -> None:
    first = table.throw(KARITAS)
    table.throw("2:UAE")
    table.throw(MISERICORDIA)
    corrected(table, first, None)
    assert [turn.standing for turn in table.match.history] == ["voided", "dropped", "stands"]
    assert table.match.position.scores() == {1: 0, 2: 1}


def test_a_throw_changed_into_karitas_has_forgone_the_second_cast_that_nobody_made(table: Table) -> None:
    first = table.throw(NOTHING)
    table.throw(MISERICORDIA)
    preview = table.match.preview(first, move(KARITAS), "misread")
    assert preview.misfits == ()
    corrected(table, first, KARITAS)
    assert table.match.position.scores() == {1: 0, 2: 1}
    assert table.match.position.awaits.player == 1


def test_the_last_throw_changed_into_karitas_waits_for_its_second_cast(table: Table) -> None:
    event = table.throw(NOTHING)
    corrected(table, event, KARITAS)
    assert table.match.position.awaits.kind == "recast"


def ended_early(table: Table) -> tuple[int, int]:
    """Play a match to one virtue whose first throw, corrected, ends it before the second."""
    return table.throw(NOTHING), table.throw(NOTHING)


def test_where_a_later_throw_no_longer_fits_it_is_named_and_the_owner_decides(tmp_path: Path) -> None:
    table = Table(tmp_path / "match.db", started("Anna", "Ben", ending="first-to", target=1))
    first, second = ended_early(table)
    third = table.throw(NOTHING)
    preview = table.match.preview(first, move(MISERICORDIA), "misread")
    assert [event for event, _ in preview.misfits] == [second, third]
    assert "over" in str(preview.misfits[0][1])
    assert preview.drops_stop == (second, third)
    corrected(table, first, MISERICORDIA, keep="until_misfit")
    assert table.match.over
    assert table.match.misfit is None
    assert [turn.standing for turn in table.match.history] == ["stands", "dropped", "dropped"]


def test_a_correction_can_be_corrected_back(table: Table) -> None:
    first = table.throw(MISERICORDIA)
    table.throw(NOTHING)
    before = table.match.position
    corrected(table, first, None)
    corrected(table, first, MISERICORDIA)
    assert table.match.position == before


def test_a_correction_to_what_the_game_forbids_is_refused(table: Table) -> None:
    event = table.throw(MISERICORDIA)
    with pytest.raises(RefusedError, match="Expected the dice"):
        table.match.preview(event, Throw.of("wibold", {"1": "A"}).to_json(), "x")


def test_only_throws_can_be_corrected(table: Table) -> None:
    with pytest.raises(RefusedError, match="Event 1 is not a throw"):
        table.match.preview(1, None, "x")


def test_a_journal_edited_by_hand_stops_where_it_no_longer_fits(table: Table) -> None:
    event = table.match.committed(Throw.parse("wibold", NOTHING), "tapped")
    table.record(event)
    table.record(event)  # player 1 again
    table.record(table.match.committed(Throw.parse("wibold", NOTHING), "tapped") if False else event)
    assert table.match.misfit == 3
    assert len(table.match.history) == 2
    with pytest.raises(RefusedError, match="Event 3 no longer fits"):
        table.throw(NOTHING)
    corrected(table, 3, None)
    assert table.match.misfit is None


def test_players_may_end_a_match_by_agreement(table: Table) -> None:
    table.throw(MISERICORDIA)
    table.record(Finished("agreement", "supper"))
    assert table.match.over
    assert table.match.outcome is not None
    assert table.match.outcome.winners == (1,)
    assert "agreement" in str(table.match.outcome.why)
    with pytest.raises(RefusedError, match="over"):
        table.throw(NOTHING)


def test_other_rules_than_it_was_begun_under_are_said_and_it_opens(tmp_path: Path) -> None:
    start = started()
    old = MatchStarted(start.name, start.game, start.players, start.options, start.dice_by, "older")
    table = Table(tmp_path / "match.db", old)
    assert "another version" in str(table.match.rules_changed)
    table.throw(MISERICORDIA)


def test_a_match_of_an_unknown_game_is_refused_in_a_sentence(tmp_path: Path) -> None:
    start = started()
    unknown = MatchStarted("x", "quidditch", start.players, {}, "camera", "")
    with pytest.raises(NoMatchError, match="quidditch"):
        Table(tmp_path / "match.db", unknown)


def test_a_match_begins_with_its_start() -> None:
    with pytest.raises(NoMatchError):
        Match.of([])


FIRST_BARALIE = "43bdd1138416c273d718bbd5a245f9f01549d6563ca8b6300679b36555d6ade0"
"""The hash of Baralie's rules in the first version, which did not turn the array round for a battle won by side 2."""


def test_a_match_of_earlier_rules_is_played_again_as_it_was_played(tmp_path: Path) -> None:
    now = started(game_name="tables/baralie", battle=True)
    for name, start, turned in (("then", replace(now, rules=FIRST_BARALIE), False), ("now", now, True)):
        table = Table(tmp_path / f"{name}.sqlite", start)
        table.throw("1 2")
        table.throw("6 6")
        table.throw("1 5")
        table.throw("y-s" if turned else "b-g")
        again = table.replayed()
        assert again.position == table.match.position
        assert again.position.awaits.player == 2
        assert again.position.options["reversed"] is turned
        assert (again.rules_changed is None) == turned
