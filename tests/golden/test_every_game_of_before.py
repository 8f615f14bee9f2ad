"""A journal with a match of every game that 3c665223 had opens today, and each stands as it stood then."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from companion.referee.journal import Journal
from companion.referee.match import Match
from tests.golden.copying import GOLDEN

BEFORE: Final = GOLDEN / "3c665223"
EXPECTED: Final[Mapping[str, Any]] = json.loads((BEFORE / "expected.json").read_text(encoding="utf-8"))
CAME_SINCE: Final = {"captures": "all", "second_side": "z"}
"""Options that these games did not have then: at the value by which they were played."""


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copy(BEFORE / "matches.db", tmp_path_factory.mktemp("before")))


@pytest.mark.parametrize("number", EXPECTED, ids=lambda number: f"{number} {EXPECTED[number]['game']}")
def test_a_match_of_before_stands_as_it_stood(journal: Path, number: str) -> None:
    was = EXPECTED[number]
    with Journal(journal, writable=False) as kept:
        match = Match.of(kept.events(int(number)))
    position = json.loads(json.dumps(match.position.to_json()))
    new = {name: position["options"].pop(name) for name in set(position["options"]) - set(was["position"]["options"])}
    assert new.items() <= CAME_SINCE.items()
    assert position == was["position"]
    assert (match.started.game, match.over, match.paused) == (was["game"], was["over"], was["paused"])
    assert [[one.number, type(one.event).__name__, one.actor] for one in match.entries] == was["chain"]
    assert match.entries[-1].hash == was["last_hash"]


def test_every_game_of_then_is_there() -> None:
    assert len({was["game"] for was in EXPECTED.values()}) == len(EXPECTED) == 34
    assert {kind for was in EXPECTED.values() for _, kind, _ in was["chain"]} == {
        *("MatchStarted", "Committed", "Paused", "Corrected", "Finished"),
    }
