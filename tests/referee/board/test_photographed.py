"""What stands on a board is the position that a picture of it shows, however the board lies."""

import pytest

from companion.referee.board.photographed import photographed
from companion.referee.board.seating import seatings
from companion.referee.board.standing import MOST_COUNTED
from companion.rules.registry import game
from tests.referee.board.simulated import hidden, perfect, shown_as
from tests.referee.board.test_every_board import reached

SLUGS = ("tables/zeno", "tables/backgammon", "rithmomachia/durnil-guardia", "rithmomachia/mebben")


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("moves", [0, 12, 40])
def test_every_way_that_a_board_can_lie_is_among_those_that_are_offered(slug: str, moves: int) -> None:
    position = reached(slug, 5, moves)
    men = standing(position.to_json()["men"])
    for seating in seatings(game(slug)):
        ways = photographed(game(slug), perfect(position, seating))
        fitting = [way for way in ways if agrees(men, standing(way.position["men"]), way.doubtful)]
        assert fitting, seating
        for way in fitting:
            assert way.doubtful or slug.startswith("rithmomachia") or not game(slug).from_json(way.position).faults()


def test_men_in_one_pile_are_all_of_a_side_who_are_missing() -> None:
    start = game("tables/zeno").start(2)
    seating = next(iter(seatings(game("tables/zeno"))))
    (first, *_) = photographed(game("tables/zeno"), perfect(start, seating))
    assert first.position["men"] == {"1": {"a": 15}, "2": {"z": 15}}
    assert first.doubtful == ("a", "z")


def test_a_covered_site_and_a_man_whom_no_army_has_are_to_be_checked() -> None:
    slug = "rithmomachia/durnil-guardia"
    start = game(slug).start(2)
    seating = next(iter(seatings(game(slug))))
    whole = perfect(start, seating)
    assert photographed(game(slug), whole)[0].doubtful == ()
    assert photographed(game(slug), hidden(whole, ["a1"]))[0].doubtful == ("a1",)
    again = whole.sites["a2"].standing
    twice = photographed(game(slug), shown_as(whole, {"h8": again}))[0]
    assert twice.doubtful == ("h8",)
    assert game(slug).from_json(dict(twice.position)).faults()


def standing(men: dict[str, object]) -> dict[str, object]:
    """Return the men on the board, by side where there are two lists."""
    if "1" in men:
        return {
            f"{side} {site}": count
            for side, sites in men.items()
            if isinstance(sites, dict)
            for site, count in sites.items()
            if count and site not in ("off", "hit", "hand")
        }
    return men


def agrees(truth: dict[str, object], found: dict[str, object], doubtful: tuple[str, ...]) -> bool:
    """Whether the same men stand there; in a pile only that there are many."""
    return truth.keys() == found.keys() and all(
        truth[site] == found[site] or (site[2:] in doubtful and int(str(found[site])) >= MOST_COUNTED) for site in truth
    )
