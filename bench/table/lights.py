"""The lights: from a choice to its frame, the processor's share, and which plays squares alone decide or ask about."""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from companion.desk.finding import BoardFinding
from companion.live.features import TableFeatures
from companion.live.following import MatchNow
from companion.live.led_board import AS_USUAL, LedBoard
from companion.live.table import LiveTable
from companion.odds.playouts import random_move
from companion.referee.board.results import AskMove, CommitPlay, Difference
from companion.referee.board.squares import explain_alone
from companion.referee.board.standing import BAR, Stand, expected_board, sites_of
from companion.rules.game import Position
from companion.rules.registry import game
from firmware_bridge.frame import LedFrame
from tests.desk.test_commands import Office
from tests.firmware_bridge.recorder import Recorder

BATTLE = "rithmomachia/mebben"
GAMES = ("tables/zeno", "tables/todas-tablas", "rithmomachia/mebben", "rithmomachia/italian")
CALM = 0.3  # seconds between two choices, so that each is shown at once


class Timed(Recorder):
    """A recorder that also records the time of each frame."""

    def __init__(self) -> None:
        super().__init__()
        self.at: list[float] = []

    def send(self, frame: LedFrame) -> None:
        """Keep the frame and its time."""
        self.at.append(time.monotonic())
        super().send(frame)


def as_lit(n: int, seed: int) -> dict[str, Any]:
    """Measure from a command to the frame at the wire, on a table without other work."""
    chance, board = Random(seed), Timed()
    took: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        table = LiveTable(Path(folder) / "match.db", features=TableFeatures(leds=board))
        table.start()
        table.command("new_match", {"game": BATTLE, "players": ["Anna", "Ben"], "dice_by": "tapped"}, "bench")
        for _ in range(n):
            time.sleep(CALM)
            shown = table.snapshot().data
            sent, asked = len(board.at), time.monotonic()
            table.command("choose", {"choice": chance.choice(shown["choices"])["choice"]}, "bench")
            until = time.monotonic() + 5
            while len(board.at) == sent and time.monotonic() < until:
                time.sleep(0.0005)
            took.append((board.at[sent] - asked) * 1000 if len(board.at) > sent else 5000.0)
        table.stop()
    return {"n": n, "ms_median": round(median(took), 1), "ms_most": round(max(took), 1)}


def pulsing(seconds: float) -> dict[str, Any]:
    """Measure the processor's share while a question pulses on a board of 128 LEDs, driver included."""
    with tempfile.TemporaryDirectory() as folder:
        office = Office(Path(folder) / "match.db")
        assert office.do("new_match", game=BATTLE, players=["Anna", "Ben"], dice_by="tapped", options={}).ok
        match = office.match
        wrong = tuple(Difference(site, None, None) for site in match.position.occupancy())
        finding = BoardFinding("mismatch", match.position.awaits.sentence, wrong)
        sent = Timed()
        board = LedBoard(sent, AS_USUAL, lambda: None)
        board.start()
        board.publish(MatchNow(match, "MISMATCH", finding, time.monotonic(), suspended=False))
        time.sleep(0.5)
        frames, cpu, began = len(sent.at), time.process_time(), time.monotonic()
        time.sleep(seconds)
        spent, passed = time.process_time() - cpu, time.monotonic() - began
        drawn = len(sent.at) - frames
        board.stop()
    return {"seconds": seconds, "frames_per_s": round(drawn / passed, 1), "core": round(spent / passed, 4)}


def _lit_sites(position: Position) -> dict[str, bool]:
    shown = expected_board(position)
    return {site: isinstance(shown.get(site), Stand) for site in sites_of(position.game) if site != BAR}


def alone(slug: str, n: int, seed: int, wrong: float) -> dict[str, Any]:
    """Decide random plays from squares alone: a perfect reed under every site, but for this rate of wrong squares."""
    chance, counted = Random(f"{slug} {seed} {wrong}"), Counter[str]()
    position = game(slug).start(2)
    while sum(counted.values()) < n:
        if position.outcome is not None:
            position = game(slug).start(2)
        if position.awaits.kind != "choice":
            position = position.after(random_move(position, chance))
            continue
        if position.conceals:
            after = position.after(chance.choice(list(position.open_choices())))
        else:
            after = chance.choice(position.plays()).position
        if _lit_sites(after) != _lit_sites(position):
            lit = {site: men is not (chance.random() < wrong) for site, men in _lit_sites(after).items()}
            decision = explain_alone(position, lit)
            if isinstance(decision, CommitPlay):
                right = expected_board(decision.play.position) == expected_board(after)
                counted["committed right" if right else "committed wrong"] += 1
            else:
                counted["asked" if isinstance(decision, AskMove) else "waited"] += 1
        position = after
    return {"game": slug, "n": n, "wrong_squares": wrong, **dict(sorted(counted.items()))}


def measure(n: int, seed: int, seconds: float) -> dict[str, Any]:
    """Return all figures."""
    return {
        "seed": seed,
        "command_to_frame": as_lit(max(5, n // 10), seed),
        "pulsing_128_leds": pulsing(seconds),
        "squares_alone": [alone(slug, n, seed, wrong) for slug in GAMES for wrong in (0.0, 0.003, 0.03)],
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=500, help="plays told by squares, of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long something pulses")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    figures = measure(given.n, given.seed, given.seconds)
    sys.stdout.write(json.dumps(figures, indent=None if given.json else 2) + "\n")


if __name__ == "__main__":
    main()
