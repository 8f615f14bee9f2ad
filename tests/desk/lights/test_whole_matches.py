"""Whole matches with a board of lights: at every ply each lit LED tells what the rules say, and every other is dark."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

from companion.desk.lights.marks import LightMarker, LightMarks, Meaning
from companion.desk.lights.theme import theme
from companion.desk.lights.usual_wiring import usual_wiring
from companion.odds.playouts import random_move
from companion.rules.dice import Throw
from companion.rules.game import Choice, Position
from companion.rules.registry import games
from companion.rules.rithmomachia.choices import Claim, Move
from companion.rules.tables import TablesPosition
from companion.rules.tables.choices import Step
from firmware_bridge.frame import DARK
from tests.desk.test_commands import Office
from tests.rules.rithmomachia.expressible import expressible as rithmomachia_choices
from tests.rules.tables.expressible import expressible as tables_choices

Expressible = Callable[[Position], Iterator[Choice]]


def allowed(position: Position, expressible: Expressible) -> tuple[set[str], set[str]]:
    """Return where men may go from and to, by asking the rules about every move that a hand could mean."""
    origins, ends = set(), set()
    if position.awaits.kind == "choice":
        for choice in expressible(position):
            if isinstance(choice, Step | Move) and position.why_not(choice) is None:
                data = choice.to_json()
                origins.add(str(data["from"]))
                ends.add(str(data["to"]))
    return origins, ends


def of(marks: LightMarks, *meanings: Meaning) -> set[str]:
    return {site for site, mark in marks.sites.items() if mark.meaning in meanings}


def own_men(position: Position) -> set[str]:
    """Return where the men of whoever is to play stand."""
    if isinstance(position, TablesPosition):
        return {site for site, men in position.occupancy().items() if str(position.side) in men and site != "off"}
    colour = ("white", "black")[position.awaits.player - 1]
    return {site for site, man in position.occupancy().items() if man["colour"] == colour}


def played(office: Office, move: Throw | Choice) -> None:
    if isinstance(move, Throw):
        reply = office.do("throw", faces=dict(move.shown), dice_set=move.set_name)
    else:
        reply = office.do("choose", choice=move.to_json())
    assert reply.ok, str(reply.sentence)


@pytest.mark.parametrize(
    ("slug", "expressible", "plies", "every"),
    [("tables/zeno", tables_choices, 300, 3), ("rithmomachia/italian", rithmomachia_choices, 120, 6)],
)
def test_lights_agree_with_the_rules_at_every_ply(
    slug: str, expressible: Expressible, plies: int, every: int, tmp_path: Path
) -> None:
    office, chance, marker = Office(tmp_path / "journal.db"), Random(slug), LightMarker()
    assert office.do("new_match", game=slug, players=["Anna", "Ben"], dice_by="tapped", options={}).ok
    wiring, colours = usual_wiring(slug), theme()
    seen: set[Meaning] = set()
    for ply in range(plies):
        position = office.match.position
        marks = marker.marks(office.match, "SYNCED")
        frame = wiring.frame(colours.colours(marks, ply / 7)).colours
        for site, (led,) in wiring.sites.items():
            assert (frame[led] != DARK) == (site in marks.sites)
        seen |= {mark.meaning for mark in marks.sites.values()}
        if office.match.over:
            assert not of(marks, Meaning.FROM, Meaning.TO, Meaning.TURN)
            break
        if ply % every == 0:
            origins, ends = allowed(position, expressible)
            assert of(marks, Meaning.FROM) == origins
            assert of(marks, Meaning.TO) == ends - origins
        assert of(marks, Meaning.TURN) - {f"player-{position.awaits.player}"} <= own_men(position)
        assert own_men(position) <= set(marks.sites)
        assert marks.sites[f"player-{position.awaits.player}"].player == position.awaits.player
        last = [turn for turn in office.match.history if turn.kind == "choice"][-1:]
        for turn in last:
            assert turn.account is not None
            assert {site for site in turn.account.sites if site != "hand"} <= set(marks.sites)
        played(office, random_move(position, chance))
    else:
        office.do("finish", reason="supper")
    assert {Meaning.TURN, Meaning.FROM, Meaning.TO, Meaning.LAST} <= seen


def test_a_man_who_is_hit_and_one_who_is_taken_are_told(tmp_path: Path) -> None:
    """Played at random until each has happened, in a game where it does."""
    for slug, meaning, entry in (
        ("tables/todas-tablas", Meaning.HIT, hit),
        ("rithmomachia/italian", Meaning.ACQUIRED, taken),
    ):
        office, chance = Office(tmp_path / f"{meaning}.db"), Random(5)
        assert office.do("new_match", game=slug, players=["Anna", "Ben"], dice_by="tapped", options={}).ok
        for _ in range(900):
            position = office.match.position
            if slug.startswith("rithmo") and (claims := [one for one in position.legal() if isinstance(one, Claim)]):
                move: Throw | Choice = claims[0]
            else:
                move = random_move(position, chance)
            account = position.account(move)
            played(office, move)
            site = entry(move, account.details)
            if site and site not in own_men(office.match.position):
                marks = LightMarker().marks(office.match, "PROPOSED")
                assert marks.sites[site].meaning == meaning
                assert marks.sites[site].player == position.awaits.player
                break
        else:
            pytest.fail(f"nothing of the kind in {slug}")


def hit(move: Throw | Choice, details: Mapping[str, object]) -> str:
    return str(move.to_json()["to"]) if details.get("hit") else ""


def taken(move: Throw | Choice, details: Mapping[str, object]) -> str:
    del details
    return move.target.site if isinstance(move, Claim) and not move.target.part else ""


@pytest.mark.parametrize("slug", games())
def test_every_game_tells_whose_turn_it_is_and_lights_no_site_that_it_has_not(slug: str, tmp_path: Path) -> None:
    office, chance, marker = Office(tmp_path / "journal.db"), Random(slug), LightMarker()
    assert office.do("new_match", game=slug, players=["Anna", "Ben"], dice_by="tapped", options={}).ok
    sites = {site.name for board in office.match.game.boards for site in board.sites}
    for _ in range(24):
        marks = marker.marks(office.match, "SYNCED")
        if office.match.over:
            break
        seats = {site for site in marks.sites if site.startswith("player-")}
        assert seats == {f"player-{office.match.position.awaits.player}"}
        assert set(marks.sites) - seats <= sites
        wired = usual_wiring(slug).sites
        assert any(site in wired for site in marks.sites) or not office.match.position.occupancy().keys() & set(wired)
        played(office, random_move(office.match.position, chance))
