"""A long list of matches: who asks for a part of it has that part played, once."""

from pathlib import Path

import pytest

from companion.desk.page import library
from companion.live.table import LiveTable
from companion.referee.events import MatchStarted
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.rules.registry import game
from companion.web import create_app
from companion.web.matches.transfer import MATCHES_AT_A_TIME


def test_the_page_of_matches_plays_what_it_lists_and_each_match_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first look at a thousand matches once played all of them, and a player's roll waited for it."""
    many = MATCHES_AT_A_TIME + 5
    slug = "ludus-regularis"
    with Journal(tmp_path / "journal.db") as journal:
        for number in range(many):
            begun = MatchStarted(f"match {number}", slug, ("A", "B"), {}, "tapped", game(slug).rules_hash)
            journal.begin(begun, 1.7e9 + number, "owner")
    played: list[int] = []
    standing_of = library.standing_of

    def counted(match: Match) -> library.MatchStanding:
        played.append(1)
        return standing_of(match)

    monkeypatch.setattr(library, "standing_of", counted)
    table = LiveTable(tmp_path / "journal.db")
    client = create_app(table, trusted_hosts=["localhost"]).test_client()
    for _ in range(2):
        newest = client.get("/matches").text
        assert len(played) == MATCHES_AT_A_TIME
    assert [f"match {number}<" in newest for number in (many - 1, 5, 4)] == [True, True, False]
    assert f"?from={MATCHES_AT_A_TIME}" in newest
    oldest = client.get(f"/matches?from={MATCHES_AT_A_TIME}").text
    assert [f"match {number}<" in oldest for number in (5, 4, 0)] == [False, True, True]
    assert 'rel="next"' not in oldest
    assert len(played) == many == table.match_count() == len(table.matches())
    assert len(played) == many
