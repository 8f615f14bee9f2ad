"""Tables of the measured figures of boards for their pages; `bench.document_tables` writes them there."""

from collections.abc import Mapping
from typing import Any

from bench.scoring.table import percent

Figures = Mapping[str, Any]

BOARD_HEAD = ("boards", "found for certain", "wholly right", "occupied sites", "empty sites", "silent", "time")


def row(name: str, report: Figures) -> list[str]:
    """Return the row of `BOARD_HEAD` for boards read from one picture each."""
    exact, silent = report["exact"], report["silent"]
    took = report.get("ms")
    return [
        f"{name}: {report['boards']}",
        percent(report["found"]),
        f"{exact['count']} = {percent(exact)}",
        f"{report['occupied']['count']} of {report['occupied']['of']} = {percent(report['occupied'])}",
        f"{report['empty']['count']} of {report['empty']['of']} = {percent(report['empty'])}",
        f"{silent['count']} = {percent(silent)}",
        "-" if took is None else f"{took['median']:.0f}, {took['p95']:.0f} ms",
    ]


def boards(figures: Figures) -> tuple[str, tuple[str, ...], list[list[str]]]:
    """Return boards read from one picture each, and the number of photographs on which a board was found."""
    reports = {name: one for name, one in figures.items() if isinstance(one, dict) and "boards" in one}
    note = f"{figures['n']} boards of each kind, seed {figures['seed']}, held-out fonts. "
    loads = [load for one in reports.values() for load in one["load"]]
    note += f"Time: median and 95th percentile, at a load of {min(loads)} to {max(loads)}."
    if photographs := figures.get("photographs"):
        outlined = sum(one is not None for one in photographs.values())
        note += f" On {outlined} of {len(photographs)} photographs of other boards a board is outlined."
    return note, BOARD_HEAD, [row(name, report) for name, report in reports.items()]


TOKEN_HEAD = (
    "board",
    "found",
    "wholly right",
    "occupied places",
    "empty places",
    "silent",
    "asked: first guess right",
    "covered: called empty, called a token",
    "time",
)


def tokens(figures: Figures) -> tuple[str, tuple[str, ...], list[list[str]]]:
    """Return tokens on the printed boards of virtues, read from one picture each."""
    rows = []
    loads = []
    for name, report in figures.items():
        if not isinstance(report, dict):
            continue
        guess, took = report["asked_first_guess"], report["ms"]
        loads += report["load"]
        rows.append(
            [
                f"{name}: {report['boards']}",
                percent(report["found"]),
                f"{report['exact']['count']} = {percent(report['exact'])}",
                f"{report['occupied']['count']} of {report['occupied']['of']} = {percent(report['occupied'])}",
                f"{report['empty']['count']} of {report['empty']['of']} = {percent(report['empty'])}",
                f"{report['silent']['count']} of {report['silent']['of']} = {percent(report['silent'])}",
                f"{guess['count']} of {guess['of']}",
                _covered(report["hidden"]),
                f"{took['median']:.0f}, {took['p95']:.0f} ms",
            ]
        )
    note = f"{figures['n']} boards of each kind, seed {figures['seed']}. Time: median and 95th percentile, "
    return note + f"at a load of {min(loads)} to {max(loads)}.", TOKEN_HEAD, rows


def _covered(note: Figures) -> str:
    """Return the results for circles under a hand, and for those that a hand covers partly."""
    hidden = f"{note['called_empty']}, {note['called_a_token']} of {note['count']}"
    return f"{hidden}; touched: {note['touched_silent']} of {note['touched']} wrong"


FOLLOWED_HEAD = (
    "game",
    "matches",
    "committed rightly, nobody asked",
    "committed wrongly",
    "illegal moves named",
    "load",
)


def followed(figures: Figures) -> tuple[str, tuple[str, ...], list[list[str]]]:
    """Return matches drawn ply by ply, read and followed."""
    rows = []
    for slug, one in figures.items():
        if not isinstance(one, dict):
            continue
        rows.append(
            [
                slug,
                str(one["matches"]),
                _counted(one["right"]),
                _counted(one["wrong"]),
                _counted(one["named"]),
                " to ".join(map(str, one["load"])),
            ]
        )
    note = (
        f"{figures['n']} matches of each game, up to {figures['plies']} plies of each, from seed {figures['seed']} on."
    )
    return note, FOLLOWED_HEAD, rows


def _counted(share: Mapping[str, Any]) -> str:
    """Return a share with what was counted; nothing may have been."""
    return f"{share['count']} of {share['of']} = {percent(share)}" if share["of"] else "-"
