"""Every shipped problem looked at again: has it one answer? ``python -m bench.games.problems``.

Nothing here is what made the problems. Captures, wins and only plays are looked for exhaustively by the naive rules of
the tests. The best play of a throw of tables is played on to the end against every other play, some games for each at
first and ``-n`` for those that come near: its margin must be at least `ERRORS` standard errors. The best choice in
Ludix likewise, with the master on both sides. The faces of a tetrahedron are thrown, each one.
``--keep FILE`` adds those that pass to a file, with the chances that the games bore out.
"""

import argparse
import json
import math
import os
import random
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from companion.odds.tables.games import RunningGames
from companion.players.strengths import STRENGTHS
from companion.players.tables.boards import Boards
from companion.players.tables.ground import ground
from companion.players.thinking import think
from companion.problems.judging import judged
from companion.problems.problem import Problem, read, shipped
from companion.rules.dice import Throw, dice_set
from companion.rules.game import Position
from companion.rules.tables import TablesPosition
from tests.rules.rithmomachia import naive as numbers
from tests.rules.tables import naive as tables
from workshop.players.vectorised import CAP, played, tempered

ERRORS: Final = 3.0
"""By how many standard errors the best must be ahead of each other choice."""

FIRST: Final = 60
"""Games of each play at first; a play that is behind by more than `FAR` standard errors then gets no more."""

FAR: Final = 4.0

MORE: Final = 3
"""How many times as many games of Ludix follow where the first do not decide; its margins are known to be small."""

Checked = tuple[bool, str, tuple[float, ...]]
"""Whether the problem has one answer, what was found, and the chances to win that were played out."""


def whole_turns(state: numbers.State) -> dict[str, bool]:
    """Return for each move whether some captures after it win, by the naive rules: every order of them is tried."""
    mover = state["turn"]
    return {text: _wins(numbers.after(state, text), mover) for text in sorted(numbers.choices(state)) if "-" in text}


def _wins(state: numbers.State, mover: int) -> bool:
    ended = numbers.winners(state)
    if ended:
        return ended == (mover,)
    if state["turn"] != mover or state["phase"] != "claims":
        return False
    return any(_wins(numbers.after(state, text), mover) for text in sorted(numbers.choices(state)))


def in_numbers(problem: Problem) -> Checked:
    """Look through every move of a position of Rithmomachia."""
    state: dict[str, Any] = {"triumphs": {}, "removed": {}, "returned": {"1": [], "2": []}, **problem.asked.to_json()}
    if problem.kind == "win":
        winning = {text for text, wins in whole_turns(state).items() if wins}
        return winning == {line[0] for line in problem.right}, f"winning moves {sorted(winning)}", ()
    if problem.kind == "all":
        targets = {text.split()[1] for text in numbers.choices(state) if text.startswith("takes")}
        return targets == {text.split()[1] for text in problem.right[0]}, f"captures {sorted(targets)}", ()
    moves = [text for text in numbers.choices(state) if "-" in text]
    at_once = [text for text in numbers.choices(state) if text.startswith("takes")]
    found = {
        (move, text.partition(" from ")[0])
        for move in moves
        for text in numbers.choices(numbers.after(state, move))
        if text.startswith("takes")
    }
    one = len({(move, text.split()[1]) for move, text in found}) == 1
    return one and not at_once and found == set(problem.right), f"captures {sorted(found)}", ()


def only_play(problem: Problem) -> Checked:
    """Count the plays of a throw by the naive rules."""
    data = problem.asked.to_json()
    plays = tables.plays(tables.from_json(data, **data["options"]))
    return len(plays) == 1, f"{len(plays)} plays", ()


def rolled_out(positions: list[TablesPosition], games: int, seed: int) -> npt.NDArray[np.float64]:
    """Return what the first side wins of so many games from each position that awaits a throw: positions by games.

    Both sides play as the master does without a look ahead. All positions have the same dice.
    """
    laid = ground(positions[0].rules)
    boards = Boards.joined([laid.board(position).take(np.zeros(games, np.int64)) for position in positions])
    running = RunningGames(laid.layout, seed, CAP, np.tile(np.arange(games), len(positions)))
    running.men, running.hit, running.block, running.blots = boards.men, boards.hit, boards.block, boards.blots
    running.side, running.turn, running.thrower = (boards.side.astype(np.int8) for _ in range(3))
    running.game = np.arange(len(boards))  # the streams of dice have their keys already
    pick = tempered(0, seed)
    return played(running, (laid.search, laid.search), (pick, pick), 0).reshape(len(positions), games)


def best_play(problem: Problem, games: int, seed: int) -> Checked:
    """Play on after each play of a throw; the side to play is the first."""
    ends = [play.position for play in problem.asked.plays()]
    going = [end for end in ends if isinstance(end, TablesPosition) and end.outcome is None]
    right = [problem.goal.reached(end) for end in going]
    if sum(right) != 1 or len(going) != len(ends):
        return False, "the game can end", ()
    order = sorted(going, key=lambda end: not problem.goal.reached(end))
    won = rolled_out(order, FIRST, seed)
    near = [row for row in range(1, len(order)) if _behind(won[0], won[row]) < FAR]
    if any(_behind(won[0], won[row]) < -ERRORS for row in near):
        return False, "another play won far more at first", ()
    if not near:
        near = [1 + int(np.argmax(won[1:].mean(axis=1)))]
    more = rolled_out([order[0], *(order[row] for row in near)], games, seed + 1)
    margins = [_behind(more[0], more[row]) for row in range(1, len(more))]
    chances = (float(more[0].mean()), float(more[1:].mean(axis=1).max()))
    said = f"{chances[0]:.3f} against {chances[1]:.3f}, {min(margins):.1f} standard errors, {len(order)} plays"
    return min(margins) >= ERRORS, said, chances


def _behind(best: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    """Return by how many standard errors the other play is behind, game by game with the same dice at the throw."""
    apart = best - other
    error = float(apart.std(ddof=1)) / math.sqrt(len(apart))
    return float(apart.mean()) / error if error else math.copysign(math.inf, float(apart.mean()) or -1)


def risk(problem: Problem, games: int, seed: int) -> Checked:
    """Play on after each choice of Ludix, the master on both sides; `MORE` times as often if it does not decide."""
    (right,) = problem.right
    chance = random.Random(seed)
    won = {problem.asked.text(choice): list[float]() for choice in problem.asked.legal()}
    for count in (games, MORE * games):
        for text, wins in won.items():
            after = problem.after((text,))
            wins += [_won(after, problem.player, chance) for _ in range(count)]
        mean = {text: float(np.mean(wins)) for text, wins in won.items()}
        error = {text: float(np.var(wins)) / len(wins) for text, wins in won.items()}
        best, others = mean[right[0]], [text for text in won if text != right[0]]
        margin = min((best - mean[text]) / math.sqrt(error[right[0]] + error[text]) for text in others)
        if margin >= ERRORS:
            break
    second = max(mean[text] for text in others)
    return margin >= ERRORS, f"{best:.3f} against {second:.3f}, {margin:.1f} standard errors", ()


def _won(position: Position, player: int, chance: random.Random) -> float:
    while position.outcome is None:
        if position.awaits.kind == "choice":
            position = position.applied(think(position, STRENGTHS["master"], chance).choice)
        else:
            position = position.applied(chance.choice(position.throws()))
    winners = position.outcome.winners
    return (player in winners) / len(winners)


def faces(problem: Problem) -> Checked:
    """Throw each face of the tetrahedron with the cubes, and count who has acquired something."""
    before = problem.asked.scores()[problem.player]
    (last,) = (die for die in dice_set("wibold").dice if die.name not in problem.shows)
    wins = sum(
        problem.asked.after(Throw.of("wibold", {**problem.shows, last.name: face.text})).scores()[problem.player]
        > before
        for face in last.faces
    )
    others = [str(count) for count in range(len(last.faces) + 1) if judged(problem, [str(count)]).verdict == "done"]
    return others == [str(wins)] == list(problem.right[0]), f"{wins} faces", ()


def checked(problem: Problem, games: int, seed: int) -> Checked:
    """Return what was found of one problem; its first line must be judged right besides."""
    if judged(problem, [*(["throw"] if problem.throw else []), *problem.right[0]]).verdict != "done":
        return False, "its line is not right", ()
    match problem.kind:
        case "take" | "win" | "all":
            return in_numbers(problem)
        case "only":
            return only_play(problem)
        case "risk":
            return risk(problem, games, seed)
        case "odds":
            return faces(problem)
    return best_play(problem, games, seed)


def main() -> int:
    """Print the figures; fail if a problem has no single answer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", help="problems to look at; by default those that are shipped")
    parser.add_argument("-n", type=int, default=1000, help="games of each play that comes near the best")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", help="only these kinds")
    parser.add_argument("--keep", type=Path, help="add those that pass to this file")
    parser.add_argument("--json", action="store_true", help="print the figures alone")
    given = parser.parse_args()
    if given.file is None:
        problems = shipped()
    else:
        with given.file.open(encoding="utf-8") as lines:
            problems = read(lines)
    begun, counts, failed = time.monotonic(), Counter[str](), list[str]()
    for problem in problems:
        if given.kinds and problem.kind not in given.kinds:
            continue
        good, said, chances = checked(problem, given.n, given.seed + problem.number)
        counts[problem.kind] += 1
        if not good:
            failed.append(f"{problem.number} {problem.kind}: {said}")
        elif given.keep is not None:
            kept = replace(problem, chances=chances or problem.chances)
            with given.keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(kept.to_json(), separators=(",", ":")) + "\n")
        if not given.json:
            print(
                problem.number, problem.kind, problem.slug, "one answer" if good else "NOT ONE ANSWER", said, flush=True
            )
    figures = {"problems": dict(counts), "n": given.n, "seed": given.seed, "failed": failed}
    print(json.dumps(figures | {"seconds": round(time.monotonic() - begun), "load": round(os.getloadavg()[0], 1)}))
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
