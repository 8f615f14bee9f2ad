"""A pairing is invited to a table: its players are greeted, begin themselves, and their match becomes the result."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.hall.book.database import Database
from companion.hall.desk.watch import HallWatch
from companion.hall.follower import JournalFollower
from companion.hall.member import Member
from companion.hall.settings import HallSettings, HallSettingsError, read_settings
from companion.hall.topics import Invitation, Topics
from companion.hall.tournament.entering import read_entrants
from companion.hall.tournament.invited import invitations, take_results
from companion.hall.tournament.kept import Tournaments
from companion.hall.tournament.records import Pairing, TournamentError
from companion.live.table import LiveTable
from companion.settings.file import SettingsFile
from companion.web import create_app
from companion.web.owner.doors import TableDoors
from tests.hall.listening import Listener, say, soon
from tests.hall.mosquitto import Mosquitto
from tests.hall.tables import roll, settings_for, table_at
from tests.hall.test_desk import TWO_THROWS, collecting, watched
from tests.hall.test_tournament import hall_app


@contextmanager
def greeted(table: LiveTable, journal: Path, settings: HallSettings) -> Iterator[Any]:
    """Let a table take part, and yield a browser of its page."""
    app = create_app(table, trusted_hosts=["localhost"], settings=SettingsFile(journal.with_suffix(".settings.json")))
    member = Member(settings, journal, table, TableDoors(app, table, None))
    member.start()
    try:
        yield app.test_client()
    finally:
        member.stop()


@contextmanager
def cup(url: str, players: str = "Anna\nBerno", **more: Any) -> Iterator[tuple[Database, Tournaments, int]]:
    """Begin a tournament with its first round drawn."""
    with Database(url) as database:
        kept = Tournaments(database, "museum")
        settings: dict[str, Any] = {"rounds": 1, "best_of": 1, "tie_breaks": ["buchholz"], "at": 1.0, **more}
        number = kept.begin("Cup", "swiss", "ludus-regularis", read_entrants(players), **settings)
        kept.draw_round(number, 0, at=1000.0)
        yield database, kept, number


def board(kept: Tournaments, number: int, which: int = 1) -> Pairing:
    found = kept.find(number)
    assert found is not None
    return found.of_round(found.round)[which - 1]


def test_the_players_are_greeted_by_name_begin_themselves_and_their_match_counts(
    mosquitto: Mosquitto, book_url: str, tmp_path: Path
) -> None:
    journal = tmp_path / "journal.db"
    settings = settings_for(mosquitto.safe("north"), names=True, book=book_url, invitations=True, outside=frozenset())
    desk = settings_for(mosquitto.safe("book"), book=settings.book)
    topic = Topics.of(settings).invitation

    def invited() -> str:
        return str(client.get("/api/invitation").json["text"])

    def watches(watch: HallWatch) -> Any:
        return watch.snapshot().data["tables"][0]

    with (
        Listener(mosquitto.open, "museum", topic) as heard,
        table_at(journal) as table,
        greeted(table, journal, settings) as client,
        collecting(desk),
        watched(settings.book) as watch,
        cup(settings.book) as (_, kept, number),
    ):
        soon(lambda: watches(watch)["name"] == "north")
        page = client.get("/").get_data(as_text=True)
        assert 'id="invited"' in page
        assert invited() == ""
        kept.invite(number, 1, 1, "north")
        with pytest.raises(TournamentError, match="no table"):
            kept.invite(number, 1, 1, "east")
        assert soon(invited) == "Anna and Berno, this table is yours: Cup, round 1."
        assert client.get("/api/invitation?language=de").json["text"].startswith("Anna und Berno, dieser Tisch")
        go = client.get("/api/invitation").json["go"]
        form = client.get(go).get_data(as_text=True)
        assert "[&#34;Anna&#34;, &#34;Berno&#34;]" in form
        assert table.snapshot().data["match"] is None, "nothing begins by an invitation"
        assert table.command("new_match", TWO_THROWS, "owner").ok
        roll(table, 2)
        soon(lambda: board(kept, number).games)
        outcome = table.snapshot().data["outcome"]
        won = [seat in outcome["winners"] for seat in (1, 2)]
        first = board(kept, number).first
        assert board(kept, number).games == ((1, 1) if won[0] == won[1] else (2, 0) if won[first - 1] else (0, 2))
        soon(lambda: not invited())
        soon(lambda: heard.messages[-1].payload == b"")
        for wrong in (b"[1]", b'{"tournament": "x"}', b'{"throw": 6}', b"\xff", b"{" * 500):
            say(mosquitto.open, topic, wrong)
        mine = Invitation("Cup", 2, "", 1, ("<b>", "Berno")).written()
        say(mosquitto.open, topic, mine, retain=True)
        assert "<b>" in soon(invited)
        assert "&lt;b&gt;" in client.get("/").get_data(as_text=True)
        soon(lambda: watch.snapshot().data["tournaments"][0]["over"])
        say(mosquitto.open, topic, b"", retain=True)


def test_a_table_that_does_not_take_invitations_shows_and_asks_nothing(mosquitto: Mosquitto, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    settings = settings_for(mosquitto.open)
    topic = Topics.of(settings).invitation
    say(mosquitto.open, topic, Invitation("Cup", 1, "", 1, ("Anna", "Berno")).written(), retain=True)
    with table_at(journal) as table, greeted(table, journal, settings) as client:
        with Listener(mosquitto.open, "museum", "alea/museum/north/status") as heard:
            heard.wait_for_status(b"online", 1)
        assert 'id="invited"' not in client.get("/").get_data(as_text=True)
        assert client.get("/api/invitation").json == {"text": "", "go": ""}
    say(mosquitto.open, topic, b"", retain=True)
    file = tmp_path / "hall.toml"
    file.write_text('hall = "museum"\ntable = "north"\n[outside]\ninvitations = true\n')
    assert read_settings(file).invitations
    file.write_text('hall = "museum"\ntable = "north"\n[outside]\ninvitations = "yes"\n')
    with pytest.raises(HallSettingsError, match="true or false"):
        read_settings(file)


class Played:
    """Matches written into a book as if tables had told them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._count = 0
        for name in ("north", "south"):
            database.rows("INSERT INTO tables (hall, name) VALUES ('museum', %s)", name)

    def match(self, players: list[str | None], winners: list[int], table: str = "north", **more: Any) -> None:
        self._count += 1
        program = more.get("program", 0)
        of_table = self._database.rows("SELECT id FROM tables WHERE name = %s", table)[0][0]
        rows = self._database.rows(
            "INSERT INTO matches (of_table, first, number, game, outcome) VALUES (%s, %s, %s, %s, %s) RETURNING id",
            of_table,
            f"{self._count:064}",
            self._count,
            more.get("game", "ludus-regularis"),
            json.dumps({"winners": winners, "scores": [0] * len(players)}),
        )
        for number, name in enumerate(players, start=1):
            values = (rows[0][0], number, name, int(number == program))
            self._database.rows("INSERT INTO players VALUES (%s, %s, %s, %s)", *values)
        started = json.dumps({"kind": "started", "invitation": more.get("follows", "")})
        self._database.rows(
            "INSERT INTO events (match, number, hash, at, actor, kind, body) VALUES (%s, %s, %s, %s, %s, %s, %s)",
            *(rows[0][0], 1, f"{self._count:064}", 0.0, "page", "started", started),
        )


def test_only_matches_of_the_two_at_their_table_after_the_invitation_count(book_url: str, tmp_path: Path) -> None:
    with cup(book_url, "Anna\nBerno\nClara\nDietmar", best_of=3, rounds=2) as (database, kept, number):
        played = Played(database)
        names: list[str | None] = ["Anna", "Clara"]  # board 1, by the upper and lower half
        assert [board(kept, number).first, board(kept, number).second] == [1, 3]

        def now(which: int = 1) -> tuple[int, int] | None:
            found = kept.find(number)
            assert found is not None
            take_results(database, found)
            return board(kept, number, which).games

        def invitation(table: str) -> str:
            found = invitations(database, "museum")[table]
            assert isinstance(found, Invitation)
            return found.id

        played.match(names, [1])  # before the invitation
        kept.invite(number, 1, 1, "north")
        assert {table: found is not None for table, found in invitations(database, "museum").items()} == {
            "north": True,
            "south": False,
        }
        played.match(names, [1], "south")
        played.match(names, [1], game="ludix")
        played.match(names, [1], program=2)
        played.match(["Anna", "Ida"], [1])
        played.match([*names, "Ida"], [1])
        played.match(names, [1])
        played.match(["clara", "ANNA"], [1])
        assert now() is None, "one game each"
        going_on = kept.find(number)
        assert going_on is not None
        assert kept.so_far(going_on) == {1: (2, 2)}
        assert "so far 1 : 1" in hall_app(book_url, tmp_path).test_client().get(f"/part/tournament/{number}").text
        played.match([None, None], [1])
        assert now() is None, "nobody knows whose match that was"
        played.match([None, None], [1, 2], follows=invitation("north"))
        assert now() == (3, 3), "names that stay at the table are the seats of the pairing"
        database.rows("DELETE FROM events WHERE match = (SELECT MAX(id) FROM matches)")
        database.rows("DELETE FROM matches WHERE number = (SELECT MAX(number) FROM matches)")
        assert now() is None, "a match that is gone decides nothing"
        kept.invite(number, 1, 2, "north")
        assert board(kept, number).table is None, "the table has other guests"
        kept.invite(number, 1, 1, "south")
        for _ in range(2):
            played.match([None, None], [2], "south", follows=invitation("south"))
        played.match([None, None], [1], "south", follows=invitation("south"))
        assert (now(), now(2)) == ((0, 4), None)
        with pytest.raises(TournamentError, match="already has its result"):
            kept.invite(number, 1, 1, None)
        kept.type_result(number, 1, 1, (4, 0), "the journal has another match")
        assert now() == (4, 0), "what a person typed stays"
        kept.invite(number, 1, 2, None)
        assert set(invitations(database, "museum").values()) == {None}


def test_a_match_counts_for_the_invitation_that_it_follows_however_late_it_comes(book_url: str) -> None:
    with cup(book_url, "Anna\nBerno\nClara\nDietmar", rounds=2) as (database, kept, number):
        played = Played(database)

        def results() -> list[tuple[int, int] | None]:
            found = kept.find(number)
            assert found is not None
            take_results(database, found)
            return [board(kept, number, which).games for which in (1, 2)]

        def invite(which: int) -> str:
            kept.invite(number, 1, which, "north")
            found = invitations(database, "museum")["north"]
            assert isinstance(found, Invitation)
            return found.id

        first = invite(1)
        kept.type_result(number, 1, 1, (2, 0))
        second = invite(2)
        assert first != second
        played.match([None, None], [2], follows=first)
        assert results() == [(2, 0), None], "it came after the second invitation, but follows the first"
        played.match(["Berno", "Dietmar"], [2], follows=first)
        assert results()[1] is None
        played.match([None, None], [1], follows=f"-{second}")
        assert results() == [(2, 0), (0, 2)], "they sit the other way round"


def test_a_match_on_the_page_says_which_invitation_it_follows(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with table_at(journal) as table:
        app = create_app(table, trusted_hosts=["localhost"], settings=SettingsFile(tmp_path / "settings.json"))
        doors, client = TableDoors(app, table, None), app.test_client()

        def follows(*players: str, game: str = "ludus-regularis", **more: object) -> str:
            asked = {"game": game, "players": list(players), "dice_by": "program", **more}
            reply = client.post("/api/command/new_match", json=asked)
            assert reply.status_code == 200, reply.text
            with closing(JournalFollower(journal, names=False)) as follower:
                [*_, last] = (one for one in follower.after(0, 100) if one.message.kind == "started")
            assert last.message.event["players"] == ["", ""], "names stay at the table"
            return str(last.message.event["invitation"])

        assert follows("Anna", "Berno") == ""
        doors.greet(Invitation("Cup", 1, "ludus-regularis", 1, ("Anna", "Berno"), "7.1.1.0"))
        assert follows("Anna", "Berno") == "7.1.1.0"
        assert follows(" berno", "ANNA") == "-7.1.1.0"
        assert follows("Anna", "Clara", invitation="7.1.1.0") == "", "what a client says of it does not count"
        assert follows("Anna", "Berno", game="ludix") == ""
        assert follows("Anna", "Berno", programs=[2]) == ""
        assert follows("Anna", "Berno") == "7.1.1.0"
        assert client.post("/api/command/reset", json={}).status_code == 200
        with closing(JournalFollower(journal, names=True)) as follower:
            begun = [one.message.event for one in follower.after(0, 100) if one.message.kind == "started"]
        assert begun[-1]["invitation"] == "7.1.1.0", "begun anew, it is the same pairing's match"
        for wrong in ({"players": "Anna"}, {"players": [["Anna"], {}]}, {"players": None}):
            asked = {"game": "ludus-regularis", **wrong}
            assert client.post("/api/command/new_match", json=asked).status_code == 409
        doors.greet(None)
        assert follows("Anna", "Berno") == ""
