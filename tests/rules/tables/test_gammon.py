"""How often a win of backgammon counts: once, twice against a side that bore off no man, three times from the back."""

import pytest

from tests.rules.tables.standing import stand

SLUG = "tables/backgammon"


@pytest.mark.parametrize(
    ("losers", "points"),
    [
        ("y14 off1", 1),
        ("hand1 y13 off1", 1),
        ("z14 g1", 2),
        ("z15", 2),
        ("z14 f1", 3),
        ("z14 a1", 3),
        ("z14 hand1", 3),
    ],
)
@pytest.mark.parametrize("winner", [1, 2])
def test_a_win_counts_by_where_the_losers_stand(losers: str, points: int, winner: int) -> None:
    """The letters are side 2's against a winning side 2, whose last table is a to f, and are turned for side 1."""
    own, foe = "c1 off14", losers
    if winner == 1:
        own, foe = (turned(text) for text in (own, foe))
    sides = (own, foe) if winner == 1 else (foe, own)
    position = stand(SLUG, *sides, 3, turn=winner)
    (last,) = position.legal()
    outcome = position.applied(last).outcome
    assert outcome is not None
    assert outcome.winners == (winner,)
    assert outcome.details == {"points": points}
    assert ("gammon" in str(outcome.why)) == (points > 1)
    assert ("backgammon" in str(outcome.why)) == (points == 3)


def test_without_the_option_every_win_counts_once() -> None:
    position = stand(SLUG, "z1 off14", "a15", 1, options={"gammon": False})
    (last,) = position.legal()
    outcome = position.applied(last).outcome
    assert outcome is not None
    assert outcome.details == {}
    assert "gammon" not in str(outcome.why)


def turned(text: str) -> str:
    """Return men on the opposite points, as the other side stands."""
    points = "abcdefghiklmnopqrstuwxyz"
    return " ".join(
        word if word.startswith(("hand", "off")) else points[23 - points.index(word[0])] + word[1:]
        for word in text.split()
    )
