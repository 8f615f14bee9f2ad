"""How well the reader reads newly drawn pictures of all kinds, with fonts that had no part in its making."""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from bench.reader import pictures
from bench.scoring import rate


def main() -> None:
    """Draw n pictures of each kind and print the rates of ``companion bench vision``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", help=f"of {', '.join(pictures.KINDS)}; all by default")
    parser.add_argument("-n", type=int, default=120, help="pictures of each kind")
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--book", action="store_true", help="book hands that neither taught nor chose")
    parser.add_argument("--sheets", type=Path, help="a folder for a picture of the errors of each kind")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    figures: dict[str, Any] = {}
    not_measured: dict[str, str] = {}
    dice = silent = 0
    for kind in given.kinds or pictures.KINDS:
        set_name, _ = pictures.KINDS[kind]
        if reason := pictures.why_not(set_name):
            not_measured[kind] = reason
            continue
        with tempfile.TemporaryDirectory() as folder:
            # a kind's pictures are the same whichever other kinds are measured
            seed = given.seed + 1000 * list(pictures.KINDS).index(kind)
            pictures.draw_all(
                [pictures.Job(Path(folder), kind, seed, number, book=given.book) for number in range(given.n)]
            )
            more: tuple[str | Path, ...] = ()
            if given.sheets:
                given.sheets.mkdir(parents=True, exist_ok=True)
                more = ("--sheet", given.sheets / f"{kind}.png")
            before = pictures.load()
            figures[kind] = pictures.bench_vision(Path(folder), set_name, *more) | {"seed": seed}
            figures[kind]["load"] = [before, pictures.load()]
        dice += figures[kind]["dice"]["dice"]
        silent += figures[kind]["dice"]["silent"]["count"]
    report = {"n": given.n, "seed": given.seed, "fonts": "book" if given.book else "held-out"}
    print(json.dumps(report | {"silent_of_all": rate(silent, dice), "not_measured": not_measured, "kinds": figures}))


if __name__ == "__main__":
    main()
