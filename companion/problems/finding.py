"""What makes a problem of a played position: one answer that the rules or chances single out, and how rare it is."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from companion.lessons.course import courses
from companion.players.player import Budget, Weighed
from companion.players.strengths import STRENGTHS, picked
from companion.players.thinking import player_of, weigh
from companion.problems.packing import packed
from companion.problems.problem import Kind
from companion.rules.board import OFF
from companion.rules.dice import Throw, all_throws, dice_set
from companion.rules.game import Choice, Position
from companion.rules.ludix import Formed, LudixPosition
from companion.rules.ludus_regularis.position import LudusPosition
from companion.rules.ludus_regularis.rulings import CUBES
from companion.rules.rithmomachia.choices import CAPTURES, Claim, Move
from companion.rules.rithmomachia.men import PYRAMID
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.tables import TablesPosition
from companion.rules.tables.choices import Step

WEAK: Final = ("child", "beginner")
TRIES: Final = 40
"""Tries of each weak strength by which a problem is graded."""

LEAST_MARGIN: Final = 0.08
"""How much likelier the best play of a tables game must win than the next best, by the program's search."""

LEAST_RISK: Final = 0.06
"""The same for Ludix, whose chances are exact."""

FEWEST_PLAYS, MOST_PLAYS = 4, 24
"""How many plays of a throw a problem of tables may have: fewer are no question, more tire."""

NO_FACE: Final = 0.3
"""The share of those throws of Ludus Regularis that no face can win which make a problem; most cannot be won."""

MOST_GUESSED: Final = 0.4
"""What share of guesses may find the first step of an only play: where most do, there is nothing to find."""

MOST_WINNING_MOVES: Final = 2
DEEP: Final = Budget(depth=2, nodes=60_000)


@dataclass(frozen=True)
class Found:
    """A problem before it has a number; the fields are those of `companion.problems.problem.Problem`."""

    kind: Kind
    start: Position
    right: tuple[tuple[str, ...], ...]
    found: float
    throw: str = ""
    chances: tuple[float, ...] = ()
    shows: tuple[tuple[str, str], ...] = ()

    def to_json(self, origin: str) -> dict[str, Any]:
        """Return the line of the file; of the options only those that are not usual."""
        usual = self.start.game.start(self.start.players).options
        data = self.start.to_json()
        data["options"] = {name: value for name, value in data["options"].items() if usual[name] != value}
        fields: dict[str, Any] = {"kind": self.kind, "game": self.start.game.slug, "position": packed(data)}
        extra = {"throw": self.throw, "shows": dict(self.shows), "chances": [round(one, 3) for one in self.chances]}
        fields |= {name: value for name, value in extra.items() if value}
        return fields | {"right": [list(one) for one in self.right], "found": round(self.found, 3), "origin": origin}


def in_numbers(position: RithmoPosition, weighed: Sequence[Weighed]) -> Iterator[Found]:
    """Yield the problems of a turn of Rithmomachia: the one capture, a win, several men to take after a move."""
    taking = [turn for turn in weighed if any(isinstance(choice, Claim) for choice in turn.choices)]
    moving = [turn for turn in taking if isinstance(turn.choices[0], Move)]
    if len(moving) != len(taking) or position.deliveries:
        return
    if len(moving) == 1:
        (turn,) = moving
        moved = position.applied(turn.choices[0])
        claims = _plain(moved)
        if claims and len({claim.target for claim in claims}) == 1:
            lines = tuple((str(turn.choices[0]), _short(claim)) for claim in claims)
            yield Found("take", position, lines, _tries(position, weighed, [turn]))
    winning = [turn for turn in moving if turn.chance == 1 and _won(position, turn.choices)]
    if 0 < len(winning) <= MOST_WINNING_MOVES < len(moving):
        lines = tuple(line for turn in winning if (line := _winning_line(position, turn.choices[0])))
        if len(lines) == len(winning):
            yield Found("win", position, lines, len(winning) / len(weighed))
    for turn in moving:
        moved = position.applied(turn.choices[0])
        claims = _plain(moved)
        targets = {claim.target for claim in claims}
        if moved.outcome is None and len(targets) > 1:
            line = tuple(_short(next(one for one in claims if one.target == target)) for target in sorted(targets))
            if _goes_on(moved, line):
                enemies = sum(man is not None and man.owner != position.turn for man in moved.men)
                yield Found("all", moved, (line,), len(claims) / (enemies * len(CAPTURES)))


def _plain(moved: RithmoPosition) -> list[Claim]:
    """Return the captures after a move if each takes a whole man and is named by him and its kind alone; else none."""
    found = list(moved.claims)
    named = {(claim.target, claim.kind) for claim in found}
    numbered = moved.rules.board.numbered
    men = [moved.men[numbered[claim.target.site]] for claim in found]
    whole = all(not claim.target.part for claim in found) and all(man and man.shape != PYRAMID for man in men)
    return found if whole and len(named) == len(found) else []


def _short(claim: Claim) -> str:
    return f"takes {claim.target} by {claim.kind}"


def _won(position: Position, choices: Sequence[Choice]) -> bool:
    player = position.awaits.player
    for choice in choices:
        position = position.applied(choice)
    return position.outcome is not None and position.outcome.winners == (player,)


def _winning_line(position: RithmoPosition, move: Choice) -> tuple[str, ...]:
    """Return a move and the captures that win after it, as typed; nothing where they cannot be named in short."""
    player, line, moved = position.turn, [str(move)], position.applied(move)
    for claim in sorted(_plain(moved), key=lambda one: str(one.target)):
        if moved.outcome is None and claim in moved.claims:
            line.append(_short(claim))
            moved = moved.applied(claim)
    return tuple(line) if moved.outcome is not None and moved.outcome.winners == (player,) else ()


def _goes_on(position: Position, line: Sequence[str]) -> bool:
    """Whether the rules allow all these choices, and the game goes on after them: then their order does not matter."""
    for text in line:
        choice = position.parse(text)
        if position.refusal(choice) is not None:
            return False
        position = position.applied(choice)
    return position.outcome is None


def in_tables(before: TablesPosition, throw: Throw) -> Iterator[Found]:
    """Yield the problem of a throw of tables: the one play that is possible, or the best by a clear margin."""
    position = before.after(throw)
    if position.over or position.awaits.player != before.turn:
        return
    if position.awaits.kind != "choice" or position.aside.turning:
        return
    plays = position.plays()
    if len(plays) == 1:
        (play,) = plays
        long, found = len(play.choices) == len(position.dice) > 1, _guessed(position)
        if long and play.position.outcome is None and found <= MOST_GUESSED:
            yield Found("only", before, (_line(position, play.choices),), found, before.text(throw))
        return
    if not FEWEST_PLAYS <= len(plays) <= MOST_PLAYS:
        return
    weighed = weigh(position, Budget())
    if weighed[0].chance - weighed[1].chance < LEAST_MARGIN or weighed[0].chance == 1:
        return
    deep = weigh(position, DEEP)
    best, second = deep[0], deep[1]
    if best.chance - second.chance < LEAST_MARGIN or set(best.choices) != set(weighed[0].choices):
        return
    kind: Kind = "point" if _closes(position, best.choices) else "best"
    found = _tries(position, weighed, [weighed[0]])
    yield Found(kind, before, (_line(position, best.choices),), found, before.text(throw), (best.chance, second.chance))


def scene() -> Found:
    """Return the throw of the emperor Zeno, whose position the course of tables has."""
    step = next(step for step in courses()["tables"].steps if step.start.game.slug == "tables/zeno")
    thrown = step.start
    before = thrown.game.from_json({**thrown.to_json(), "dice": []})
    assert isinstance(before, TablesPosition), "a game of tables"
    dice = next(throw for throw in before.throws() if before.after(throw) == thrown)
    (found,) = in_tables(before, dice)
    return found


def _closes(position: TablesPosition, choices: Sequence[Choice]) -> bool:
    """Whether a play puts a second man on a point."""
    after: Position = position
    for choice in choices:
        after = after.applied(choice)
    side = str(position.side)
    was, now = position.occupancy(), after.occupancy()
    goals = {choice.to for choice in choices if isinstance(choice, Step)} & {
        site.name for site in position.game.board.sites
    } - {OFF}
    return any(was.get(at, {}).get(side, 0) <= 1 < now.get(at, {}).get(side, 0) for at in goals)


def _guessed(position: TablesPosition) -> float:
    """Return how often somebody who points at any of his places and any of the dice finds a first step."""
    own = [at for at, men in position.occupancy().items() if at != OFF and men.get(str(position.side))]
    return len(position.legal()) / (len(own) * len(set(position.dice)))


def _line(position: Position, choices: Sequence[Choice]) -> tuple[str, ...]:
    found = []
    for choice in choices:
        found.append(position.text(choice))
        position = position.applied(choice)
    return tuple(found)


def in_numerals(before: LudixPosition, throw: Throw) -> Iterator[Found]:
    """Yield the problem of a throw of Ludix with points at stake, by the exact chances."""
    position = before.after(throw)
    if position.awaits.kind != "choice" or not position.formed or max(position.points) >= position.goal:
        return
    weighed = weigh(position, Budget())
    if len(weighed) > 1 and weighed[0].chance - weighed[1].chance >= LEAST_RISK:
        found = _tries(position, weighed, [weighed[0]])
        chances = (weighed[0].chance, weighed[1].chance)
        assert isinstance(weighed[0].choices[0], Formed), "the only choice of Ludix"
        yield Found("risk", before, ((str(weighed[0].choices[0]),),), found, before.text(throw), chances)


def in_virtues(position: LudusPosition, chance: random.Random) -> Iterator[Found]:
    """Yield a problem of Ludus Regularis: how many faces of the tetrahedron win with the cubes that lie."""
    dice = dice_set("wibold")
    cubes = chance.choice(all_throws("wibold", CUBES))
    (last,) = (die for die in dice.dice if die.name not in CUBES)
    faces = [face.text for face in last.faces]
    throws = [Throw.of("wibold", {**dict(cubes.shown), last.name: face}) for face in faces]
    wins = sum(position.account(throw).details["result"] == "acquired" for throw in throws)
    if not wins and chance.random() > NO_FACE:
        return
    share = float(Fraction(1, len(faces) + 1))
    yield Found("odds", position, ((str(wins),),), share, shows=cubes.shown, chances=(wins / len(faces),))


def _tries(position: Position, weighed: Sequence[Weighed], right: Sequence[Weighed]) -> float:
    """Return the share of tries in which the weak strengths find a right turn; the lots are always the same."""
    chance, heat = random.Random(1), player_of(position.game).heat(position)  # noqa: S311 - lots, no secrets
    tries = [picked(weighed, STRENGTHS[name].temperature, chance, heat) for name in WEAK for _ in range(TRIES)]
    return sum(one in right for one in tries) / len(tries)
