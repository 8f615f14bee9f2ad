"""How a board lies and whose each colour is: found from the start, asked where that does not tell, kept as JSON."""

import json
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.referee.board.results import AskSeating, Blind, Seated
from companion.referee.board.seating import Seating, SeatingFormatError, seatings
from companion.referee.board.standing import has_board, sites_of
from companion.referee.board.start import find_seating
from companion.rules.board import LIES
from companion.rules.registry import game, games
from companion.vision.board_readings import Men, SiteReading
from tests.referee.board.simulated import hidden, perfect, shown_as

EVERY = [(slug, seating) for slug, listed in games().items() if has_board(listed) for seating in seatings(listed)]
ONE_SIDED = ("tables/cab-e-quinal", "tables/laquet", "tables/baralie", "rithmomachia/durnil-guardia")
"""Games whose start looks otherwise from every side, so that nothing need be said."""

LIKE_ITS_MIRROR_IMAGE = ("tables/zeno", "tables/todas-tablas", "tables/ludus-anglicorum", "tables/verquere")
"""Games whose start is its own mirror image with the sides changed: only who has which colour must be said."""


@pytest.mark.parametrize(("slug", "seating"), EVERY, ids=str)
def test_a_seating_renames_every_site_there_and_back_and_survives_json(slug: str, seating: Seating) -> None:
    sites = sites_of(game(slug))
    renamed = [seating.site(site) for site in sites]
    assert sorted(renamed) == sorted(sites)
    assert [seating.site(site) for site in renamed] == list(sites)
    assert Seating.from_json(json.loads(json.dumps(seating.to_json()))) == seating


@pytest.mark.parametrize("slug", games())
def test_a_seating_from_elsewhere_renames_no_site_to_one_that_the_board_does_not_have(slug: str) -> None:
    sites = sites_of(game(slug))
    for lies in LIES:
        assert {Seating(slug, lies, ()).site(site) for site in sites} <= {*sites}


@pytest.mark.parametrize("slug", ONE_SIDED)
def test_the_start_alone_tells_how_the_board_lies(slug: str) -> None:
    start = game(slug).start(2)
    for seating in seatings(start.game):
        assert find_seating(start, perfect(start, seating)) == Seated(seating)


@pytest.mark.parametrize("slug", LIKE_ITS_MIRROR_IMAGE)
def test_a_start_that_is_its_own_mirror_image_is_asked_about(slug: str) -> None:
    start = game(slug).start(2)
    for seating in seatings(start.game):
        shown = perfect(start, seating)
        asked = find_seating(start, shown)
        assert isinstance(asked, AskSeating)
        assert len(asked.candidates) == 2
        assert seating in asked.candidates


def test_an_empty_board_tells_nothing() -> None:
    start = game("tables/pyf").start(2)
    (seating, *others) = seatings(start.game)
    shown = perfect(start, seating)
    asked = find_seating(start, shown)
    assert isinstance(asked, AskSeating)
    assert set(asked.candidates) == {seating, *others}


def test_tokens_are_taken_for_the_printed_ones() -> None:
    start = game("ludus-regularis").start(3)
    seating = Seating("ludus-regularis", "as named", (("red", 1), ("green", 2), ("blue", 3)))
    shown = perfect(start, seating)
    usual = Seating("ludus-regularis", "as named", (("blue", 1), ("red", 2), ("green", 3)))
    assert find_seating(start, shown) == Seated(usual)


def test_tokens_left_from_another_match_are_told_at_the_start() -> None:
    start = game("ludus-regularis").start(2)
    seating = Seating("ludus-regularis", "as named", (("blue", 1), ("red", 2)))
    left = shown_as(perfect(start, seating), {"1.2.3": Men("red")})
    asked = find_seating(start, left)
    assert isinstance(asked, AskSeating)
    assert asked.candidates == ()
    assert "Pax" in str(asked.sentence)


def test_a_start_with_a_man_astray_is_told_and_not_taken() -> None:
    start = game("rithmomachia/mebben").start(2)
    (seating, *_) = seatings(start.game)
    shown = shown_as(perfect(start, seating), {"c3": Men("white", 1, "circle", 6)})
    asked = find_seating(start, shown)
    assert isinstance(asked, AskSeating)
    assert asked.candidates == (seating,)
    assert [site.site for site in asked.sites] == ["c3"]
    another_game = find_seating(game("tables/zeno").start(2), perfect(game("tables/imperial").start(2), seating_zeno()))
    assert isinstance(another_game, AskSeating)
    assert another_game.candidates == ()


def unread(shape: str, *numbers: int, colour: str = "white") -> SiteReading:
    """Return a site with a man whose number, of these, the reader cannot tell."""
    chance = 1 / len(numbers)
    return SiteReading("", tuple((Men(colour, 1, shape, number), chance) for number in numbers), "ask")


def test_a_man_who_cannot_be_read_is_the_only_one_of_the_set_who_is_left_over() -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    (seating, *_) = seatings(start.game)
    shown = perfect(start, seating)
    men = {site: one.standing for site, one in shown.sites.items() if one.standing is not None}
    for site, man in men.items():
        assert man.shape is not None
        doubtful = unread(man.shape, 990, 991, colour=man.colour)
        here = replace(shown, sites={**shown.sites, site: replace(doubtful, site=site)})
        assert find_seating(start, here) == Seated(seating)


def test_a_start_is_asked_about_where_two_unread_men_could_be_exchanged_or_a_side_is_in_doubt() -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    (seating, *_) = seatings(start.game)
    shown = perfect(start, seating)
    circles = [site for site, one in shown.sites.items() if (men := one.standing) and men.shape == "circle"]
    white = [site for site in circles if (men := shown.sites[site].standing) and men.colour == "white"][:2]
    for changed in (
        {site: unread("circle", 990, 991) for site in white},
        {white[0]: unread("circle", 2, 4, colour="black")},
        {white[0]: unread("triangle", 990, 991)},
    ):
        asked = find_seating(start, replace(shown, sites={**shown.sites, **changed}))
        assert isinstance(asked, AskSeating)
        assert asked.candidates == (seating,)
        assert str(asked.sentence).startswith(f"The camera cannot read {', '.join(sorted(changed))} surely")


def test_a_man_whom_the_army_lacks_is_misread_and_another_man_who_is_there_is_not() -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    (seating, *_) = seatings(start.game)
    shown = perfect(start, seating)
    site, man = next(
        (site, one.standing) for site, one in shown.sites.items() if one.standing == Men("white", 1, "circle", 6)
    )
    lacking, other = replace(man, number=9), Men("white", 1, "circle", 8)

    def read_as(*candidates: tuple[Men | None, float]) -> object:
        here = SiteReading(site, candidates, "read")
        return find_seating(start, replace(shown, sites={**shown.sites, site: here}))

    assert read_as((lacking, 0.99), (man, 0.01)) == Seated(seating)
    for candidates in (((lacking, 0.99), (None, 0.01)), ((other, 0.99), (man, 0.01))):
        assert isinstance(read_as(*candidates), AskSeating)
    empty = next(name for name, one in shown.sites.items() if one.standing is None)
    stray = SiteReading(empty, ((lacking, 0.99), (None, 0.01)), "read")
    assert isinstance(find_seating(start, replace(shown, sites={**shown.sites, empty: stray})), AskSeating)


@settings(max_examples=25)
@given(st.lists(st.floats(0, 1), min_size=3, max_size=3))
@example([0.45913173191066836, 0.2692794774414212, 0.5479963094662489])
def test_whatever_a_reader_thinks_of_a_man_whom_the_army_lacks_the_start_is_judged(chances: list[float]) -> None:
    """Shares that round to a little more than one were once refused as no chances."""
    start = game("rithmomachia/durnil-guardia").start(2)
    (seating, *_) = seatings(start.game)
    shown = perfect(start, seating)
    site = next(name for name, one in shown.sites.items() if one.standing == Men("white", 1, "circle", 6))
    whole = sum(chances) or 1.0
    likeliest = sorted((chance / whole for chance in chances), reverse=True)
    men = (Men("white", 1, "circle", 9), Men("white", 1, "circle", 6), Men("white", 1, "circle", 7))
    for order in permutations(men):
        here = SiteReading(site, tuple(zip(order, likeliest, strict=True)), "read")
        found = find_seating(start, replace(shown, sites={**shown.sites, site: here}))
        assert isinstance(found, Seated | AskSeating)


def seating_zeno() -> Seating:
    return next(iter(seatings(game("tables/zeno"))))


def test_a_covered_board_is_waited_for() -> None:
    start = game("tables/zeno").start(2)
    shown = perfect(start, seating_zeno())
    assert isinstance(find_seating(start, hidden(shown, "abcdefghi")), Blind)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"game": "tables/zeno", "lies": "upside down", "colours": {"light": 1}},
        {"game": "tables/zeno", "lies": "turned", "colours": {"light": "1"}},
        {"game": "tables/zeno", "lies": "turned", "colours": {"light": 1, "dark": 1}},
        {"game": "tables/zeno", "lies": "turned", "colours": {"light": True}},
    ],
)
def test_what_is_no_seating_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(SeatingFormatError, match="Expected a seating like"):
        Seating.from_json(data)


def test_a_board_whose_place_is_in_doubt_is_seated_if_every_man_is_where_the_game_begins() -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    for seating in seatings(start.game):
        shown = replace(perfect(start, seating), status="ask", reason="It is not certain.")
        assert find_seating(start, shown) == Seated(seating)
        astray = replace(
            shown, sites={**shown.sites, "a8": SiteReading("a8", ((Men("white", 1, "circle", 4), 0.9),), "read")}
        )
        assert isinstance(find_seating(start, astray), Blind)
