"""Types throws until it is killed: ``python -m tests.live.laboratory.typing_on FILE SEED [full]``.

Prints a line for each command that was acknowledged. ``full``: after 20 throws the disk takes nothing for a while.
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

from companion.live.laboratory.laboratory import Laboratory
from tests.live.full_disk import forbid, waited_for


def main() -> None:
    """Open the file, begin a series if none is open, and go on."""
    path, rng = Path(sys.argv[1]), random.Random(int(sys.argv[2]))
    laboratory = Laboratory(path)
    laboratory.start()
    if laboratory.snapshot().data["series"] is None:
        assert laboratory.command("begin", {"dice": [{"set": "d6"}]}, "tests").ok
    if len(sys.argv) > 3:
        _full(laboratory, path)
        return
    while True:
        number = laboratory.snapshot().data["series"]["throws"]
        if number and rng.random() < 0.2:
            data: Any = {"number": rng.randint(1, number), "face": rng.choice(["1", "6", None]), "reason": "seen"}
            name = "correct"
        else:
            data, name = {"face": rng.choice("123456")}, "throw"
        reply = laboratory.command(name, data, "tests")
        if reply.ok:
            sys.stdout.write(json.dumps([name, data]) + "\n")
            sys.stdout.flush()


def _full(laboratory: Laboratory, path: Path) -> None:
    throws = [laboratory.command("throw", {"face": "1"}, "tests").ok for _ in range(20)]
    free = forbid(path)
    refused = laboratory.command("throw", {"face": "6"}, "tests")
    shown = laboratory.snapshot().data
    free()
    healthy = waited_for(lambda: bool(laboratory.snapshot().data["health"]["journal"] == "ok"))
    again = laboratory.command("throw", {"face": "2"}, "tests")
    counts = laboratory.snapshot().data["series"]["dice"][0]["counts"]
    laboratory.stop()
    sentence = {
        "throws": sum(throws),
        "refused": None if refused.ok else str(refused.sentence),
        "sentence": shown["sentence"]["text"],
        "sign": shown["sign"],
        "healthy": healthy,
        "again": again.ok,
        "counts": counts,
    }
    sys.stdout.write(json.dumps(sentence))


if __name__ == "__main__":
    main()
