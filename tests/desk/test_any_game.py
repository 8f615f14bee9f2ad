"""Whatever is asked of the table in whatever game: its state is the replay of its journal, and nothing breaks."""

import random
from pathlib import Path

import pytest

from companion.referee.events import Committed
from companion.rules.registry import games
from companion.rules.results import Outcome
from tests.desk.test_commands import Office

GAMES = [
    slug for slug in ("tables/zeno", "tables/pyf", "tables/laquet", "ludix", "rithmomachia/italian") if slug in games()
]
COMMANDS = ("roll",) * 4 + ("choose",) * 8 + ("take_back",) * 2 + ("correct", "pause") + ("unpause",) * 4


def ask(office: Office, name: str, chance: random.Random) -> None:
    """Give one command as a page would, with data that fits or nearly fits."""
    match = office.match
    if name == "choose":
        choices = list(match.position.legal())
        if choices:
            office.do("choose", choice=chance.choice(choices).to_json())
    elif name == "take_back":
        last = match.last_choice
        office.do("take_back", event=last.event if last is not None else len(match.entries))
    elif name == "correct":
        commits = [entry.number for entry in match.entries if isinstance(entry.event, Committed)]
        if commits:
            void = {"event": chance.choice(commits), "faces": None, "reason": "it fell off the table"}
            preview = office.do("preview_correction", **void)
            if preview.ok:
                assert office.do("correct", **void, token=preview.data["token"], keep="all").ok
    else:
        office.do(name)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("slug", GAMES)
def test_the_state_is_the_replay_of_the_journal(slug: str, seed: int, tmp_path: Path) -> None:
    office = Office(tmp_path / "journal.db", seed)
    assert office.do("new_match", game=slug, players=["Anna", "Ben"], dice_by="program").ok
    chance = random.Random(seed)
    for _ in range(70):
        ask(office, chance.choice(COMMANDS), chance)
        again = office.replayed()
        assert again.position == office.match.position
        assert again.misfit == office.match.misfit
        assert again.position.outcome is None or isinstance(again.outcome, Outcome)
    assert len(office.match.history) > 10


@pytest.mark.parametrize("slug", games())
def test_a_match_of_any_game_is_ended_by_agreement(slug: str, tmp_path: Path) -> None:
    office = Office(tmp_path / "journal.db")
    assert office.do("new_match", game=slug, players=["Anna", "Ben"], dice_by="program").ok
    for name in ("roll", "choose", "roll", "choose"):
        ask(office, name, random.Random(1))
    assert office.do("finish", reason="supper").ok
    assert office.match.outcome is not None
    assert "Ended by agreement." in str(office.match.outcome.why)
    assert office.do("reset").ok
    assert office.match.position == office.match.start
