"""What is declared of a command is what is asked of its data, what is said of it, and what is described."""

from typing import Any

import msgspec
import pytest

from companion.desk.command import Command, CommandDataError, CommandSet, Contract
from companion.desk.series.command_types import SERIES_COMMANDS
from companion.desk.table.command_types import TABLE_COMMANDS, NewMatch
from companion.language.sentence import Sentence

EVERY = [
    pytest.param(commands, contract, id=f"{room} {contract.name}")
    for room, commands in (("table", TABLE_COMMANDS), ("laboratory", SERIES_COMMANDS))
    for contract in commands.values()
]
RIGHT: dict[str, Any] = {"string": "x", "integer": 1, "number": 0.5, "boolean": True, "object": {}, "array": []}


def described(contract: Contract) -> dict[str, Any]:
    """Return the JSON schema of a command's data."""
    return dict(msgspec.json.schema_components([contract.type])[1][contract.type.__name__])


def right(contract: Contract) -> dict[str, Any]:
    """Return data with every field, each as its schema says."""
    return {
        name: state["enum"][0] if "enum" in state else RIGHT[state.get("type") or state["anyOf"][0]["type"]]
        for name, state in described(contract)["properties"].items()
    }


@pytest.mark.parametrize(("commands", "contract"), EVERY)
def test_every_command_and_every_field_says_what_it_is_for(commands: CommandSet, contract: Contract) -> None:
    assert contract.about.endswith(".")
    assert commands[contract.name] is contract
    assert all(state["description"] for state in described(contract)["properties"].values())


@pytest.mark.parametrize(("commands", "contract"), EVERY)
def test_what_fits_the_description_is_read_and_what_is_beside_it_ignored(
    commands: CommandSet, contract: Contract
) -> None:
    data = right(contract)
    read = commands.read(contract.name, {**data, "something": "else"})
    assert type(read) is contract.type
    assert msgspec.to_builtins(read) == data


@pytest.mark.parametrize(("commands", "contract"), EVERY)
def test_what_is_required_is_missed_in_words(commands: CommandSet, contract: Contract) -> None:
    data = right(contract)
    for name in described(contract)["required"]:
        without = {field: value for field, value in data.items() if field != name}
        if (contract.name, name) == ("session", "name"):  # nothing is no session
            assert commands.read(contract.name, without)
            continue
        with pytest.raises(CommandDataError) as refused:
            commands.read(contract.name, without)
        assert isinstance(refused.value.sentence, Sentence)


@pytest.mark.parametrize(("commands", "contract"), EVERY)
@pytest.mark.parametrize("wrong", [b"", 1.5j, float("nan"), [None], {"a": [1]}, True, "\u202e"])
def test_a_value_of_another_kind_is_refused_in_our_own_words(
    commands: CommandSet, contract: Contract, wrong: Any
) -> None:
    data = right(contract)
    for name in data:
        try:
            commands.read(contract.name, {**data, name: wrong})
        except CommandDataError as why:
            assert "`" not in str(why)  # noqa: PT017  (what fits here is another field's matter)


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("pause_it", {}, "The commands are new_match, resume, "),
        ("resume", {}, "Expected match as a whole number, but got None."),
        ("resume", {"match": True}, "Expected match as a whole number, but got True."),
        ("resume", {"match": 1.0}, "Expected match as a whole number, but got 1.0."),
        ("explain_choice", {"text": "x" * 99}, None),
        ("explain_choice", {"text": 10**80}, f"Expected text as a text, but got 1{'0' * 59}."),
        ("throw", {"faces": []}, "Expected faces as an object, but got []."),
        ("throw", {"faces": {}, "dice_set": None}, "Expected dice_set as a text, but got None."),
        ("throw", {"faces": {"1": None}}, "Expected the faces as texts under the names of their dice."),
        ("preview_correction", {"event": 1, "faces": None, "choice": None}, None),
        ("preview_correction", {"event": 1, "faces": {"1": 2}}, "Expected the faces as texts under the names of"),
        ("choose", {}, "Expected choice as an object, but got None."),
        ("autoplay", {"on": True, "pace": float("nan")}, "Expected 0.1 to 1000.0 throws a second, but got nan."),
        ("correct", {"event": 1, "token": ""}, "A correction needs a reason that the others can read."),
        ("correct", {"event": 1, "token": "", "reason": "x", "keep": "some"}, "Later throws no longer fit"),
        ("new_match", {"game": "ludix", "players": ["A", 2]}, "Expected the players' names as texts."),
        (
            "new_match",
            {"game": "ludix", "players": ["A"], "dice_by": "x"},
            "Expected camera, tapped or program, but",
        ),
        ("new_match", {"game": "ludix", "players": ["A"], "dice_by": 3}, "Expected dice_by as a text, but got 3."),
        ("correct", {"event": 1, "token": "", "reason": 3}, "Expected reason as a text, but got 3."),
        ("new_match", {"game": "ludix", "players": ["A"], "men_by": "x"}, "Expected camera or tapped, but"),
        ("new_match", {"game": "ludix", "players": ["A"], "programs": [0]}, "Expected the numbers of players for whom"),
    ],
)
def test_data_is_refused_in_the_sentence_of_its_field(name: str, data: dict[str, Any], text: str | None) -> None:
    if text is None:
        assert TABLE_COMMANDS.read(name, data)
        return
    with pytest.raises(CommandDataError) as refused:
        TABLE_COMMANDS.read(name, data)
    assert str(refused.value.sentence).startswith(text)


def test_a_command_that_nothing_carries_out_is_found_when_the_program_starts() -> None:
    commands = CommandSet()

    @commands.command("dance", "anyone")
    class Dance(Command, frozen=True):
        """Dance on the table."""

    commands.require_handlers([Dance])
    with pytest.raises(TypeError, match="Dance"):
        commands.require_handlers([NewMatch])
