"""What the tables asked, counted from the events of real matches in the book."""

from pathlib import Path

from companion.hall.book.database import Database
from companion.hall.book.questions import asked_by_game
from companion.hall.collector import collect_journal
from companion.hall.settings import HallSettings
from companion.referee.events import BoardAsked, Committed, Corrected, Event, MatchStarted, Proposed, Rejected
from companion.referee.journal import Journal
from tests.hall.test_tournament import hall_app

SAID = {"text": "Which?", "template": "Which?", "parts": {}}
ONE, OTHER = {"consonants": "B"}, {"consonants": "C"}


def throw(faces: dict[str, str], proposed: int = 0) -> Committed:
    return Committed(1, "throw", {"set": "wibold", "faces": faces}, "camera", proposed=proposed)


def asks(suggestion: dict[str, str]) -> Proposed:
    return Proposed(1, SAID, (), suggestion)


def test_a_question_counts_as_answered_as_proposed_only_if_its_faces_are_those(book_url: str, tmp_path: Path) -> None:
    started = MatchStarted("A match", "ludus-regularis", ("Anna", "Ben"), {}, "camera", "")
    events: list[Event] = [
        *(throw(ONE), asks(ONE), throw(ONE, 3), asks(ONE), throw(OTHER, 5), asks({}), Rejected(7, "no throw")),
        *(asks({}), throw(ONE, 9), BoardAsked("play", 1, SAID, ()), Corrected(2, None, "a mistake")),
        Committed(1, "choice", {"kind": "pass"}, "tapped"),
    ]
    with Journal(tmp_path / "journal.db") as journal:
        for at in (1000.0, 9000.0):
            match = journal.begin(started, at, "tests")
            journal.append(match, events, at + 600.0, "tests")
    collect_journal(HallSettings("museum", "north", book=book_url), tmp_path / "journal.db")
    with Database(book_url) as database:
        (line,) = asked_by_game(database, "museum")
        assert asked_by_game(database, "another") == []
        database.rows("UPDATE events SET body = %s WHERE kind = %s", "{", "corrected")  # of nobody's program
        assert asked_by_game(database, "museum")[0].corrected == 0
    assert (line.table, line.game, line.matches, line.minutes) == ("north", "ludus-regularis", 2, 10.0)
    assert (line.throws, line.asked, line.as_proposed, line.dismissed) == (8, 8, 2, 2)
    assert (line.of_board, line.corrected) == (2, 2)
    desk = hall_app(book_url, tmp_path).test_client()
    page = desk.get("/asked").text
    assert "Answered as proposed" in page
    assert page.count('aria-labelledby="asked-heading"') == 1, "two landmarks of one name"
    header, row = desk.get("/asked.csv").text.splitlines()
    assert (header.split(",")[:3], row.split(",")[:4]) == (
        ["table", "game", "matches"],
        ["north", "ludus-regularis", "2", "10.0"],
    )
