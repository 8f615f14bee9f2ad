"""Makes problems from games that the program plays with itself; each game follows from a seed and its number."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.parallel.parts import Workers
from companion.players.player import Budget
from companion.players.strengths import STRENGTHS, picked
from companion.players.thinking import player_of, think, weigh
from companion.problems.problem import KINDS, SCENE, Kind
from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.registry import game
from companion.whole_file import write_whole
from workshop.problems import ludix, ludus_regularis, rithmomachia, tables
from workshop.problems.found import Found

NUMBERS: Final = "rithmomachia/durnil-guardia"
POINTS: Final = (40, 60, 100, 150)
"""The points that win a game of Rithmomachia, in turn, so that wins fall at different times."""

TABLES: Final = (
    "tables/todas-tablas",
    "tables/emperador",
    "tables/imperial",
    "tables/quinze-tablas",
    "tables/fallas",
    "tables/zeno",
)
FAMILIES: Final = ("numbers", "tables", "zeno", "ludix", "virtues")
GAMES_AT_ONCE: Final = 4
"""Games of each family between two writings to the file: what an interruption may lose."""

LONGEST_GAME: Final = 300
"""Throws and choices after which a game is left."""

MOST_TAKEN: Final = 80
"""Throws of Ludus Regularis before a problem: some virtues are taken, most are free."""


@dataclass(frozen=True)
class Piece:
    """One game to play: its family, the seed of all, its number, and the kinds that are still wanted."""

    family: str
    seed: int
    number: int
    wanted: frozenset[Kind]

    @property
    def origin(self) -> str:
        """What a problem keeps of it."""
        return f"{self.family} {self.seed} {self.number}"


def made(piece: Piece) -> list[dict[str, Any]]:
    """Play a game and return its problems, at most one of a kind, of several one by lot."""
    every = list(met(piece))
    found = {kind: [one for one in every if one.kind == kind] for kind in KINDS if kind in piece.wanted}
    lots = {kind: random.Random(f"{piece.origin} {kind}") for kind in found}  # noqa: S311 - lots, no secrets
    return [lots[kind].choice(several).to_json(piece.origin) for kind, several in found.items() if several]


def met(piece: Piece) -> Iterator[Found]:
    """Play a game and yield every problem that it has."""
    chance = random.Random(piece.origin)  # noqa: S311 - dice, no secrets
    match piece.family:
        case "numbers":
            points = POINTS[piece.number % len(POINTS)]
            return _numbers(game(NUMBERS).start(2, innocent_delivery=False, points=points), chance)
        case "tables":
            return _thrown(game(TABLES[piece.number % len(TABLES)]).start(2), chance, tables.find)
        case "zeno":
            return _thrown(game("tables/zeno").start(2), chance, tables.find)
        case "ludix":
            return _thrown(game("ludix").start(2), chance, ludix.find)
    return _virtues(game("ludus-regularis").start(2), chance)


def _numbers(position: Position, chance: random.Random) -> Iterator[Found]:
    for _ in range(LONGEST_GAME):
        if position.outcome is not None:
            return
        weighed = weigh(position, Budget(depth=0))
        yield from rithmomachia.find(position, weighed)
        turn = picked(weighed, STRENGTHS["child"].temperature, chance, player_of(position.game).heat(position))
        for choice in turn.choices:
            position = position.after(choice)


def _thrown(
    position: Position, chance: random.Random, find: Callable[[Position, Throw], Iterator[Found]]
) -> Iterator[Found]:
    """Play a game of dice and yield what the first player's throws ask."""
    strength = STRENGTHS["beginner"]
    for _ in range(LONGEST_GAME):
        if position.outcome is not None:
            return
        if position.awaits.kind == "choice":
            for choice in think(position, strength, chance, Budget()).choices:
                position = position.after(choice)
            continue
        throw = chance.choice(position.throws())
        if position.awaits.player == 1:
            yield from find(position, throw)
        position = position.after(throw)


def _virtues(position: Position, chance: random.Random) -> Iterator[Found]:
    """Throw some times, so that some virtues are taken, and ask about three cubes."""
    for _ in range(chance.randrange(MOST_TAKEN)):
        if position.outcome is None:
            position = position.after(chance.choice(position.throws()))
    if position.awaits.kind == "throw":
        yield from ludus_regularis.find(position, chance)


def make(
    path: Path, wanted: dict[Kind, int], seed: int, workers: Workers, report: Callable[[int], object]
) -> dict[Kind, int]:
    """Add problems to a file until it has so many of each kind; return how many it has. ``told`` hears of new ones.

    Goes on after the games that the file names. An interruption loses the games since the last writing.
    """
    lines = _whole_lines(path)
    have = dict.fromkeys(KINDS, 0)
    seen, begun = set[str](), dict.fromkeys(FAMILIES, 0)
    for fields in map(json.loads, lines):
        have[fields["kind"]] += 1
        seen.add(_alike(fields))
        family, own, played = fields["origin"].split(" ")
        if int(own) == seed and family in begun:
            begun[family] = max(begun[family], int(played) + 1)
    if wanted.get("only") and not any(f'"{SCENE} ' in line for line in lines):
        lines.append(_line(tables.scene().to_json(f"{SCENE} 0 0")))
    while missing := frozenset(kind for kind in KINDS if have[kind] < wanted.get(kind, 0)):
        pieces = [
            Piece(family, seed, begun[family] + number, missing)
            for number in range(max(GAMES_AT_ONCE, workers.number))
            for family in _families(missing)
        ]
        results = dict(workers.run(made, pieces))
        for place, piece in enumerate(pieces):
            begun[piece.family] = max(begun[piece.family], piece.number + 1)
            for fields in results[place]:
                kind, same = fields["kind"], _alike(fields)
                if have[kind] < wanted[kind] and same not in seen:
                    seen.add(same)
                    have[kind] += 1
                    lines.append(_line(fields))
                    report(1)
        write_whole(path, "".join(lines).encode())
    return have


def _line(fields: dict[str, Any]) -> str:
    return json.dumps(fields, separators=(",", ":")) + "\n"


def _families(missing: frozenset[Kind]) -> Sequence[str]:
    """Return the families whose games can give a kind that is missing."""
    gives = {
        "numbers": {"all", "take", "win"},
        "tables": {"best", "point"},
        "zeno": {"only"},
        "ludix": {"risk"},
        "virtues": {"odds"},
    }
    return [family for family in FAMILIES if gives[family] & missing]


def _alike(fields: dict[str, Any]) -> str:
    """Return what two problems must not share: the question with its answer, wherever the other men stand."""
    if fields["kind"] == "odds":
        return f"odds {fields['shows']}"
    return f"{fields['kind']} {fields['game']} {fields.get('throw')} {sorted(fields['right'][0])}"


def _whole_lines(path: Path) -> list[str]:
    """Return the whole lines of a file; of one that was cut off by hand, nothing counts."""
    if not path.exists():
        return []
    return [line for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("\n")]
