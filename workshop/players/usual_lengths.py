"""Play games to see how long they last: ``python -m workshop.players.usual_lengths --state FILE``.

Both sides play as the program does at its usual strength, by the preset rules and by every other ending that a game
offers. A search ends by its positions alone, never by a clock, so a busy computer plays the same games. Finished games
are kept in the state file, and stay as long as the rules and the players do: a run that was stopped goes on where it
was, and one with more games adds to them.
"""

import argparse
import json
import logging
import random
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from companion.odds import many, usual_lengths
from companion.odds.playouts import random_move
from companion.parallel.cores import Cores
from companion.parallel.parts import Here, Workers, WorkPart, in_order, parts_of
from companion.players.strengths import STRENGTHS, USUAL
from companion.players.thinking import think
from companion.rules.game import Game, Position
from companion.rules.options import OptionValue
from companion.rules.registry import game, games
from workshop.players.kept_pieces import COMPANION, kept

log = logging.getLogger(__name__)

ENDINGS: Final = ("ending", "goal", "ends", "minor")
"""The options of which each value has a length of its own."""

FILE: Final = Path(usual_lengths.__file__).with_suffix(".toml")
HEAD: Final = """# How long games last, for two players: what the form, the cards and the prompt say of it.
# Written by `python -m workshop.players.usual_lengths`. turns: throws, or moves where there are no dice;
# the mean of the games played, or their median if some were unfinished after `most` turns. options: what differs from
# the preset rules. strength: how well both sides played; games without it leave nothing to choose. A length that is
# computed (`companion odds`) is not here.
"""

AGREED: Final[Mapping[str, OptionValue]] = {"ending": "first-to"}
"""How a game of virtues ends that is not played to the last of them."""

MOST_THROWS: Final = 1500
MOST_MOVES: Final = 600
"""The turns after which a game stops, unfinished."""

THROWN: Final = 10_000
"""Games of virtues that are simulated: nobody has to think in them."""


@dataclass(frozen=True)
class Kind:
    """A game with its options; ``rules`` is the hash of its rules, ``most`` the turns after which a game stops."""

    slug: str
    rules: str
    options: tuple[tuple[str, OptionValue], ...]
    most: int

    def __call__(self, part: WorkPart) -> list[int]:
        """Return how many turns each game of a part lasts; `most` if it had not ended by then."""
        return [self._turns(number) for number in range(part.first, part.first + part.count)]

    def _turns(self, number: int) -> int:
        chance = random.Random(f"{self.slug} {number}")  # noqa: S311 - dice, no secrets
        strength = STRENGTHS[USUAL]
        unhurried = replace(strength.budget, seconds=3600)
        position: Position = game(self.slug).start(2, **dict(self.options))
        dice, turns = bool(position.awaits.dice), 0
        while position.outcome is None and turns < self.most:
            before = position.awaits.player
            if position.awaits.kind == "choice":
                for choice in think(position, strength, chance, unhurried).choices:
                    position = position.applied(choice)
            else:
                position, turns = position.after(random_move(position, chance)), turns + 1
            turns += not dice and position.awaits.player != before
        return turns


def kinds(one: Game) -> Iterator[Kind]:
    """Yield what is played of a game: by the preset rules, as a form offers it, with each other value that ends it."""
    most = MOST_THROWS if one.start(one.least_players).awaits.dice else MOST_MOVES
    yield Kind(one.slug, one.rules_hash, (), most)
    offered = tuple((option.name, option.offered) for option in one.options if option.offered is not None)
    if offered:
        yield Kind(one.slug, one.rules_hash, offered, most)
    for option in one.options:
        if option.name in ENDINGS:
            for value in (option.values or ())[1:]:
                yield Kind(one.slug, one.rules_hash, ((option.name, value),), most)


def entry(kind: Kind, turns: Sequence[int]) -> dict[str, Any]:
    """Return what the file says of the games of one kind."""
    unfinished = sum(one >= kind.most for one in turns)
    usual = statistics.median(turns) if unfinished else statistics.fmean(turns)
    known = named(kind.slug, dict(kind.options)) | {"turns": round(usual), "games": len(turns), "strength": USUAL}
    return known | ({"unfinished": unfinished, "most": kind.most} if unfinished else {})


def named(slug: str, options: Mapping[str, OptionValue]) -> dict[str, Any]:
    """Return an entry's first lines: its game, and the options that are not preset."""
    return {"game": slug, **({"options": options} if options else {})}


def thrown(one: Game) -> dict[str, Any]:
    """Return what the file says of a game of virtues that ends with an agreed number of them; others are computed."""
    found = many.own(many.SimulatedGame(one.slug, 1, 2, AGREED), THROWN, Here(), lambda _: None)
    assert found is not None, "the games of virtues are simulated in their own way"
    return named(one.slug, AGREED) | {"turns": round(found["mean"]), "games": THROWN}


def played(workers: Workers, slugs: Sequence[str], count: int, slow: int) -> Iterator[Mapping[str, Any]]:
    """Play ``count`` games of each kind, ``slow`` of those without dice, and yield what the file says of each."""
    for one in map(game, slugs):
        if not one.chooses:
            yield thrown(one)
            continue
        for kind in kinds(one):
            parts = in_order(workers, kind, parts_of(count if kind.most == MOST_THROWS else slow, 1), lambda _: None)
            known = entry(kind, [turns for part in parts for turns in part])
            log.info("%s", known)
            yield known


def _inline(value: Any) -> str:
    """Return a value as TOML on one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{name} = {_inline(one)}' for name, one in value.items())}}}"
    return json.dumps(value)


def main() -> int:
    """Play, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", help="by default every game whose length is not computed")
    parser.add_argument("-n", type=int, default=24, help="games of each kind")
    parser.add_argument("--slow", type=int, default=5, help="games of each kind that has no dice, and takes minutes")
    parser.add_argument("--jobs", type=int, help="processes; by default one for each core")
    parser.add_argument("--state", type=Path, help="the file that keeps finished games")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    with kept(Cores(given.jobs), given.state, COMPANION / "players") as workers:
        entries = list(
            played(
                workers,
                given.slugs or [slug for slug, one in games().items() if one.program_plays],
                given.n,
                given.slow,
            )
        )
    lines = [f"  {_inline(one)}," for one in entries]
    FILE.write_text("\n".join([HEAD, "length = [", *lines, "]\n"]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
