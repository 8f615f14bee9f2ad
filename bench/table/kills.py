"""Kill a running match at random moments: every acknowledged event must be there, and the state must be its replay."""

import argparse
import hashlib
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from companion.ledger.rescue import open_ledger
from companion.live.table import LiveTable
from companion.referee.journal import Journal
from companion.referee.match import Match
from tests.referee.chain import broken_at

ROOT = Path(__file__).resolve().parents[2]
MOST_ACKNOWLEDGED = 40  # acknowledgements after which a process is killed at the latest
LONGEST = 0.02  # seconds of life after the last one: several commands long, so that the kill comes at any moment
COMMANDS = ("roll",) * 8 + ("correct", "pause", "autoplay")


def mark(match: Match) -> str:
    """Return a short hash of a match's whole state."""
    turns = [(turn.event, turn.text, turn.standing) for turn in match.history]
    text = json.dumps([match.position.to_json(), turns, match.paused, match.misfit], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def play(path: Path, seed: int) -> None:
    """Play at the table until killed; print match, event and state after each acknowledgement."""
    chance = Random(seed)
    table = LiveTable(path, chance=chance)
    table.start()
    print("started", flush=True)
    if table.snapshot().data["match"] is None or chance.random() < 0.1:
        game = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "dice_by": "program"}
        table.command("new_match", game, "bench")
    while True:
        command(table, chance)
        match = table._writer._desk.match
        if match is not None:
            # the program may have thrown again since the answer; the printed state is still one durable state
            print(match.id, match.entries[-1].number, mark(match), flush=True)


def command(table: LiveTable, chance: Random) -> None:
    """Give one command that changes something."""
    data: dict[str, Any] = dict(table.snapshot().data)
    name = chance.choice(COMMANDS)
    if name == "correct":
        throws = [line["event"] for line in data["log"] if line["kind"] == "throw"]
        event = chance.choice(throws or [0])
        shown = table.command("preview_correction", {"event": event, "faces": None, "reason": "bench"}, "bench")
        token = shown.data.get("token", "")
        asked = {"event": event, "faces": None, "reason": "bench", "token": token, "keep": "all"}
        table.command("correct", asked, "bench")
    elif name == "pause":
        table.command("pause", {}, "bench")
        table.command("unpause", {}, "bench")
    elif name == "autoplay":
        table.command("autoplay", {"on": chance.random() < 0.5, "pace": 400}, "bench")
    else:
        table.command("unpause", {}, "bench")
        table.command("roll", {}, "bench")


def one_kill(path: Path, seed: int) -> dict[int, tuple[int, str]]:
    """Let a separate process play and kill it; return its last acknowledgement for each match."""
    run = [sys.executable, "-m", "bench.table.kills", "--play", str(path), "--seed", str(seed)]
    with subprocess.Popen(run, stdout=subprocess.PIPE, cwd=ROOT) as child:
        assert child.stdout
        assert child.stdout.readline() == b"started\n", "the process ended before its table had started"
        chance = Random(seed)
        output = b"".join(child.stdout.readline() for _ in range(chance.randrange(MOST_ACKNOWLEDGED)))
        time.sleep(chance.uniform(0, LONGEST))
        child.send_signal(signal.SIGKILL)
        output += child.stdout.read()
    acknowledged: dict[int, tuple[int, str]] = {}
    for line in output.decode().split("\n")[:-1]:  # the last line may be cut off
        match, number, state = line.split()
        acknowledged[int(match)] = (int(number), state)
    return acknowledged


def faults(path: Path, acknowledged: dict[int, tuple[int, str]]) -> list[str]:
    """Open the journal that remains and list its faults."""
    found = []
    with open_ledger(path, Journal) as journal:
        if journal.notice is not None:
            found.append(str(journal.notice))
        if journal.copy_trouble is not None:
            found.append(str(journal.copy_trouble))
        for line in journal.matches():
            entries = journal.events(line.id)
            if broken_at(entries) is not None:
                found.append(f"match {line.id} is broken at {broken_at(entries)}")
        for match, (number, state) in acknowledged.items():
            found += _faults_of(journal, match, number, state)
    return found


def _faults_of(journal: Journal, match: int, number: int, state: str) -> list[str]:
    entries = journal.events(match)
    if len(entries) < number:
        return [f"event {number} of match {match} was acknowledged and is lost"]
    if mark(Match.of(entries[:number])) != state:
        return [f"the state of match {match} at event {number} is not its replay"]
    return []


def kill(path: Path, n: int, seed: int) -> dict[str, Any]:
    """Kill n times on one growing journal; return the figures."""
    chance = Random(seed)
    wrong: list[str] = []
    events = 0
    for _ in range(n):
        acknowledged = one_kill(path, chance.randrange(1 << 30))
        wrong += faults(path, acknowledged)
        events += len(acknowledged) > 0
    with open_ledger(path, Journal) as journal:
        total = sum(line.events for line in journal.matches())
        matches = len(journal.matches())
    return {
        "n": n,
        "seed": seed,
        "kills_after_an_acknowledgement": events,
        "events": total,
        "matches": matches,
        "faults": len(wrong),
        "first_faults": wrong[:5],
    }


def main() -> int:
    """Print the figures; fail if anything acknowledged was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--play", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.play is not None:
        play(given.play, given.seed)
    with tempfile.TemporaryDirectory() as folder:
        figures = kill(Path(folder) / "match.db", given.n, given.seed)
    print(json.dumps(figures))
    return int(figures["faults"] > 0)


if __name__ == "__main__":
    sys.exit(main())
