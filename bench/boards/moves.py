"""Which move was made: generated matches, watched through readings with errors, hands, changing light, illegal moves.

Readings are simulated from the true position (`tests.referee.board.simulated`); no picture is drawn. In half of the
plies a turn is made one man at a time. In half of the hits, the hit man is lifted one still interval late. In 1 of 20
plies an illegal move comes first and is taken back. Each still interval has two looks at the board, and up to five
while nothing is certain.
"""

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from bench.boards.planted import Board, planted
from companion.odds.intervals import share
from companion.odds.playouts import random_move
from companion.referee.board.decide import AgreedPosition, explain
from companion.referee.board.evidence import pooled
from companion.referee.board.results import AskMove, CommitPlay, Decision, GoOn, Mismatch, Unchanged
from companion.referee.board.seating import Seating
from companion.referee.board.standing import BAR, expected_board
from companion.rules.game import Choice, Game, Position
from companion.rules.registry import game
from companion.rules.rithmomachia import RithmoPosition
from companion.rules.rithmomachia.choices import Claim, Delivery, Done
from companion.rules.tables import TablesPosition
from companion.vision.board_readings import BoardReading, Men, Standing
from companion.vision.boards.places import Learns
from tests.referee.board.simulated import Camera, seating_of, seen

SLUGS = ("tables/zeno", "tables/todas-tablas", "tables/ludus-anglicorum", "rithmomachia/durnil-guardia")
ILLEGAL = 1 / 20
LEAST_PICTURES, MOST_PICTURES = 2, 5


@dataclass
class Tally:
    """The outcomes of one game's plies."""

    plies: Counter[str] = field(default_factory=Counter)
    illegal: Counter[str] = field(default_factory=Counter)
    between: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


class CameraView(Protocol):
    """A camera over a board: it makes a reading of what stands on each site, and of whether that is piled."""

    def observe(self, sites: Board) -> BoardReading:
        """Return a reading of these sites."""
        ...


@dataclass
class Table:
    """A match as it is played, and as the referee has it so far."""

    position: Position
    seating: Seating
    camera: CameraView
    chance: random.Random
    tally: Tally
    before: BoardReading | None = None

    def observe_until_certain(self, board: Board) -> tuple[Decision, BoardReading]:
        """Look at a board until its meaning is certain, or the looks are used up."""
        readings: list[BoardReading] = []
        while True:
            readings.append(self.camera.observe(board))
            if len(readings) < LEAST_PICTURES:
                continue
            whole = pooled(readings)
            started = time.perf_counter()
            decision = explain(AgreedPosition(self.position, self.seating, self.before), whole)
            self.tally.times.append(1000 * (time.perf_counter() - started))
            sure = isinstance(decision, CommitPlay | GoOn) or (
                isinstance(decision, Unchanged) and not decision.doubtful
            )
            if sure or len(readings) >= MOST_PICTURES:
                return decision, whole

    def agree(self, position: Position, reading: BoardReading | None) -> None:
        """Go on from a position that everybody agrees on; the newest look, if it shows it, is a lesson."""
        self.position, self.before = position, reading or self.before
        if reading is not None and isinstance(self.camera, Learns):
            self.camera.learn(self.seating.board(expected_board(position)))


def simulated(chance: random.Random, variant: Game, number: int) -> CameraView:
    """Return a camera that simulates readings."""
    del number
    return Camera(chance, variant)


def watch(
    slug: str, matches: int, plies: int, seed: int, camera: Callable[[random.Random, Game, int], CameraView] = simulated
) -> dict[str, object]:
    """Return the shares of plies by their outcome, and the time of a decision.

    ``camera`` makes the camera of a match from its random generator, its game and its number.
    """
    tally = Tally()
    for number in range(matches):
        chance = random.Random(f"{slug} {seed} {number}")
        start = _somewhere(slug, chance)
        camera_of = camera(chance, start.game, number)
        table = Table(start, seating_of(start.game, number), camera_of, chance, tally)
        table.agree(start, table.observe_until_certain(seen(start, table.seating))[1])
        for _ in range(plies):
            if not _ply(table):
                break
    total, planted = tally.plies.total(), tally.illegal.total()
    times = sorted(tally.times)
    return {
        "matches": matches,
        "plies": total,
        "shares": {what: share(count, total).to_json() for what, count in sorted(tally.plies.items())},
        "committed_wrongly": tally.plies["wrong"],
        "wrong": tally.wrong[:5],
        "illegal": {"planted": planted, **tally.illegal},
        "while_a_turn_is_made": dict(tally.between),
        "decision_ms": {
            "n": len(times),
            "median": round(times[len(times) // 2], 1),
            "p95": round(times[int(0.95 * len(times))], 1),
            "most": round(times[-1], 1),
        },
    }


def _somewhere(slug: str, chance: random.Random) -> Position:
    """Return a position of a random match, from its start to near its end, that awaits a choice."""
    positions: list[Position] = []
    position: Position = game(slug).start(2)
    while position.outcome is None and len(positions) < 600:
        positions.append(position)
        position = position.after(random_move(position, chance))
    begun = chance.choice(positions[: max(1, 9 * len(positions) // 10)])
    while begun.awaits.kind != "choice":
        begun = begun.after(random_move(begun, chance))
    return begun


def _ply(table: Table) -> bool:
    """Play and watch one turn, perhaps after an illegal move; return whether the match continues."""
    while table.position.outcome is None and table.position.awaits.kind != "choice":
        table.position = table.position.after(random_move(table.position, table.chance))
    if table.position.outcome is not None:
        return False
    if table.chance.random() < ILLEGAL:
        _illegal(table)
    if isinstance(table.position, TablesPosition):
        _tables_turn(table, table.position)
    else:
        _men_turn(table)
    return True


def _tables_turn(table: Table, position: TablesPosition) -> None:
    """Make a turn die by die or at once; a commit must lead to the true position."""
    way = _turn(position, table.chance)
    truth = way[-1][1]
    stills: list[Board] = []
    late: dict[str, Standing] = {}
    one_by_one = table.chance.random() < 0.5
    for before, after in zip(
        (position, *(reached for _, reached in way)), (reached for _, reached in way), strict=False
    ):
        hit = _hit(before, after, table.seating) if table.chance.random() < 0.5 else {}
        late = hit if one_by_one else late | hit
        shown = dict(seen(after, table.seating))
        for site, men in late.items():
            stands = shown[site][0]
            if stands is not None and men is not None and stands.colour != men.colour:
                shown[site] = (replace(stands, also=men), shown[site][1])
        stills.append(shown)
    for board in stills[:-1] if one_by_one else ():
        decision, _ = table.observe_until_certain(board)
        table.tally.between[type(decision).__name__] += 1
        if isinstance(decision, CommitPlay):
            # the picture shows the turn as over: right only if that very position was meant
            right = decision.play.position == truth
            table.tally.plies["right" if right else "wrong"] += 1
            table.tally.wrong += [] if right else [f"early: {position.to_json()} {way}"]
            table.agree(truth, None)
            return
    _judge(table, stills[-1], truth, way)


def _turn(position: TablesPosition, chance: random.Random) -> list[tuple[Choice, TablesPosition]]:
    way = []
    here = position
    while True:
        choice = chance.choice(list(here.legal()))
        after = here.after(choice)
        way.append((choice, after))
        if after.turn != position.turn or not after.dice or after.over:
            return way
        here = after


def _hit(before: TablesPosition, after: TablesPosition, seating: Seating) -> dict[str, Standing]:
    """Return the man hit by a step, keyed by the picture's name of the point where he still stands."""
    side = 3 - before.side
    then, now = (place.rules.courses[side - 1].unpack(place.men[side - 1]) for place in (before, after))
    return {seating.site(point): Men(seating.colour(side)) for point in then if point not in now}


def _judge(table: Table, board: Board, truth: Position, way: object) -> None:
    """Look at the result of a ply, and agree on the truth whatever the referee decided."""
    before = table.position
    decision, reading = table.observe_until_certain(board)
    what = _named(decision, truth, unseen=_same(board, seen(before, table.seating)))
    if isinstance(decision, AskMove | Unchanged | GoOn) and what != "right" and truth.awaits.kind == "throw":
        # the next player throws, which means that this turn is over
        then = (table.chance.choice(truth.throws()),)
        later = explain(AgreedPosition(before, table.seating, table.before), reading, then)
        if isinstance(later, CommitPlay):
            what = "right, once the next dice lay there" if later.play.position == truth else "wrong"
    table.tally.plies[what] += 1
    if what == "wrong":
        table.tally.wrong.append(f"{before.to_json()} {way}")
    table.agree(truth, reading)
    after, reading = table.observe_until_certain(seen(truth, table.seating))
    if not isinstance(after, Unchanged):
        table.tally.between[f"after a ply: {type(after).__name__}"] += 1


def _named(decision: Decision, truth: Position, *, unseen: bool) -> str:
    if isinstance(decision, CommitPlay):
        return "right" if decision.play.position == truth else "wrong"
    if isinstance(decision, AskMove):
        meant = any(candidate.position == truth for candidate in decision.candidates)
        return "asked, the truth offered" if meant else "asked openly"
    if unseen:
        return "not to be seen"
    return f"not committed: {type(decision).__name__}"


def _same(one: Board, other: Board) -> bool:
    return all(one[site] == other[site] for site in one if site != BAR)


def _men_turn(table: Table) -> None:
    """Make a move of Rithmomachia, lift what is claimed at once or later, and finish the turn."""
    position = table.position
    if position.awaits.kind == "choice" and isinstance(position, RithmoPosition) and position.phase == "claims":
        position = position.after(Done())
    moves = [choice for choice in position.legal() if not _part(choice) and not isinstance(choice, Claim)]
    choice = table.chance.choice(moves)
    truth = position.after(choice)
    way: list[Choice] = [choice]
    at_once = table.chance.random() < 0.5
    if not at_once:
        _judge(table, seen(truth, table.seating), truth, way)
    while isinstance(truth, RithmoPosition) and truth.phase == "claims" and table.chance.random() < 0.8:
        claims = [claim for claim in truth.legal() if isinstance(claim, Claim) and not _part(claim)]
        if not claims:
            break
        claim = table.chance.choice(claims)
        truth = truth.after(claim)
        way.append(claim)
        if not at_once:
            _judge(table, seen(truth, table.seating), truth, claim)
    if at_once:
        _judge(table, seen(truth, table.seating), truth, way)
    over = truth.outcome is not None
    if not over and isinstance(truth, RithmoPosition) and truth.phase == "claims" and table.chance.random() < 0.5:
        table.agree(truth.after(Done()), None)  # the page ends the turn; otherwise the next move does


def _part(choice: Choice) -> bool:
    return isinstance(choice, Claim | Delivery) and choice.target.part != 0


def _illegal(table: Table) -> None:
    """Make an illegal move, record the referee's decision, and take the move back."""
    board = next(planted(table.position, table.seating, table.chance), None)
    if board is None:
        return
    decision, _ = table.observe_until_certain(board)
    kind = type(decision).__name__
    explained = isinstance(decision, Mismatch) and decision.why_not is not None
    if isinstance(decision, Unchanged) and decision.doubtful:
        kind = "in doubt after all looks"
    table.tally.illegal["named by its rule" if explained else kind] += 1
    back, _ = table.observe_until_certain(seen(table.position, table.seating))
    table.tally.between[f"taken back: {type(back).__name__}"] += 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures of each slug."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", default=list(SLUGS))
    parser.add_argument("-n", type=int, default=50, help="matches of each")
    parser.add_argument("--plies", type=int, default=60, help="plies that are watched of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    figures: dict[str, object] = {"n": given.n, "plies": given.plies, "seed": given.seed}
    for slug in given.slugs:
        figures[slug] = watch(slug, given.n, given.plies, given.seed)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
