"""Whole matches and short scenes in ``golden/``, replayed line by line.

A file names its game, players, options and, for a scene, the position it begins with. Then a line a turn: the player,
the dice, and after the colon the choices as a player types them. ``*`` marks a hit, ``-`` that nothing
can be played, ``(5 6)`` the dice that were left over, ``lent`` those that the other side left. The last line tells the
end: ``wins 1``, ``tie`` or ``goes on``.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.registry import game
from tests.rules.tables import naive
from tests.rules.tables.against_naive import Both, compare, meant
from tests.rules.tables.naive_variants import VARIANTS

FOLDER = Path(__file__).parent / "golden"
TURN = re.compile(r"(?P<player>\d) (?P<lent>lent )?(?P<dice>[\d ]+):(?P<choices>[^()]*)(?:\((?P<left>[\d ]+)\))?")

NAIVE_KNOWS = {"men", "dice", "goal", "unused", "enter_first", "extra_turn", "doubles_twice", "ad_fallum"}


@dataclass
class Record:
    """A file of ``golden/``, read."""

    slug: str
    players: int
    options: dict[str, Any]
    position: dict[str, Any] | None
    turns: list[str]
    end: str

    def begin(self) -> Position:
        """Return the position that the record begins with."""
        if self.position is None:
            return game(self.slug).start(self.players, **self.options)
        asked = {"game": self.slug, "players": self.players, "options": self.options}
        return game(self.slug).from_json(self.position | asked)


def read(path: Path) -> Record:
    lines = [line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    lines = [line for line in lines if line]
    head = [line.partition(" ") for line in lines if not TURN.match(line)]
    stated = {name: rest for name, _, rest in head}
    options = {}
    for name, _, rest in head:
        if name == "option":
            option, value = rest.split()
            options[option] = {"true": True, "false": False}.get(value, int(value) if option == "men" else value)
    position = json.loads(stated["position"]) if "position" in stated else None
    turns = [line for line in lines if TURN.match(line)]
    return Record(stated["game"], int(stated.get("players", 2)), options, position, turns, lines[-1])


def hits(position: Position) -> int:
    """Return how many men of either side are in hand."""
    return sum(position.occupancy().get("hand", {}).values())


def replay(position: Position, line: str) -> Position:
    """Return the position after a turn, everything that its line says checked."""
    turn = TURN.fullmatch(line)
    assert turn is not None
    assert position.awaits.player == int(turn["player"])
    dice = turn["dice"].strip()
    if turn["lent"]:
        assert position.to_json()["dice"] == [int(die) for die in dice.split()]
    else:
        thrown = position.parse(dice)
        assert isinstance(thrown, Throw)
        position = position.after(thrown)
    left: list[int] = []
    for word in turn["choices"].replace(",", " ").replace("turn ", "turn=").split():
        if word == "-":
            break
        text = word.removesuffix("*").replace("=", " ")
        choice = position.parse(text)
        assert not isinstance(choice, Throw)
        assert position.text(choice) == text
        waiting = hits(position) - text.startswith("hand")
        left = list(position.to_json()["dice"])
        left.remove(choice.to_json().get("die", left[0]))
        position = position.after(choice)
        assert (hits(position) > waiting) == word.endswith("*"), word
    assert over(position, int(turn["player"]))
    if position.outcome is None and not turn["choices"].strip().endswith("-"):
        assert left == [int(die) for die in (turn["left"] or "").split()], line
    return position


def over(position: Position, player: int) -> bool:
    """Whether the turn of a player has ended: a throw is awaited, or the other side has the dice."""
    return position.awaits.kind != "choice" or position.awaits.player != player


def naive_can_tell(record: Record, position: Position) -> bool:
    """Whether the naive rules know this game's options, and can be set up in this position."""
    return record.options.keys() <= NAIVE_KNOWS and "won" not in position.to_json()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_every_recorded_line_is_played_as_it_says(path: Path) -> None:
    record = read(path)
    position = record.begin()
    assert not position.faults()
    for number, line in enumerate(record.turns):
        assert position.outcome is None
        if number % 10 == 0 and position.awaits.kind == "throw" and naive_can_tell(record, position):
            plain = naive.from_json(position.to_json(), **meant(record.options))
            compare(Both(position, plain).throw(line.partition(":")[0][2:]))
        position = replay(position, line)
    outcome = position.outcome
    if outcome is None:
        assert record.end == "goes on"
    elif set(outcome.winners) == set(range(1, record.players + 1)):
        assert record.end == "tie"
    else:
        assert record.end == f"wins {' '.join(map(str, outcome.winners))}"


def test_every_game_has_a_match_played_to_its_end() -> None:
    records = [read(path) for path in FOLDER.glob("*.txt")]
    whole = {record.slug for record in records if record.position is None and record.end != "goes on"}
    assert whole == set(VARIANTS)
