"""A table on a disk that fills up: run by itself, for a limit on files is one of a whole process.

``python -m tests.live.full_disk JOURNAL tmpfs|limit`` prints a JSON line of what was acknowledged and what was said.
"""

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.live.table import LiveTable

PATIENCE = 60.0  # seconds


def fill(path: Path) -> Callable[[], None]:
    """Take all the room that is left beside a file; return what gives it back."""
    filler = path.with_name("filler")
    with filler.open("wb", buffering=0) as file:
        for size in (65536, 4096, 512, 1):
            try:
                while file.write(b"\0" * size) == size:
                    pass
            except OSError:
                continue
    return filler.unlink


def forbid(path: Path) -> Callable[[], None]:
    """Let no file of this process grow or be written; return what ends that."""
    del path
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, before)


def waited_for(true: Callable[[], bool]) -> float | None:
    """Return after how many seconds something became true, None if it did not."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        if true():
            return time.monotonic() - began
        time.sleep(0.05)
    return None


def main() -> None:
    """Play, fill the disk, see it refused, give room, see it go on; then open the journal anew."""
    path, way = Path(sys.argv[1]), sys.argv[2]
    table = LiveTable(path)
    table.start()
    game = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "dice_by": "program"}
    acknowledged = [table.command("new_match", game, "page").data["match"]]
    events = [table.command("roll", {}, "page").data["event"] for _ in range(20)]
    free = (fill if way == "tmpfs" else forbid)(path)
    refusal: Any = None
    while refusal is None:
        reply = table.command("roll", {}, "page")
        if reply.ok:
            events.append(reply.data["event"])  # what is acknowledged while the last room is used up counts too
        else:
            refusal = str(reply.sentence)
    table.command("autoplay", {"on": True, "pace": 20}, "page")
    stated = waited_for(lambda: table.snapshot().data["health"]["journal"] != "ok")
    throws = table.snapshot().data["match"]["throws"]
    time.sleep(1.5)
    stood = table.snapshot().data["match"]["throws"] == throws
    answers = table.vitals().writer
    free()
    went_on = waited_for(lambda: table.snapshot().data["match"]["throws"] > throws + 5)
    healthy = waited_for(lambda: table.snapshot().data["health"]["journal"] == "ok")
    table.command("autoplay", {"on": False}, "page")
    played = table.snapshot().data["match"]["throws"]
    table.stop()
    again = LiveTable(path)
    again.start()
    kept = again.snapshot().data["match"]
    lines = {line["event"] for line in again.snapshot().data["log"]}
    again.stop()
    sys.stdout.write(
        json.dumps(
            {
                "match": acknowledged[0],
                "refusal": refusal,
                "said": stated,
                "stood": stood,
                "answers": answers,
                "went_on": went_on,
                "healthy": healthy,
                "lost": [event for event in events if event not in lines],
                "throws": played,
                "kept": kept["throws"],
            }
        )
    )


if __name__ == "__main__":
    main()
