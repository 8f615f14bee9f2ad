"""A whole recorded match of 852 casts, second casts among them, gives the recorded end."""

import json
from pathlib import Path

from companion.rules.game import Position
from companion.rules.registry import game

RECORD = json.loads((Path(__file__).parent / "whole_match.json").read_text(encoding="utf-8"))


def test_the_recorded_match_ends_as_recorded() -> None:
    position: Position = game(RECORD["game"]).start(RECORD["players"])
    for text in RECORD["throws"]:
        assert position.outcome is None
        move = position.parse(text)
        assert position.text(move) == text
        position = position.after(move)
    assert position.outcome is not None
    assert list(position.outcome.winners) == RECORD["winners"]
    assert list(position.scores().values()) == RECORD["scores"]
    assert position.to_json()["virtues"] == RECORD["virtues"]
    assert any(":" in text for text in RECORD["throws"])
