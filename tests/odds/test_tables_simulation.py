"""What many simulated games of tables come to."""

import pytest

from companion.odds.playouts import GamesCountError, summary
from companion.odds.tables import layout
from companion.odds.tables.layout import NotVectorisedError, laid_out
from companion.odds.tables.simulation import PARALLEL_GAMES, simulate
from companion.rules.errors import OptionError, UnknownGameError


def test_a_game_does_not_depend_on_how_many_are_played() -> None:
    few = simulate("tables/laquet", 5, 3).records
    many = simulate("tables/laquet", PARALLEL_GAMES + 50, 3).records
    assert list(many[:5]) == list(few)
    assert len(set(many)) > 100, "each game has its own dice"


def test_a_game_is_given_up_at_the_cap() -> None:
    state = summary(simulate("tables/zeno", 20, 1, cap=100))
    assert state["capped"]["value"] == 1
    assert state["length"]["value"] == state["longest"] == 100


def test_a_game_of_mirrored_sides_has_even_chances_but_for_the_first_throw() -> None:
    """Fallas is alike from both sides; who begins is at most a little ahead."""
    wins = summary(simulate("tables/fallas", 800, 5))["wins"]
    assert 0.45 < wins["1"]["value"] < 0.6
    assert wins["1"]["low"] < wins["1"]["value"] < wins["1"]["high"]


def test_the_end_of_laquet_favours_the_side_that_is_nearly_home() -> None:
    wins = summary(simulate("tables/laquet", 500, 5))["wins"]
    assert wins["1"]["low"] > 0.5 > wins["2"]["high"]


def test_teams_win_together() -> None:
    records = simulate("tables/ludus-lumbardorum", 40, 2, players=4).records
    assert {record.winners for record in records} == {(1, 2), (3, 4)}


@pytest.mark.parametrize(
    ("slug", "options"),
    [
        ("ludus-regularis", {}),
        ("tables/zeno", {"battle": True}),
        ("tables/ludus-anglicorum", {"lympolded": "ends"}),
        ("tables/emperador", {"barata": "ends-at-four-hit"}),
    ],
)
def test_what_cannot_be_played_at_once_is_refused_in_one_sentence(slug: str, options: dict[str, bool | str]) -> None:
    with pytest.raises(NotVectorisedError, match=slug) as refused:
        laid_out(slug, 2, options)
    assert str(refused.value).count("\n") == 0
    assert str(refused.value).endswith(".")


def test_a_movement_that_it_does_not_know_keeps_it_from_the_games_that_have_it_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A rule of movement for one new game must not take the strong player from all the others."""
    monkeypatch.setattr(layout, "MOVEMENT", layout.MOVEMENT - {"most"})
    assert laid_out("tables/zeno", 2, {}).players == 2
    with pytest.raises(NotVectorisedError, match="its men have a new rule"):
        laid_out("tables/twelve-dogs", 2, {})


def test_wrong_requests_are_refused() -> None:
    with pytest.raises(GamesCountError, match="Expected 1 to"):
        simulate("tables/zeno", 0, 1)
    with pytest.raises(UnknownGameError):
        simulate("tables/none", 1, 1)
    with pytest.raises(OptionError, match="but there are 3"):
        simulate("tables/zeno", 1, 1, players=3)
