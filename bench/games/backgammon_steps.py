"""Backgammon's turns here and in OpenSpiel: ``python -m bench.games.backgammon_steps -n 20000 --seed 1``.

Random games of OpenSpiel give the positions; in each, both programs list every board that the throw can lead to. It
needs ``pip install open_spiel``, which the project does not.
"""

import argparse
import json
import random
import re
import sys
from collections.abc import Iterator
from typing import Any

from companion.rules.board import HAND, OFF
from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.registry import game
from companion.rules.tables.points import POINTS

SLUG = "tables/backgammon"
MEN = 15
Standing = tuple[tuple[int, ...], tuple[int, ...]]
"""For each side, how many men stand on each of the 24 points in the order of its own way, then in hand, then off."""


def standing(state: Any) -> Standing:
    """Return the board of a state of OpenSpiel, X first."""
    text = str(state)
    bar = re.search(r"Bar:(.*)", text)
    scores = re.search(r"Scores, X: (\d+), O: (\d+)", text)
    assert bar is not None
    assert scores is not None
    sides = []
    for player, letter, way in ((0, "x", range(24)), (1, "o", range(23, -1, -1))):
        men = [state.board(player, point) for point in way]
        off = int(scores[player + 1])
        assert sum(men) + off + bar[1].count(letter) == MEN, text
        sides.append((*men, bar[1].count(letter), off))
    return sides[0], sides[1]


def theirs(state: Any, player: int) -> Iterator[Standing]:
    """Yield each board after the turn; a double is two turns in a row there."""
    if state.is_terminal() or state.current_player() != player:
        yield standing(state)
        return
    for action in state.legal_actions():
        yield from theirs(state.child(action), player)


def ours(before: Standing, player: int, dice: tuple[int, int]) -> set[Standing]:
    """Return each board after the turn by the rules of the program."""
    men = {}
    for side, counts in enumerate(before):
        way = POINTS if side == 0 else POINTS[::-1]
        men[str(side + 1)] = dict(zip(way, counts[:24], strict=True)) | {HAND: counts[24], OFF: counts[25]}
    position = game(SLUG).from_json({"game": SLUG, "turn": player + 1, "men": men})
    thrown = position.parse(" ".join(map(str, dice)))
    assert isinstance(thrown, Throw)
    found: set[Standing] = set()
    waiting, seen = [position.after(thrown)], set()
    while waiting:
        one = waiting.pop()
        if one.outcome is not None or one.awaits.kind != "choice":
            found.add(_read(one))
            continue
        for choice in one.legal():
            after = one.applied(choice)
            key = (_read(after), tuple(after.to_json()["dice"]))
            if key not in seen:
                seen.add(key)
                waiting.append(after)
    return found


def _read(position: Position) -> Standing:
    given = position.to_json()["men"]
    first, second = (
        (*(given[side].get(point, 0) for point in way), given[side][HAND], given[side][OFF])
        for side, way in (("1", POINTS), ("2", POINTS[::-1]))
    )
    return first, second


def main() -> int:
    """Compare, and print how many turns differ, with the first five of them."""
    import pyspiel  # type: ignore[import-not-found]  # noqa: PLC0415 - only this bench needs it

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=2000, help="throws to compare")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    board = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    compared, boards, differ, shown = 0, 0, 0, []
    while compared < given.n:
        state = board.new_initial_state()
        while not state.is_terminal() and compared < given.n:
            if state.is_chance_node():
                outcomes, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, shares)[0])
                continue
            player = state.current_player()
            thrown = re.search(r"Dice: ([1-6])([1-6])", str(state))
            assert thrown is not None
            dice = (int(thrown[1]), int(thrown[2]))
            before = standing(state)
            there, here = set(theirs(state, player)), ours(before, player, dice)
            compared, boards = compared + 1, boards + len(here)
            if there != here:
                differ += 1
                shown.append({"before": before, "player": player, "dice": dice, "there": len(there), "here": len(here)})
            while not state.is_terminal() and not state.is_chance_node():
                state.apply_action(chance.choice(state.legal_actions()))
    print(json.dumps({"throws": compared, "boards": boards, "differ": differ, "seed": given.seed, "shown": shown[:5]}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
