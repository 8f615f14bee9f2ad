"""Many games of virtues at once: real dice faces for every throw, judged by a table from the rules core."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from companion.odds.ludus_regularis import ludus
from companion.odds.playouts import check_count
from companion.odds.usual_lengths import TURNS_A_MINUTE
from companion.rules.dice import Throw
from companion.rules.ludus_regularis import LudusPosition
from companion.rules.ludus_regularis.rulings import winning_second_faces
from companion.rules.ludus_regularis.virtues import Virtue, virtues
from companion.rules.options import OptionValue

NO_PRIZE = -1
SECOND_CAST = -2
NEVER = np.iinfo(np.int32).max
"""The throw number of a virtue that was not acquired."""

THROWS_PER_BLOCK = 256
"""Throws of each running game to make at a time: about 100 MB at 10,000 games."""

GAMES_PER_BATCH = 10_000
"""Games that run in parallel; more run in further batches, so memory stays the same."""

Numbers = npt.NDArray[np.int32]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True)
class ThrowTable:
    """Every throw's result; the rules core judges each throw once.

    ``prize`` (int16, one for each throw in the order of `Position.throws`) numbers the prize, or is `NO_PRIZE` or
    `SECOND_CAST`. ``second`` is for the best cube to cast again: whether each of its six faces wins (bool, shape
    (throws, 6); all False unless a second cast is due). ``cube`` names that cube. ``members`` are the virtues of each
    prize.
    """

    throws: tuple[Throw, ...]
    prize: npt.NDArray[np.int16]
    second: npt.NDArray[np.bool_]
    cube: tuple[str, ...]
    members: tuple[tuple[Virtue, ...], ...]


@cache
def table(slug: str, settings: tuple[tuple[str, OptionValue], ...]) -> ThrowTable:
    """Return the table of a game, from the rules core's judgement of every throw in the first position."""
    game = ludus(slug)
    start = game.start(2, **dict(settings))
    throws = tuple(start.throws())
    prize = np.full(len(throws), NO_PRIZE, np.int16)
    second = np.zeros((len(throws), 6), bool)
    cubes = [""] * len(throws)
    members: dict[tuple[Virtue, ...], int] = {}
    for index, throw in enumerate(throws):
        effect = start.effect(throw)
        if effect.result == "acquired":
            prize[index] = members.setdefault(effect.won, len(members))
        elif effect.result == "recast":
            prize[index] = SECOND_CAST
            cubes[index], second[index] = _best_second(start, throw)
            members.setdefault(effect.meant, len(members))
    return ThrowTable(throws, prize, second, tuple(cubes), tuple(members))


def _best_second(start: LudusPosition, throw: Throw) -> tuple[str, list[bool]]:
    winning = winning_second_faces(throw, start.rule_set)
    best = max(winning, key=lambda cube: len(winning[cube]))
    faces = [second.shown[0][1] for second in start.after(throw).throws() if second.face(best) is not None]
    return best, [face in winning[best] for face in faces]


@dataclass(frozen=True)
class Games:
    """Finished games.

    ``won_at`` (int32, games x 56) is the throw that won each virtue, `NEVER` if none did by the end. ``length`` (int32)
    is the last throw. ``scores`` (int32) and ``winners`` (bool) are games x players.
    """

    players: int
    won_at: Numbers
    length: Numbers
    scores: Numbers
    winners: npt.NDArray[np.bool_]

    @property
    def ties(self) -> npt.NDArray[np.bool_]:
        """Whether the win of each game is shared."""
        shared: npt.NDArray[np.bool_] = self.winners.sum(axis=1) > 1
        return shared


def simulate(
    slug: str,
    count: int,
    generator: np.random.Generator,
    players: int = 2,
    options: Mapping[str, OptionValue] | None = None,
) -> Games:
    """Play ``count`` games with dice thrown by ``generator``; second casts for Karitas use the cube with the best odds.

    Raises:
        GamesCountError: fewer than one game, or too many.
        OptionError: options or players that the game does not take.
    """
    check_count(count)
    start = ludus(slug).start(players, **(options or {}))
    sizes = [GAMES_PER_BATCH] * (count // GAMES_PER_BATCH) + (
        [count % GAMES_PER_BATCH] if count % GAMES_PER_BATCH else []
    )
    return joined([_batch(start, size, generator) for size in sizes])


def joined(parts: Sequence[Games]) -> Games:
    """Return the games of several parts together."""
    return Games(
        parts[0].players,
        np.concatenate([part.won_at for part in parts]),
        np.concatenate([part.length for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.winners for part in parts]),
    )


def _batch(start: LudusPosition, count: int, generator: np.random.Generator) -> Games:
    made = table(start.game.slug, start.settings)
    first = np.full((count, len(made.members)), NEVER, np.int32)
    limit = throw_limit(start.options)
    running = np.arange(count)
    thrown = 0
    while running.size and (limit is None or thrown < limit):
        block = THROWS_PER_BLOCK if limit is None else min(THROWS_PER_BLOCK, limit - thrown)
        dice = generator.integers(0, len(made.throws), (running.size, block), dtype=np.uint16)
        prize = judge(made, dice, lambda rows, _: generator.integers(0, 6, rows.size))
        record(first, running, thrown, prize)
        thrown += block
        running = running[~_surely_over(first[running], made, start)]
    return settle(start, spread(first, made))


def throw_limit(settings: Mapping[str, OptionValue]) -> int | None:
    """Return the number of throws after which a game ends at the latest by agreement."""
    if settings["ending"] == "throws":
        return int(settings["throws"])
    if settings["ending"] == "time":
        return max(1, round(int(settings["minutes"]) * TURNS_A_MINUTE))
    return None


def judge(
    made: ThrowTable,
    dice: npt.NDArray[np.uint16],
    again: Callable[[Places, Places], npt.NDArray[np.integer]],
) -> npt.NDArray[np.int16]:
    """Return the prize of each throw of ``dice`` (any games x throws), `NO_PRIZE` if there is none.

    ``again`` gives the faces of the second casts at these rows and columns.
    """
    prize = made.prize[dice]
    rows, columns = np.nonzero(prize == SECOND_CAST)
    wins = made.second[dice[rows, columns], again(rows, columns)]
    double = next((number for number, members in enumerate(made.members) if members[0].second_cast), NO_PRIZE)
    prize[rows, columns] = np.where(wins, double, NO_PRIZE)
    return prize


def record(first: Numbers, running: Places, thrown: int, prize: npt.NDArray[np.int16]) -> None:
    """Write into ``first`` (games x prizes) the earliest throw of each prize in a block (running x throws)."""
    row, column = np.nonzero(prize >= 0)
    won = prize[row, column]
    game = running[row]
    # if two throws assign to one cell, the last assignment remains, so they are in reverse order
    fresh = np.flatnonzero(first[game, won] == NEVER)[::-1]
    first[game[fresh], won[fresh]] = (column[fresh] + thrown + 1).astype(np.int32)


def _surely_over(first: Numbers, made: ThrowTable, start: LudusPosition) -> npt.NDArray[np.bool_]:
    """Tell which games need no further throw: all prizes are won, or so many that a player has reached the target."""
    got = first < NEVER
    over: npt.NDArray[np.bool_] = np.logical_and.reduce(got, axis=1)
    if start.options["ending"] == "first-to":
        sizes = np.array([len(members) for members in made.members])
        enough: npt.NDArray[np.bool_] = np.asarray(got @ sizes) > start.players * (int(start.options["target"]) - 1)
        over |= enough
    return over


def spread(first: Numbers, made: ThrowTable) -> Numbers:
    """Return the throws that won each virtue (games x 56) from those that won each prize."""
    won_at = np.full((len(first), len(virtues())), NEVER, np.int32)
    for column, members in enumerate(made.members):
        for virtue in members:
            won_at[:, virtue.index] = first[:, column]
    return won_at


def settle(start: LudusPosition, won_at: Numbers) -> Games:
    """End each game by its options, count, and find the winners."""
    settings, players = start.options, start.players
    worth = np.array([2 if virtue.double and settings["karitas"] == "always" else 1 for virtue in virtues()], np.int32)
    obtainable = [virtue.index for virtue in start.game.obtainable(start.rule_set)]
    length = won_at[:, obtainable].max(axis=1)
    limit = throw_limit(settings)
    if limit is not None:
        length = np.minimum(length, limit)
    if settings["ending"] == "first-to":
        length = np.minimum(length, _reached(won_at, worth, players, int(settings["target"])))
    won_at = np.where(won_at <= length[:, None], won_at, NEVER)
    scores = np.stack(list(_scores(won_at, worth, players)), axis=1)
    winners = scores == scores.max(axis=1, keepdims=True)
    if settings["karitas"] == "tie-break":
        winners = _break_ties(scores, winners, won_at)
    return Games(players, won_at, length, scores, winners)


def _scores(won_at: Numbers, worth: Numbers, players: int) -> Iterator[Numbers]:
    for player in range(players):
        mine = (won_at < NEVER) & ((won_at - 1) % players == player)
        yield (mine @ worth).astype(np.int32)


def _reached(won_at: Numbers, worth: Numbers, players: int, target: int) -> Numbers:
    """Return the throw at which some player first has the target, `NEVER` if no player does."""
    order = np.argsort(won_at, axis=1, kind="stable")
    at = np.take_along_axis(won_at, order, axis=1)
    gained = np.where(at < NEVER, worth[order], 0)
    reached = np.full(len(won_at), NEVER, np.int32)
    for player in range(players):
        counted = np.cumsum(np.where((at - 1) % players == player, gained, 0), axis=1)
        reached = np.minimum(reached, np.where(counted >= target, at, NEVER).min(axis=1))
    return reached


def _break_ties(scores: Numbers, winners: npt.NDArray[np.bool_], won_at: Numbers) -> npt.NDArray[np.bool_]:
    """Give one more point to the holder of the virtue that counts double in a tie for the most, and judge again."""
    double = next(virtue.index for virtue in virtues() if virtue.double)
    at = won_at[:, double]
    tied = (winners.sum(axis=1) > 1) & (at < NEVER)
    counted = scores.copy()
    counted[tied, (at[tied] - 1) % scores.shape[1]] += 1
    judged: npt.NDArray[np.bool_] = counted == counted.max(axis=1, keepdims=True)
    return judged
