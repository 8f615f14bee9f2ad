"""Two taps from the start page to a match in which one can throw or move at once; and whole matches by such taps."""

import html
import json
import random
import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.desk.page.match import MatchPage
from companion.language import texts
from companion.live.features import TableFeatures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.rules.registry import game, games
from companion.rules.rithmomachia.position import RithmoPosition
from companion.vision.sources import open_source
from companion.web import create_app
from tests.desk.test_commands import Office
from workshop.players.plain_ways import choose

SHORT: dict[str, dict[str, Any]] = {
    "ludix": {"target": 60},
    "rithmomachia/durnil-guardia": {"points": 40},
    "rithmomachia/mebben": {"minor": "points", "points": 20},
}
WAYS = ("alone", "two", "camera")
ENDLESS = {"rithmomachia/italian"}
"""Two programs reach no end of it: the players end it by agreement."""

TO_THE_END = {f"tables/{one}" for one in ("imperial", "fallas", "doze-canes", "doblet", "seis-dos-y-as", "paume-carie")}
"""Games of tables that are played to their end, one for each kind of goal; others end sooner, by agreement."""

PLIES = 60
"""Throws and choices after which players agree to end a match."""


def visitor(table: LiveTable) -> FlaskClient:
    return create_app(table, trusted_hosts=["localhost"]).test_client()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    table = LiveTable(tmp_path_factory.mktemp("plain") / "journal.db", features=TableFeatures(program_pause=3600.0))
    table.start()
    yield visitor(table)
    table.stop()


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    table = LiveTable(tmp_path_factory.mktemp("watched") / "journal.db", Seeing(open_source("push")))
    table.start()
    yield visitor(table)
    table.stop()


def ways_after_one_tap(client: FlaskClient) -> dict[str, dict[str, dict[str, Any]]]:
    """Tap a card of the start page, and return what the buttons of each game's card then send, by game and way."""
    cards = re.findall(r'class="start-card" href="([^"]+)"', client.get("/start").text)
    pages = [client.get(html.unescape(card)).text for card in cards]
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for slug, sent, rest in re.findall(
        r'name="game" value="([^"]+)".*? data-ways="([^"]+)"(.*?)</div>', pages[0], re.DOTALL
    ):
        found[slug] = json.loads(html.unescape(sent))
        assert re.findall(r'data-way="(\w+)"', rest) == [name for name in WAYS if name in found[slug]], slug
    assert all(len(re.findall(r"data-ways=", page)) == len(found) for page in pages)
    return found


@pytest.fixture(scope="module")
def offered_twos(plain: FlaskClient) -> dict[str, dict[str, Any]]:
    return {slug: buttons["two"] for slug, buttons in ways_after_one_tap(plain).items()}


def test_every_card_and_every_game_is_two_taps_from_the_start_page(plain: FlaskClient) -> None:
    ways = ways_after_one_tap(plain)
    assert list(ways) == list(games())
    for slug, buttons in ways.items():
        assert "two" in buttons
        assert ("alone" in buttons) == game(slug).program_plays
        for name in ("alone", "two"):
            if name not in buttons:
                continue
            assert plain.post("/api/command/new_match", json=buttons[name]).status_code == HTTPStatus.OK, (slug, name)
            state = plain.get("/api/state").get_json()
            assert not state["awaits"]["by_program"], slug
            people = [player["number"] for player in state["match"]["players"] if not player["program"]]
            assert len(people) == (1 if name == "alone" else 2), slug
            if state["awaits"]["kind"] == "throw":
                tap = plain.post("/api/command/roll", json={})
            else:
                tap = plain.post("/api/command/choose", json={"choice": state["choices"][0]["choice"]})
            assert tap.status_code == HTTPStatus.OK, (slug, name)
    for link in re.findall(r'data-begin="([^"]+)"', plain.get("/start").text):
        assert plain.post("/api/command/new_match", json=json.loads(html.unescape(link))).status_code == HTTPStatus.OK


def test_with_a_camera_in_use_it_reads_the_dice_and_one_can_still_throw(watched: FlaskClient) -> None:
    read = {slug: buttons for slug, buttons in ways_after_one_tap(watched).items() if "camera" in buttons}
    assert {slug for slug in games() if slug not in read} == {"tables/xii-scripta"}
    for slug, buttons in read.items():
        begun = watched.post("/api/command/new_match", json=buttons["camera"])
        assert begun.status_code == HTTPStatus.OK, slug
        state = watched.get("/api/state").get_json()
        assert state["match"]["dice_by"] == buttons["camera"]["dice_by"]
        if state["awaits"]["kind"] == "throw":
            assert watched.post("/api/command/roll", json={}).status_code == HTTPStatus.OK, slug
    assert watched.get("/camera?game=ludix").status_code == HTTPStatus.OK


@pytest.mark.parametrize("slug", games())
def test_a_whole_match_is_played_by_what_the_page_offers(
    slug: str, tmp_path: Path, offered_twos: dict[str, dict[str, Any]]
) -> None:
    office, page, chance = Office(tmp_path / "journal.db"), MatchPage(lambda _: False), random.Random(1)
    options = {"ending": "throws", "throws": 12} if slug.startswith("ludus-regularis") else SHORT.get(slug, {})
    assert office.do("new_match", **{**offered_twos[slug], "options": options}).ok
    agreed = slug in ENDLESS or (slug.startswith("tables/") and slug not in TO_THE_END)
    for _ in range(PLIES if agreed else 3000):
        shown = page.of(office.match)
        if shown["outcome"] is not None:
            break
        if shown["awaits"]["kind"] in ("throw", "recast"):
            assert office.do("roll").ok
            continue
        offered = [one["choice"] for one in shown["choices"]]
        position = office.match.position
        made = choose(position, chance).to_json() if isinstance(position, RithmoPosition) else chance.choice(offered)
        assert made in offered or "takes" in made, "who takes must see it: one taps the enemy"
        assert office.do("choose", choice=made).ok
    if agreed and not office.match.over:
        assert office.do("finish", reason="").ok
    assert office.match.over
    assert office.replayed() == office.match


@pytest.mark.parametrize("language", texts.languages())
def test_a_kiosk_names_every_game_in_at_most_three_words_and_none_like_another(language: str) -> None:
    say = texts.load(language)
    named = [
        say.get(f"kiosk.named.{slug.partition('/')[2]}", say.translated(one.title)) for slug, one in games().items()
    ]
    assert max(len(name.split()) for name in named) <= 3
    assert len(set(named)) == len(named)
