"""Tables of the measured figures of page and server for their documents; `bench.document_tables` writes them."""

from collections.abc import Mapping
from typing import Any

Table = tuple[str, tuple[str, ...], list[list[str]]]
"""What stands above a table, its head, and its rows."""


def first_page(figures: Mapping[str, Any]) -> Table:
    """Return what the first visit costs in each language."""
    rows = [
        [
            language,
            f"{cost['kB']} kB",
            str(cost["requests"]),
            f"{cost['work_s']} s",
            f"{cost['median_s']} s",
            f"{cost['p95_s']} s",
        ]
        for language, cost in figures["languages"].items()
    ]
    slower = f"a processor slowed {figures['slower']:g} times"
    note = f"{figures['n']} visits in each language, {slower}, load {figures['load']:.1f}."
    head = ("language", "over the wire", "requests", "work of the main thread", "usable after: median", "19 of 20")
    return note, head, rows


def first_page_pairs(figures: Mapping[str, Any]) -> Table:
    """Return the first visit to this version beside that of another one."""
    (low, high), (least, most) = figures["ratio_95"], figures["work_ratio_95"]
    note = (
        f"{figures['pairs']} pairs of visits, in turn to this version and to {figures['against']}, in {figures['in']}, "
        f"load {figures['load']:.0f}. In the median of the pairs this version took {figures['ratio']:.2f} times as "
        f"long ({low:.2f} to {high:.2f}, bootstrap), with {figures['work_ratio']:.2f} times the work of its main "
        f"thread ({least:.2f} to {most:.2f}); it was the faster one in {figures['faster']}."
    )
    rows = [
        [
            name,
            f"{figures[key]['kB']} kB",
            str(figures[key]["requests"]),
            str(figures[key]["elements"]),
            f"{figures[key]['work_s']} s",
            f"{figures[key]['median_s']} s",
            f"{figures[key]['least_s']} s",
        ]
        for name, key in (("this version", "here"), (figures["against"], "there"))
    ]
    slower = figures["slower"]
    usable = f"usable after, slowed {slower:g} times: median"
    return note, ("version", "over the wire", "requests", "elements", "work", usable, "at best"), rows


WAITS = (("the page's first answer", "answer"), ("the demonstration's first throw", "throw"))


def start(figures: Mapping[str, Any]) -> Table:
    """Return how long people wait after a command, by the clock and in processor time."""

    def row(what: str, found: Mapping[str, Mapping[str, float]], name: str) -> list[str]:
        clock, work = found[f"{name}_s"], found[f"{name}_work_s"]
        return [what, f"{clock['median']} s", f"{clock['least']} s", f"{work['median']} s"]

    rows = [row("`companion --help`", figures, "help")]
    for slowed in (name for name in figures if name.startswith("slowed_")):
        times = slowed.removeprefix("slowed_")
        after = "" if times == "1" else f", slowed {times} times"
        rows += [row(what + after, figures[slowed], name) for what, name in WAITS]
    asked = sum(found["asked"] for name, found in figures.items() if name.startswith("slowed_"))
    note = f"{figures['n']} starts of each kind, load {figures['load']:.0f}; in {asked} of them the table asked first."
    return note, ("from the command to", "median", "at best", "processor time"), rows


def crowd(figures: Mapping[str, Any]) -> Table:
    """Return how a server answers a newcomer in peace, among silent connections and among slow heads."""
    parts = (("in peace", "in_peace"), ("among the silent", "idle"), ("among slow heads", "slow_heads"))
    rows = [
        [
            name,
            f"{figures[part]['median_ms']} ms",
            f"{figures[part]['p95_ms']} ms",
            f"{figures[part]['lost']} of {figures[part]['answered'] + figures[part]['lost']}",
            f"{figures[part]['server_rss_mb']} MB",
        ]
        for name, part in parts
    ]
    note = (
        f"{figures['open_streams']} streams are open; the silent are {figures['idle']['connections']}, the slow heads "
        f"{figures['slow_heads']['connections']}."
    )
    return note, ("", "median", "19 of 20 requests", "lost", "memory of the process"), rows
