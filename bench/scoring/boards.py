"""A reader's results on labelled boards: occupied and empty sites, silent errors, exact boards, time."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bench.scoring.intervals import rate
from bench.scoring.outcomes import Label
from bench.scoring.table import percent

SITES: Final = {"tables": 25, "rithmomachia": 128, "rim": 56, "pairs": 56, "wheel": 56}
"""The number of sites of each board; of any other board, only the labelled ones can be counted."""

_BESIDES: Final = ("confidence", "status", "candidates", "legible")
"""Keys beside a site's men in labels and readings."""


@dataclass(frozen=True)
class ScoredBoard:
    """One board: how many of its sites were right, asked about, and wrong without asking.

    Sites that nobody can read (``unseen``) are not counted; naming them wrongly is no error.
    """

    image: str
    occupied: int
    occupied_right: int
    empty: int
    empty_right: int
    silent: int
    asked: int
    found: bool

    @property
    def exact(self) -> bool:
        """Whether everything was read correctly."""
        return self.occupied_right == self.occupied and self.empty_right == self.empty and self.found


def score_board(label: Label, reading: Mapping[str, Any]) -> ScoredBoard | None:
    """Return what became of the board in a line of ``labels.jsonl``; None where the label has no board.

    ``reading``: what ``companion read --board NAME --json`` prints for the picture.
    """
    truth = next((one for one in label["objects"] if one["kind"] == "board"), None)
    if truth is None:
        return None
    read = next((one for one in reading["objects"] if one["kind"] == "board"), None)
    true: Mapping[str, Any] = truth["sites"]
    unseen = {name for name, site in true.items() if not site.get("legible", True)}
    occupied = [name for name in true if name not in unseen]
    empty = SITES.get(truth["board"], len(true)) - len(true)
    image = str(label.get("image", ""))
    if read is None:
        return ScoredBoard(image, len(occupied), 0, empty, 0, 0, 0, found=False)
    found = read.get("status", "read") == "read"
    sites_read: Mapping[str, Any] = read.get("sites", {})
    asked = {name for name, site in sites_read.items() if not found or site.get("status", "read") != "read"}
    right = {name for name in occupied if name in sites_read and _bare(sites_read[name]) == _bare(true[name])}
    phantoms = [name for name in sites_read if name not in true]
    if not found:
        return ScoredBoard(image, len(occupied), 0, empty, 0, 0, len(occupied) + empty, found=False)
    wrong = sum(name not in asked and name not in right for name in occupied)
    silent = wrong + sum(name not in asked for name in phantoms)
    return ScoredBoard(
        image,
        len(occupied),
        len(right - asked),
        empty,
        empty - len(phantoms),
        silent,
        len(asked & {*occupied, *phantoms}),
        found=True,
    )


def _bare(site: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in site.items() if key not in _BESIDES}


@dataclass
class BoardScore:
    """A reader's results on some labelled boards."""

    boards: list[ScoredBoard] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    def add(self, label: Label, reading: Mapping[str, Any]) -> ScoredBoard | None:
        """Count one picture; see `score_board`. ``reading`` may hold ``ms``."""
        scored = score_board(label, reading)
        if scored is not None:
            self.boards.append(scored)
            if "ms" in reading:
                self.milliseconds.append(float(reading["ms"]))
        return scored

    def to_json(self) -> dict[str, Any]:
        """Return the whole report: every rate with its count and 95 % interval."""
        boards = self.boards
        occupied, empty = sum(one.occupied for one in boards), sum(one.empty for one in boards)
        times = sorted(self.milliseconds)
        report: dict[str, Any] = {
            "boards": len(boards),
            "found": rate(sum(one.found for one in boards), len(boards)),
            "exact": rate(sum(one.exact for one in boards), len(boards)),
            "occupied": rate(sum(one.occupied_right for one in boards), occupied),
            "empty": rate(sum(one.empty_right for one in boards), empty),
            "silent": rate(sum(one.silent for one in boards), occupied + empty),
            "asked": rate(sum(one.asked for one in boards), occupied + empty),
        }
        if times:
            report["ms"] = {"median": times[len(times) // 2], "p95": times[min(len(times) - 1, int(0.95 * len(times)))]}
        return report


def report_lines(report: Mapping[str, Any]) -> str:
    """Return the lines of a report for a person; in brackets are 95 % intervals."""
    names = {
        "found": "boards found for certain",
        "exact": "boards wholly right",
        "occupied": "occupied sites right",
        "empty": "empty sites right",
        "asked": "sites asked about",
        "silent": "sites silently wrong",
    }
    lines = [f"{report['boards']} boards"]
    lines += [
        f"{text}: {report[name]['count']} of {report[name]['of']}, {percent(report[name])}"
        for name, text in names.items()
    ]
    if "ms" in report:
        took = report["ms"]
        lines.append(f"time for one board: median {took['median']:.1f} ms, 95 of 100 within {took['p95']:.1f} ms")
    return "\n".join(lines)
