"""Golden matches, replayed line by line by the engine and by the naive rules beside it."""

from pathlib import Path

import pytest

from companion.rules.game import Position
from companion.rules.registry import game
from tests.rules.rithmomachia import naive
from tests.rules.rithmomachia.naive_golden import FOLDER, Match, read
from tests.rules.rithmomachia.naive_options import SLUGS

MATCHES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_a_match_goes_as_written(path: Path) -> None:
    match = read(path)
    position: Position = game(match.slug).from_json(match.first())
    state = match.first()
    for player, text in match.choices:
        choice = position.parse(text)
        assert position.awaits.player == player, text
        assert position.text(choice) == text
        assert choice in position.legal(), text
        assert text in naive.choices(state)
        assert not position.faults()
        position, state = position.after(choice), naive.after(state, text)
    _ended_as_written(match, position)
    assert naive.winners(state) == match.winners


def _ended_as_written(match: Match, position: Position) -> None:
    if not match.winners:
        assert match.winners == ()
        assert position.outcome is None
        return
    assert position.outcome is not None
    assert position.outcome.winners == match.winners
    assert match.reason in str(position.outcome.why)


@pytest.mark.parametrize("slug", SLUGS)
def test_each_game_has_at_least_three_matches_one_of_them_from_the_array(slug: str) -> None:
    matches = [match for match in map(read, MATCHES) if match.slug == slug]
    assert len(matches) >= 3
    assert any(not match.placed for match in matches)


def test_the_matches_show_every_capture_and_every_victory() -> None:
    matches = [read(path) for path in MATCHES]
    kinds = {text.split()[3] for match in matches for _, text in match.choices if text.startswith("takes ")}
    assert kinds == {"encounter", "ambush", "assault", "power", "progression", "siege", "delivery"}
    assert any(text.startswith("return ") for match in matches for _, text in match.choices)
    goals = {match.options.get(name) for match in matches for name in ("minor", "major", "goal", "ends")}
    assert goals >= {"de-corpore", "de-lite", "de-honore", "de-honore-litique", "digits"}
    assert goals >= {"magna", "superior", "excellentissima", "big", "great"}
