"""The interface is as it is described: a hostile program that knows the description finds no fault."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import settings

from companion.desk.table.command_types import TABLE_COMMANDS
from companion.live.table import LiveTable
from companion.settings.record import TableSettings
from companion.web import create_app
from companion.web.access.pin import SHORTEST_CHOSEN
from companion.web.app_state import TABLE
from companion.web.interface.description import description
from companion.web.streams import STREAMS, Streams


@pytest.fixture(scope="module")
def attack() -> Callable[..., int]:
    """Return `attack`; every worker collects this file, and only one needs the large package behind it."""
    from tests.web.attacking import attack as hostile  # noqa: PLC0415

    return hostile


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    folder = tmp_path_factory.mktemp("described")
    table = LiveTable(folder / "journal.db")
    table.start()
    match = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "dice_by": "program"}
    assert table.command("new_match", match, "tests").ok
    made = create_app(table, trusted_hosts=["localhost"])
    STREAMS.put(made, Streams(table, life=0.02))
    yield made
    table.stop()


@pytest.mark.hypothesis
def test_no_request_makes_the_program_fail_and_every_answer_is_as_described(
    app: Flask, attack: Callable[..., int]
) -> None:
    once = settings().derandomize  # who explores asks each operation more
    asked = attack(app, 1 if once else 3, derandomize=once)
    assert asked > 100


def test_every_address_of_the_interface_is_described(app: Flask) -> None:
    script_of = description(app)["paths"]
    rules = {rule.rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/")}
    for rule in rules - {"/api/command/<name>"}:
        plain = rule.replace("<int:", "{").replace("<path:", "{").replace("<", "{").replace(">", "}")
        assert plain in script_of
    for name, contract in TABLE_COMMANDS.items():
        assert script_of[f"/api/command/{name}"]["post"]["summary"] == contract.about


def test_the_limits_of_a_commands_fields_are_described(app: Flask) -> None:
    reply = app.test_client().get("/api/description.json").get_json()

    def body(name: str) -> Any:
        schema = reply["paths"][f"/api/command/{name}"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        return reply["components"]["schemas"][schema["$ref"].rpartition("/")[2]]

    pace = body("autoplay")["properties"]["pace"]
    assert (pace["minimum"], pace["maximum"], pace["default"]) == (0.1, 1000.0, 2.0)
    assert set(body("new_match")["properties"]["dice_by"]["enum"]) == {"camera", "tapped", "program"}
    assert body("new_match")["required"] == ["game", "players"]
    assert body("throw")["properties"]["faces"]["additionalProperties"] == {"type": "string"}
    assert body("pause")["properties"] == {}


def test_the_bodies_of_other_addresses_are_described_as_they_are_read(app: Flask) -> None:
    reply = app.test_client().get("/api/description.json").get_json()

    def body(address: str) -> Any:
        schema = reply["paths"][address]["post"]["requestBody"]["content"]["application/json"]["schema"]
        return [reply["components"]["schemas"][one["$ref"].rpartition("/")[2]] for one in schema.get("anyOf", [schema])]

    (pin,), (settings,) = body("/api/owner/pin"), body("/api/owner/settings")
    assert (pin["properties"]["pin"]["minLength"], pin["required"]) == (SHORTEST_CHOSEN, ["pin"])
    assert set(settings["properties"]) == set(TableSettings.__struct_fields__)
    assert settings["properties"]["program_pause"]["maximum"] == 60
    steps = body("/api/calibration/{act}")
    corners = next(one["properties"]["corners"] for one in steps if "corners" in one["properties"])
    assert (corners["minItems"], corners["maxItems"]) == (4, 4)
    for name in ("/api/owner", "/api/owner/advise", "/api/phone/pair"):
        assert len(body(name)) == 1


def test_what_is_the_owners_is_marked_so(app: Flask) -> None:
    made = create_app(TABLE.get(app), trusted_hosts=["localhost"], owner_pin="314159")
    client = made.test_client()
    for path, methods in description(made)["paths"].items():
        if path in {"/api/events", "/api/matches"}:
            continue
        address = path.replace("{act}", "leave").replace("{name}", "table")
        address = re.sub(r"\{(match|face|throw|find|dice|number)\}", "1", address)
        for method, entry in methods.items():
            answer = client.open(
                address.replace("{slug}", "ludix"), method=method.upper(), data="{}", content_type="application/json"
            )
            assert ("security" in entry) == (answer.status_code == 401), path


def test_the_description_names_no_path_of_this_machine(app: Flask, tmp_path: Path) -> None:
    text = app.test_client().get("/api/description.json").get_data(as_text=True)
    assert str(tmp_path.parent) not in text
    assert str(Path.home()) not in text
