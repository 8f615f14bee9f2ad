"""Follow many drawn matches, each of its own owner: how many plies are committed rightly, and illegal moves named.

Every match has its own board, men, camera and light, drawn by `bench.boards.matches`. Each is followed as
``companion bench board`` does: the labels answer whatever is asked. Sites are counted from the second picture on, when
the start position has been a lesson; of the first one counts whether a table accepts it.
"""

import argparse
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.boards.labelled_match import men_of
from bench.boards.labelled_pictures import Followed, follow
from bench.boards.matches import draw_match
from bench.boards.unlike import UnlikeFilm
from bench.scoring import rate
from companion.referee.board.results import AskSeating, Blind
from companion.referee.board.start import find_seating
from companion.rules.game import Position
from companion.rules.registry import game
from companion.vision.board_readings import BoardReading, Standing
from companion.vision.boards.layout import BAR, RITHMOMACHIA, TABLES
from companion.vision.boards.lessons.witness import as_before
from workshop.board_scenes.filming import BoardFilm
from workshop.scenes.fonts import find_fonts

SLUGS: Final = (
    "tables/zeno",
    "tables/todas-tablas",
    "tables/ludus-anglicorum",
    "rithmomachia/durnil-guardia",
    "rithmomachia/mebben",
)
ILLEGAL: Final = 0.25
"""Before this share of the turns, somebody makes an illegal move and takes it back."""


def followed(folder: Path, slug: str, plies: int, seed: int, filmed: Callable[..., BoardFilm]) -> Counter[str]:
    """Draw one match into a folder, unless it is there already, follow it, and count what became of it."""
    labels: Sequence[dict[str, Any]]
    if (folder / "labels.jsonl").is_file():
        labels = [json.loads(line) for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    else:
        labels = draw_match(folder, slug, plies, seed, find_fonts("held-out"), illegal=ILLEGAL, filmed=filmed)
    result = Followed(slug)
    board = TABLES if slug.startswith("tables") else RITHMOMACHIA
    sites: Counter[str] = Counter()
    start = game(slug).start(game(slug).least_players)
    for number, (label, line) in enumerate(zip(labels, follow(folder, board, start, labels), strict=True)):
        result.add(line)
        if number == 0:
            sites[start_seen(start, line.reading)] += 1
        else:
            sites += read_sites(line.reading, men_of(label["objects"][0]["sites"]))
    return result.counts + sites + Counter(pictures=result.pictures)


def start_seen(start: Position, reading: BoardReading) -> str:
    """Return what a table makes of men who stand as the game begins: accepted, one man asked about, more, or unseen.

    How the board lies, and whose each colour is, may be asked all the same where the start looks alike in several ways.
    """
    found = find_seating(start, reading)
    if isinstance(found, Blind):
        return "starts_unseen"
    doubted = len(found.sites) if isinstance(found, AskSeating) else 0
    return ("starts_accepted", "starts_asked_one")[doubted] if doubted <= 1 else "starts_doubted"


def read_sites(reading: BoardReading, truth: Mapping[str, Standing]) -> Counter[str]:
    """Count the sites that no hand covers: occupied and empty, read rightly, and read wrongly without a question."""
    found: Counter[str] = Counter()
    for name, site in reading.sites.items():
        if name == BAR or site.status == "hidden":
            continue
        stood = truth.get(name)
        kind = "empty" if stood is None else "occupied"
        read, right = reading.status == site.status == "read", as_before(site.standing, stood)
        found += Counter({kind: 1, f"{kind}_right": int(read and right), "silent": int(read and not right)})
    return found


def measured(
    folder: Path, slug: str, number: int, plies: int, seed: int, *, filmed: Callable[..., BoardFilm] = BoardFilm
) -> dict[str, Any]:
    """Return the figures of a number of matches of one game; their seeds follow each other."""
    total: Counter[str] = Counter()
    before, cpu = os.getloadavg()[0], time.process_time()
    for k in range(number):
        total += followed(folder / f"{slug.replace('/', '-')}-{seed + k}", slug, plies, seed + k, filmed)
    turns, shown = total["turns"], total["illegal_shown"]
    return {
        "matches": number,
        **total,
        "starts": rate(total["starts_accepted"] + total["starts_asked_one"], number),
        "right": rate(total["committed_rightly"], turns),
        "wrong": rate(total["committed_wrongly"], turns),
        "named": rate(total["illegal_named"], shown),
        "occupied_sites": rate(total["occupied_right"], total["occupied"]),
        "empty_sites": rate(total["empty_right"], total["empty"]),
        "silent_sites": rate(total["silent"], total["occupied"] + total["empty"]),
        "cpu_ms_a_picture": round(1e3 * (time.process_time() - cpu) / max(total["pictures"], 1)),
        "load": [round(before, 2), round(os.getloadavg()[0], 2)],
    }


def main() -> None:
    """Print the figures of each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", default=list(SLUGS))
    parser.add_argument("-n", type=int, default=60, help="matches of each game")
    parser.add_argument("--plies", type=int, default=12, help="plies of each match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the matches are drawn and kept; matches there are reused")
    parser.add_argument("--unlike", action="store_true", help="looks that no net learnt from")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        filmed = UnlikeFilm if given.unlike else BoardFilm
        figures = {
            slug: measured(folder, slug, given.n, given.plies, given.seed, filmed=filmed) for slug in given.slugs
        }
    print(json.dumps({"n": given.n, "plies": given.plies, "seed": given.seed} | figures))


if __name__ == "__main__":
    main()
