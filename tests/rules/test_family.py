"""What a family says of itself to the floors above: each face that is asked for is there, or its lack is told."""

import pytest

from companion.desk.page.family_page import FamilyPage, page_of
from companion.drawings.picture import picture_of
from companion.odds.known.known_odds import known_odds
from companion.players.thinking import player_of
from companion.referee.board.following import following
from companion.rules.family import Family, FamilyError
from companion.rules.game import Game
from companion.rules.registry import games

FAMILIES = {listed.family.name: listed for listed in games().values()}


@pytest.mark.parametrize("listed", FAMILIES.values(), ids=list(FAMILIES))
def test_every_family_has_every_face_that_it_is_asked_for(listed: Game) -> None:
    for asked in (page_of, known_odds, player_of, picture_of):
        assert asked(listed)
    if listed.board.sites and not listed.board.holds_tokens:
        assert following(listed)


def test_a_family_that_names_no_face_is_told_which() -> None:
    with pytest.raises(FamilyError, match="The family dominoes names no page"):
        Family("dominoes").face("page", FamilyPage)


@pytest.mark.parametrize("reference", ["companion.nowhere:PAGE", "companion.desk.page.family_page:NOBODY"])
def test_a_face_that_is_not_there_is_told(reference: str) -> None:
    with pytest.raises(FamilyError, match=f"The family dominoes names '{reference}' as its page, but there is none"):
        Family("dominoes", page=reference).face("page", FamilyPage)


def test_a_face_of_another_kind_is_told() -> None:
    other = Family("dominoes", page="companion.referee.board.following:PLAIN")
    with pytest.raises(FamilyError, match=r"must name a companion\.desk\.page\.family_page\.FamilyPage as its page"):
        other.face("page", FamilyPage)
