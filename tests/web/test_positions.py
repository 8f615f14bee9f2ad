"""Setting up a position: its faults are named, and whatever has none begins a match that can be played."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.live.table import LiveTable
from companion.rules.game import Position
from companion.rules.registry import game as game_of
from companion.web import create_app
from companion.web.learning.positions import with_men
from tests.web.fake_table import FakeTable

GAMES = ("tables/zeno", "tables/pyf", "tables/doblet", "rithmomachia/durnil-guardia", "rithmomachia/italian")


@pytest.fixture
def client() -> FlaskClient:
    return create_app(FakeTable(), trusted_hosts=["localhost"]).test_client()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    live = LiveTable(tmp_path / "journal.db")
    live.start()
    yield live
    live.stop()


def judged(client: FlaskClient, position: dict[str, Any], *line: str) -> dict[str, Any]:
    reply = client.post("/api/positions", json={"position": position, "line": line})
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = json.loads(reply.text)
    return found


def played_on(slug: str, chance: random.Random) -> dict[str, Any]:
    """Return a position that some acts at random lead to."""
    game = game_of(slug)
    position: Position = game.start(game.least_players)
    for _ in range(chance.randrange(30)):
        acts = list(position.legal()) or list(position.throws())
        if not acts:
            break
        position = position.after(chance.choice(acts))
    return position.to_json()


def disturbed(data: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Put a man elsewhere, take one away, or turn the dice, as somebody who sets up by hand does."""
    data = json.loads(json.dumps(data))
    act = chance.randrange(4)
    if data["game"].startswith("tables"):
        side = data["men"][chance.choice("12")]
        if act == 3:
            data["dice"] = [chance.randrange(1, 8) for _ in range(chance.randrange(4))]
        else:
            site = chance.choice("abcfgmnstz")
            side[site] = max(0, side.get(site, 0) + chance.choice((-1, 1)))
        return data
    site = chance.choice(sorted(data["men"]) or ["a1"])
    man = data["men"].pop(site, None)
    if man is not None and act:
        data["men"][chance.choice(("d8", "e9", "z9", site))] = {**man, "number": man["number"] + (act == 3)}
    return data


@pytest.mark.parametrize("slug", GAMES)
def test_what_has_no_fault_begins_a_match_and_what_has_one_is_refused_with_it(
    client: FlaskClient, table: LiveTable, slug: str
) -> None:
    chance = random.Random(slug)
    begun = 0
    for _ in range(25):
        position = played_on(slug, chance)
        if chance.random() < 0.6:
            position = disturbed(position, chance)
        answer = client.post("/api/positions", json={"position": position})
        found = json.loads(answer.text)
        players = ["A"] * int(position.get("players", 2))
        names = [f"{name}{number}" for number, name in enumerate(players)]
        reply = table.command("new_match", {"game": slug, "players": names, "position": position}, "owner")
        if answer.status_code == 400:
            assert (reply.ok, str(reply.sentence)) == (False, found["error"])
            continue
        assert reply.ok == (not found["faults"] and found["outcome"] is None), (position, found["faults"], reply)
        if reply.ok:
            begun += 1
            state = table.snapshot().data
            assert state["board"]["men"] == found["board"]["men"]
            assert [one["text"] for one in state["choices"]] == [one["text"] for one in found["choices"]]
        elif found["faults"]:
            assert str(reply.sentence) == found["faults"][0]
    assert begun >= 5


def test_a_match_from_a_position_begins_there_again_after_a_restart(tmp_path: Path) -> None:
    position = {"game": "tables/zeno", "men": {"1": {"a": 14, "z": 1}, "2": {"z": 0, "k": 15}}, "turn": 2}
    for start in (True, False):
        live = LiveTable(tmp_path / "journal.db")
        live.start()
        if start:
            assert live.command(
                "new_match", {"game": "tables/zeno", "players": ["A", "B"], "position": position}, "x"
            ).ok
        else:
            assert live.command("reset", {}, "owner").ok
        assert live.snapshot().data["board"]["men"] == {"a": {"1": 14}, "k": {"2": 15}, "z": {"1": 1}}
        live.stop()


def test_a_match_that_begins_in_the_middle_of_a_turn_knows_its_dice(table: LiveTable) -> None:
    men = {"1": {"a": 15}, "2": {"z": 15}}
    position = {"game": "tables/zeno", "men": men, "turn": 1, "dice": [2, 5, 6]}
    assert table.command("new_match", {"game": "tables/zeno", "players": ["A", "B"], "position": position}, "x").ok
    state = table.snapshot().data
    assert state["match"]["dice_sets"] == ["pips"]
    assert state["awaits"]["kind"] == "choice"
    for text in ("a-c", "a-f", "a-g"):
        assert table.command("choose", {"text": text}, "x").ok
    faces = {"1": "1", "2": "1", "3": "2"}
    assert table.command("throw", {"faces": faces, "dice_set": "pips"}, "x").ok


def test_the_rules_say_what_can_be_taken_and_why(client: FlaskClient) -> None:
    men = {
        "d2": {"colour": "white", "shape": "circle", "number": 4},
        "c7": {"colour": "black", "shape": "triangle", "number": 12},
    }
    found = judged(client, {"game": "rithmomachia/durnil-guardia", "men": men, "turn": 1})
    assert found["faults"] == []
    assert any("4 x 3 = 12" in sentence for sentence in found["taking"]), found["taking"]


def test_a_line_is_played_until_the_rules_refuse(client: FlaskClient) -> None:
    position = game_of("tables/zeno").start(2).to_json()
    done = judged(client, position, "2 5 6", "a-c")
    assert done["board"]["men"]["c"] == {"1": 1}
    assert done["dice"]["faces"] == {"1": "2", "2": "5", "3": "6"}
    refused = judged(client, position, "2 5 6", "a-b")
    assert refused["refused"]
    assert refused["board"]["men"] == {"a": {"1": 15}, "z": {"2": 15}}


@pytest.mark.parametrize(
    ("body", "status", "part"),
    [
        ({"position": {"game": "chess"}}, 404, "no game of men"),
        ({"position": {"game": "tables/zeno", "men": {}, "trun": 2}}, 400, "trun"),
        ({"position": [1]}, 400, "position"),
        ({}, 400, "position"),
        ({"position": {"game": "tables/zeno"}, "line": ["x" * 500]}, 400, "position"),
    ],
)
def test_a_bad_request_gets_one_sentence(client: FlaskClient, body: dict[str, Any], status: int, part: str) -> None:
    reply = client.post("/api/positions", json=body)
    assert reply.status_code == status
    assert part in json.loads(reply.text)["error"]


def test_the_page_offers_every_game_with_men_and_rules(client: FlaskClient) -> None:
    page = client.get("/position?game=tables/zeno").text
    assert '<option value="tables/zeno" selected>' in page
    assert len(with_men()) == page.count("<option ") == 30
    assert client.get("/position?game=nonsense").status_code == 200


def test_a_hint_names_the_best_turn_of_a_position_and_how_often_it_wins(client: FlaskClient) -> None:
    men = {"1": {"z": 1, "y": 1, "off": 13}, "2": {"a": 15}}
    body = {"position": {"game": "tables/backgammon", "men": men, "turn": 1}, "line": ["1 2"]}
    answer = client.post("/api/positions/hint", json=body)
    assert answer.status_code == 200, answer.text
    best, *_ = json.loads(answer.text)
    assert "100 of 100 games" in best
    thrown = client.post("/api/positions/hint", json=body | {"line": []})
    assert json.loads(thrown.text) == ["There is nothing to choose now: throw the dice."]


def test_a_position_is_drawn_as_an_image_also_with_a_fault(client: FlaskClient) -> None:
    men = {"1": {"a": 1, "c": 7, "hand": 3}, "2": {"k": 14}}
    body = {"position": {"game": "tables/backgammon", "men": men, "turn": 1}, "line": []}
    answer = client.post("/api/positions/picture", json=body)
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "image/svg+xml"
    counts = re.findall(r'class="pic-count on-(.)"[^>]*>(\d+)<', answer.text)
    assert {("1", "3"), ("1", "7"), ("2", "14")} <= set(counts)
    assert client.post("/api/positions/picture", json={"position": {"game": "ludix"}}).status_code == 404


def test_a_game_of_tables_says_which_men_a_throw_can_hit(client: FlaskClient) -> None:
    men = {"1": {"f": 14, "a": 1}, "2": {"z": 14, "b": 1}}
    found = judged(client, {"game": "tables/backgammon", "men": men, "turn": 1})
    assert found["taking"] == [
        "Player 1 can hit with 11 of 36 throws: on b with 11.",
        "Player 2 can hit with 11 of 36 throws: on a with 11.",
    ]
