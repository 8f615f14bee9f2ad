"""Offer damaged frames to the live table: nothing may crash, and no event may be committed."""

import argparse
import json
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from bench.table.reading import reader
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.vision.picture_header import BadFrameError
from companion.vision.sources.pushed import PushedSource
from tests.live.labelled import SAMPLE

APART = 0.03  # seconds between two frames, so that every decodable frame is also looked at
ALIKE = 8  # frames of one kind in a row, enough for a still interval


@cache
def good() -> bytes:
    """Return an intact frame with four still dice."""
    return next(iter(sorted(SAMPLE.glob("*_still.jpg")))).read_bytes()


@cache
def empty() -> bytes:
    """Return an intact frame of the empty table."""
    return next(iter(sorted(SAMPLE.glob("*_empty.jpg")))).read_bytes()


def encoded(image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], kind: str = ".jpg") -> bytes:
    done, data = cv2.imencode(kind, image)
    assert done
    return data.tobytes()


@cache
def huge() -> bytes:
    """Return a frame of 8000 x 6000 pixels."""
    return encoded(np.full((6000, 8000, 3), 90, np.uint8))


def _truncated(chance: Random) -> bytes:
    return good()[: chance.randrange(2, len(good()) - 2)]


def _flipped(chance: Random) -> bytes:
    """Return a damaged frame of the empty table that may still be decodable, to any content."""
    data = bytearray(empty())
    for _ in range(chance.choice([1, 3, 50])):
        data[chance.randrange(700, len(data) - 2)] = chance.randrange(256)
    return bytes(data)


def _wrong_size(chance: Random) -> bytes:
    width, height = chance.choice([(1, 1), (3, 700), (5000, 2), (17, 17), (64, 2000)])
    return encoded(np.full((height, width, 3), chance.randrange(256), np.uint8))


def _noise(chance: Random) -> bytes:
    bits = np.random.default_rng(chance.randrange(1 << 30))
    return encoded(bits.integers(0, 256, (480, 640, 3), dtype=np.uint8))


def _black(_: Random) -> bytes:
    return encoded(np.zeros((720, 1280, 3), np.uint8))


def _huge(_: Random) -> bytes:
    return huge()


def _not_an_image(chance: Random) -> bytes:
    return chance.choice([b"", b"not a picture", chance.randbytes(5000), b"\xff\xd8\xff", b"GIF89a" + bytes(99)])


DAMAGE: dict[str, Callable[[Random], bytes]] = {
    "truncated": _truncated,
    "flipped bytes": _flipped,
    "wrong size": _wrong_size,
    "noise": _noise,
    "all black": _black,
    "8000x6000": _huge,
    "not an image": _not_an_image,
}
KINDS = tuple(DAMAGE)


def frames(n: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield n damaged frames, several of a kind in a row; noise and bytes differ from frame to frame."""
    chance = Random(seed)
    for number in range(n):
        kind = KINDS[number // ALIKE % len(KINDS)]
        yield kind, DAMAGE[kind](chance)


def offer(path: Path, n: int, seed: int) -> dict[str, Any]:
    """Offer the frames to a table that waits for a throw; return the figures."""
    name, make, combine = reader()
    table = LiveTable(path, Seeing(PushedSource(), reader=make), combine=combine)
    table.start()
    game = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "dice_by": "camera"}
    assert table.command("new_match", game, "bench").ok
    taken: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for kind, data in frames(n, seed):
        try:
            table.offer_frame(data)
            taken[kind] += 1
        except BadFrameError:
            refused[kind] += 1
        time.sleep(APART)
    time.sleep(0.5)
    alive = table.command("throw", {"faces": {"1": "A", "2": "E", "3": "I", "consonants": "BCDF"}}, "bench").ok
    match = table.snapshot().data["match"]["id"]
    kinds = Counter(
        json.loads(line)["body"].split('"kind":"')[1].split('"')[0] for line in list(table.export(match) or [])[1:]
    )
    table.stop()
    committed = kinds["committed"] - alive
    return {
        "n": n,
        "seed": seed,
        "reader": name,
        "taken": dict(taken),
        "refused": dict(refused),
        "events_committed": committed,
        "questions": kinds["proposed"],
        "alive": alive,
        "max_rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def main() -> int:
    """Print the figures; fail if an event was committed or the table no longer answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = offer(Path(folder) / "match.db", given.n, given.seed)
    print(json.dumps(figures))
    return int(figures["events_committed"] != 0 or not figures["alive"])


if __name__ == "__main__":
    sys.exit(main())
