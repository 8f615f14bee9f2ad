"""What a visitor sees of each game before choosing it: a picture of its own board, true facts, a story."""

import re

import pytest
from flask.testing import FlaskClient

from companion.drawings import picture as board_pictures
from companion.drawings.picture import Shape
from companion.language import texts
from companion.odds.usual_lengths import lengths_by, offered_length
from companion.rules.registry import games
from companion.web.game_cards import Card, families, grounds, kinds, levels, origins

CARDS = [card for family in families() for card in family.cards]


def test_every_game_has_one_card_in_its_family() -> None:
    assert [card.game.slug for card in CARDS] == list(games())
    for family in families():
        assert {card.game.slug.partition("/")[0] for card in family.cards} == {family.name}
        assert f"cards.family_{family.name}" in texts.load("en").own


def test_every_game_has_a_level_and_an_origin_that_can_be_said() -> None:
    own = texts.load("en").own
    assert list(kinds()) == list(games())
    for kind in kinds().values():
        assert f"filter.level_{kind.level}" in own
        assert kind.level in levels()
        assert f"filter.origin_{kind.origin}" in own
        assert kind.origin in origins()
    assert [slug for slug, kind in kinds().items() if kind.first] == [
        family.cards[0].game.slug for family in families() if len(family.cards) > 1
    ]


def moves(d: str) -> list[tuple[float, float]]:
    """Return where the strokes of a path begin."""
    return [(float(x), float(y)) for x, y in re.findall(r"M(-?[\d.]+) (-?[\d.]+)", d)]


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.game.slug)
def test_the_men_of_a_picture_are_those_of_the_start(card: Card) -> None:
    start = card.game.start(card.game.least_players)
    drawn = [place for shape in card.men if "rim-of" not in shape.kind for place in moves(str(shape.attributes["d"]))]
    standing = sum(
        1 if "shape" in there else len(there)
        for site, there in start.occupancy().items()
        if card.game.board.name in {"tables", "xii-scripta"} or card.game.board.name.startswith("8x")
    )
    assert len(drawn) == standing
    assert all(0 <= x <= board_pictures.PICTURE_WIDTH and 0 <= y <= card.height for x, y in drawn)


@pytest.mark.parametrize("name", grounds())
def test_an_empty_board_lies_within_its_picture(name: str) -> None:
    height, shapes = grounds()[name]
    assert shapes
    for shape in shapes:
        for x, y in moves(str(shape.attributes.get("d", ""))):
            assert -5 <= x <= board_pictures.PICTURE_WIDTH + 1
            assert -5 <= y <= height + 1
    points = [shape for shape in shapes if "pic-point" in shape.kind and shape.tag == "path"]
    if name == "tables":
        assert sum(len(moves(str(shape.attributes["d"]))) for shape in points) == 24


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.game.slug)
def test_every_fact_can_be_said(card: Card) -> None:
    catalogue = texts.load("en")
    stated = [catalogue(f"cards.{fact.key}", **fact.parts) for fact in card.facts]
    assert len(stated) == 3
    assert not any("{" in one for one in stated)


def test_facts_of_a_game_that_everybody_knows() -> None:
    zeno = next(card for card in CARDS if card.game.slug == "tables/zeno")
    catalogue = texts.load("en")
    assert [catalogue(f"cards.{fact.key}", **fact.parts) for fact in zeno.facts] == [
        "2, 4 or 6 players",
        "3 dice",
        "a camera can read dice and board",
    ]
    assert isinstance(zeno.men[0], Shape)


def test_the_form_says_how_long_each_game_lasts_and_each_ending(client: FlaskClient) -> None:
    """As `companion games`, the rule cards and the odds say it: all of them say it from one place."""
    page = client.get("/new").text
    assert "at 2.5 throws or moves a minute" in page
    for card in CARDS:
        length = offered_length(card.game)
        face = page.partition(f'value="{card.game.slug}"')[2].partition("</label>")[0]
        sentence = "length not yet measured" if length is None else str(length.sentence())
        assert sentence in face, card.game.slug
        assert (length is None) == (not card.game.program_plays), (
            "what the program plays has a length, Rithmomachia too"
        )
        rules = page.partition(f'data-game="{card.game.slug}"')[2].partition("</fieldset>")[0]
        for option in card.game.options:
            for one in lengths_by(card.game, option).values():
                assert str(one.sentence()) in rules, (card.game.slug, option.name)
    wheel = page.partition('name="ludus-regularis/wheel ending"')[2].partition("</label>")[0]
    assert "about 260 throws, 105 minutes" in wheel
