"""Tables of the measured figures of page and server for their documents; `bench.document_tables` writes them."""

from collections.abc import Mapping
from typing import Any

Table = tuple[str, tuple[str, ...], list[list[str]]]
"""What stands above a table, its head, and its rows."""


def first_page(figures: Mapping[str, Any]) -> Table:
    """Return what the first visit costs in each language."""
    rows = [
        [language, f"{cost['kB']} kB", str(cost["requests"]), f"{cost['median_s']} s", f"{cost['p95_s']} s"]
        for language, cost in figures["languages"].items()
    ]
    slower = f"a processor slowed {figures['slower']:g} times"
    note = f"{figures['n']} visits in each language, {slower}, load {figures['load']:.1f}."
    return note, ("language", "over the wire", "requests", "usable after: median", "19 of 20"), rows


def first_page_pairs(figures: Mapping[str, Any]) -> Table:
    """Return the first visit to this version beside that of another one."""
    low, high = figures["ratio_95"]
    note = (
        f"{figures['pairs']} pairs of visits, in turn to this version and to {figures['against']}, in {figures['in']}, "
        f"load {figures['load']:.0f}. In the median of the pairs this version took {figures['ratio']:.2f} times as "
        f"long ({low:.2f} to {high:.2f}, bootstrap); it was the faster one in {figures['faster']}."
    )
    rows = [
        [
            name,
            f"{figures[key]['kB']} kB",
            str(figures[key]["requests"]),
            f"{figures[key]['median_s']} s",
        ]
        for name, key in (("this version", "here"), (figures["against"], "there"))
    ]
    slower = figures["slower"]
    return note, ("version", "over the wire", "requests", f"usable after, slowed {slower:g} times: median"), rows


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
