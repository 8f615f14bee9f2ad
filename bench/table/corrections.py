"""How long the table waits for a correction in a long match: for its preview, and for its effect."""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from companion.referee.events import Committed, Corrected, Observed
from companion.referee.journal import Entry
from companion.referee.match import Match
from companion.referee.replay import Ruling, Turn, replayed
from companion.rules.game import Position
from tests.referee.build import started

GAMES = ("ludus-regularis", "tables/zeno")
SEEN = Observed((), "read", "", 1.0, 1, "ab" * 32)
BAR_MS = 30.0
TRIES = 50  # moves tried in the search for one that does not end the match


def long_match(game: str, throws: int, chance: random.Random) -> Match:
    """Return a match of this many throws, or fewer if every move would end it."""
    match = Match.of([Entry(1, 1, 0.0, "bench", started(game_name=game), "", "1")])
    while match.play.throws < throws and (move := _going_on(match.position, chance)) is not None:
        for event in (SEEN, match.committed(move, "tapped")):
            number = len(match.entries) + 1
            match = match.after(Entry(1, number, 0.0, "bench", event, "", str(number)))
    return match


def _going_on(position: Position, chance: random.Random) -> Any:
    moves = list(position.legal()) if position.awaits.kind == "choice" else position.throws()
    for _ in range(TRIES):
        move = chance.choice(moves)
        if position.after(move).outcome is None:
            return move
    return None


def milliseconds(what: Callable[[], object], times: int) -> float:
    """Return the time of a call in milliseconds, the median of ``times`` calls."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        what()
        took.append(1000 * (time.perf_counter() - began))
    return round(statistics.median(took), 2)


def measure(match: Match, turn: Turn, chance: random.Random, times: int) -> dict[str, Any]:
    """Void a throw, and change it, each ``times`` times; return milliseconds in the single writer's thread."""
    assert turn.before is not None, "it stands"
    figures: dict[str, Any] = {}
    for name, move in (("void", None), ("change", chance.choice(turn.before.throws()).to_json())):
        shown = match.preview(turn.event, move, "bench")
        event = Corrected(turn.event, move, "bench", shown.drops_all)
        entry = Entry(match.id, len(match.entries) + 1, 0.0, "bench", event, "", "-")
        figures[name] = {
            "preview_ms": milliseconds(lambda move=move: match.preview(turn.event, move, "bench"), times),  # type: ignore[misc]
            "fold_ms": milliseconds(lambda entry=entry: match.after(entry), times),  # type: ignore[misc]
            "misfits": len(shown.misfits),
        }
    return figures


def main() -> None:
    """Print the times late in a match, in its middle and at its start, and of playing all of it again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=1500, help="throws of a match")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    figures: dict[str, Any] = {"seed": given.seed, "times": given.times}
    for game in GAMES:
        chance = random.Random(given.seed)
        match = long_match(game, given.n, chance)
        commits = [(entry.number, entry.event) for entry in match.entries if isinstance(entry.event, Committed)]
        thrown = [turn for turn in match.history if turn.standing == "stands" and turn.kind == "throw"]
        figures[game] = {
            "throws": match.play.throws,
            "commits": len(commits),
            "all_anew_ms": milliseconds(
                lambda match=match, commits=commits: replayed(  # type: ignore[misc]
                    match.start, commits, dict[int, Ruling](), stop=True
                ),
                given.times,
            ),
            "last_but_one": measure(match, thrown[-2], chance, given.times),
            "middle": measure(match, thrown[len(thrown) // 2], chance, given.times),
            "first": measure(match, thrown[0], chance, given.times),
        }
    late = [figures[game]["last_but_one"][way]["preview_ms"] for game in GAMES for way in ("void", "change")]
    figures["bar_met"] = max(late) < BAR_MS
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
