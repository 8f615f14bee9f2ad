"""Write the measured figures into their pages, so that nobody types a figure there.

``python -m bench reader photos ... --out bench.json``, then ``python -m bench.document_tables bench.json``. Each
table stands between two comments that name its measurement; tables without a new measurement stay unchanged.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from bench.boards import board_tables
from bench.page import page_tables
from bench.scoring.table import percent

PAGES = tuple(
    Path(__file__).resolve().parents[1] / "docs" / "measured" / name
    for name in ("reader.md", "boards.md", "page.md", "running.md", "random-play.md")
)

Figures = Mapping[str, Any]
RATES = ("correct", "asked", "missed", "silent")


def lines(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    names = list(head)
    body = [names, ["---"] * len(names), *map(list, rows)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in body)


def counted(rate: Figures) -> str:
    """Return ``"3 of 200 = 1.5 % (0.5 to 4.3)"``."""
    return f"{rate['count']} of {rate['of']} = {percent(rate)}" if rate["of"] else "-"


def of_dice(name: str, report: Figures) -> list[list[str]]:
    """Return a row for all dice of a report and one for each kind of them."""
    if "not_measured" in report:
        return [[name, "-", f"not measured: {report['not_measured']}", *[""] * 4]]
    exact = counted(report["images"]["exact"])
    kinds = {kind: tally for kind, tally in report["kinds"].items() if tally["dice"]}
    rows = {name: report["dice"]} | ({f"{name}: {kind}": kinds[kind] for kind in kinds} if len(kinds) > 1 else {})
    return [
        [title, str(tally["dice"]), *(percent(tally[rate]) for rate in RATES), exact if title == name else ""]
        for title, tally in rows.items()
    ]


HEAD = ("pictures", "dice", *RATES, "pictures wholly right")


def reader(figures: Figures) -> str:
    """Drawn pictures of each kind."""
    rows = [row for kind, report in figures["kinds"].items() for row in of_dice(kind, report)]
    rows += [[kind, "-", f"not measured: {why}", *[""] * 4] for kind, why in figures["not_measured"].items()]
    note = f"{figures['n']} pictures of each kind, seed {figures['seed']}. Silent errors of all: "
    return f"{note}{counted(figures['silent_of_all'])}.\n\n{lines(HEAD, rows)}"


def photoreal(figures: Figures) -> str:
    """Path-traced pictures of each kind."""
    if "not_measured" in figures:
        return f"Not measured: {figures['not_measured']}."
    rows = [row for kind, report in figures["kinds"].items() for row in of_dice(kind, report)]
    rows += [
        [f"{name}, tilted {of} degrees", *cells]
        for name in ("ludix", "pips")
        for of, tally in figures["kinds"][name]["conditions"].get("tilt", {}).items()
        for cells in [[str(tally["dice"]), *(percent(tally[rate]) for rate in RATES), ""]]
    ]
    note = (
        f"{figures['n']} pictures, load {figures['load']}. Silent errors of all: {counted(figures['silent_of_all'])}; "
    )
    note += f"throws that count as read and are short of a die or wrong: {counted(figures['read_wrongly'])}."
    dice = f"{note}\n\n{lines(HEAD, rows)}"
    boards = [board_tables.row(kind, report) for kind, report in figures["boards"].items()]
    return f"{dice}\n\n{lines(board_tables.BOARD_HEAD, boards)}" if boards else dice


def photos(figures: Figures) -> str:
    """Real photographs."""
    if "not_measured" in figures:
        return f"Not measured: {figures['not_measured']}."
    return lines(HEAD, [row for folder, report in figures["folders"].items() for row in of_dice(folder, report)])


def transforms(figures: Figures) -> str:
    """Changed pictures."""
    if "not_measured" in figures:
        return f"Not measured: {figures['not_measured']}."
    note = f"{figures['n']} pictures ({figures['kind']}), seed {figures['seed']}; {figures['legible']}."
    rows = [of_dice(name, report)[0] for name, report in figures["changes"].items()]
    return f"{note}\n\n{lines(HEAD, rows)}"


def no_dice(figures: Figures) -> str:
    """Pictures without a die."""
    sources = ", ".join(f"{number} {source}" for source, number in figures["frames"].items())
    rows = [
        [
            name,
            counted(report["frames_with_a_die_read"]),
            str(report["dice_read"]),
            counted(report["frames_with_a_question"]),
            str(report["dice_asked"]),
        ]
        for name, report in figures["sets"].items()
    ]
    head = ("dice set", "pictures with a die read", "false dice read", "pictures with a question", "false dice asked")
    return f"{figures['n']} pictures: {sources}.\n\n{lines(head, rows)}"


def pairs(figures: Figures) -> str:
    """Marks mistaken for each other."""
    rows = []
    for pair, both in figures["pairs"].items():
        for name, report in both.items():
            title = f"{pair[0]} and {pair[1]}, {name.replace('_', ' ')}"
            if "not_measured" in report:
                rows.append([title, f"not measured: {report['not_measured']}", "", "", ""])
                continue
            cut, whole = report["cut_faces"], report["pictures"]
            rows.append(
                [title, counted(cut["confused"]), percent(cut["asked"]), counted(whole["confused"])]
                + [percent({"rate": 1 - whole["correct"]["rate"], "interval": _turned(whole["correct"])})]
            )
    head = ("marks", "cut faces, all four turns: taken for the other", "asked", "whole pictures", "not read rightly")
    return lines(head, rows)


def _turned(rate: Figures) -> list[float]:
    low, high = rate["interval"]
    return [1 - high, 1 - low]


def sizes(figures: Figures) -> str:
    """Times, memory, sizes."""
    if "not_measured" in figures:
        return f"Not measured: {figures['not_measured']}."
    rows = [
        [
            size,
            str(one["ms"]["n"]),
            f"{one['ms']['median']} ms",
            f"{one['ms']['p95']} ms",
            f"{one['peak_memory_MiB']} MiB",
            ", ".join(f"{name} {100 * share:.0f} %" for name, share in list(one["shares"].items())[:5]),
            " to ".join(map(str, one["load"])),
        ]
        for size, one in figures["sizes"].items()
    ]
    head = ("picture", "throws", "median", "95 of 100 within", "peak memory", "where the time goes", "load")
    package = figures["package_bytes"]
    nets = ", ".join(f"{name} {size / 1e6:.2f} MB" for name, size in package["nets"].items())
    return f"{lines(head, rows)}\n\nThe whole program is a wheel of {package['wheel'] / 1e6:.2f} MB; in it {nets}."


def set_learning(figures: Figures) -> str:
    """Somebody's own dice, before and after learning them."""
    rows = [
        [owner, part, kind, reader, *(counted(rates[rate]) for rate in RATES)]
        for owner, figure in figures["owners"].items()
        for part in ("there", "elsewhere")
        for kind in ("cubes", "tetrahedra")
        for reader, rates in ((name, figure[part][name][kind]) for name in ("general", "memory"))
        if rates["correct"]["of"]
    ]
    return lines(("owner", "thrown", "dice", "reader", *RATES), rows)


def table_memory(figures: Figures) -> str:
    """Tables that learn while people play."""
    undisturbed = figures["changes"]["none"]
    rows = [
        [
            kind,
            f"{part['throws'][0]} to {part['throws'][1]}",
            str(part["dice"]),
            *(percent(part[name]) for name in RATES),
        ]
        for kind, parts in undisturbed["kinds"].items()
        for part in parts
    ]
    note = (
        f"{len(figures['owners'])} owners, {figures['n']} throws each, seed {figures['seed']}; "
        f"learning takes {undisturbed['learning_ms']} ms a throw."
    )
    return f"{note}\n\n{lines(('dice', 'throws', 'n', *RATES), rows)}"


def two_lamps(figures: Figures) -> str:
    """Dice that one view leaves in doubt, seen again under either lamp alone."""
    rows = [
        [kind, row, *(counted(part[name][rate]) for rate in ("right", "silent"))]
        for kind, part in figures["kinds"].items()
        for name, row in (("first", "one view"), ("joined", "with views under each lamp"))
    ]
    note = (
        f"{figures['throws']} throws of each set, seed {figures['seed']}; the first view left a question in "
        f"{counted(figures['switched'])} of the throws."
    )
    return f"{note}\n\n{lines(('dice', 'views', 'read rightly, of legible dice', 'silent, of all dice'), rows)}"


def lamp_time(figures: Figures) -> str:
    """The time that views under two lamps take."""
    rows = [
        [
            *(str(one[name]) for name in ("rate", "exposure", "n")),
            *(f"{one[name]} ms" for name in ("median_ms", "longest_ms")),
            str(one["failed"]),
        ]
        for one in figures["cameras"]
    ]
    head = ("pictures a second", "exposure", "n", "median", "longest", "given up")
    return f"Load {figures['load']}.\n\n{lines(head, rows)}"


def playouts(figures: Figures) -> str:
    """Games in which nobody thinks, of every variant."""
    rows = [
        [
            f"`{slug}`",
            "{value:.1f} ({low:.1f} to {high:.1f})".format(**one["length"]),
            str(one["longest"]),
            *(_percent(part) for part in (one["wins"]["1"], one["wins"]["2"], one["shared"], one["capped"])),
        ]
        for slug, one in figures["games"].items()
    ]
    return lines(("game", "length", "longest", "player 1 wins", "player 2 wins", "shared", "capped"), rows)


def _percent(share: Figures) -> str:
    """Return a share with its interval, in percent: ``"49.9 (46.8 to 53.0)"``."""
    return "{:.1f} ({:.1f} to {:.1f})".format(*(100 * share[name] for name in ("value", "low", "high")))


def under_note(table: Callable[[Figures], tuple[str, tuple[str, ...], list[list[str]]]]) -> Callable[[Figures], str]:
    """Return what writes a table under its note."""

    def written(figures: Figures) -> str:
        note, head, rows = table(figures)
        return f"{note}\n\n{lines(head, rows)}"

    return written


TABLES: dict[str, Callable[[Figures], str]] = {
    "reader": reader,
    "photoreal": photoreal,
    "photos": photos,
    "photos_final": photos,
    "transforms": transforms,
    "no_dice": no_dice,
    "pairs": pairs,
    "sizes": sizes,
    "set_learning": set_learning,
    "table_memory": table_memory,
    "two_lamps": two_lamps,
    "lamp_time": lamp_time,
    "boards": under_note(board_tables.boards),
    "tokens": under_note(board_tables.tokens),
    "followed": under_note(board_tables.followed),
    "first_page": under_note(page_tables.first_page),
    "first_page_pairs": under_note(page_tables.first_page_pairs),
    "start": under_note(page_tables.start),
    "crowd": under_note(page_tables.crowd),
    "playouts": playouts,
}


def page_of(name: str) -> Path:
    """Return the page that has a place for a measurement.

    Raises:
        ValueError: no page has one.
    """
    for page in PAGES:
        if f"<!-- {name} -->" in page.read_text(encoding="utf-8"):
            return page
    names = " or ".join(page.name for page in PAGES)
    raise ValueError(f"Expected <!-- {name} --> and <!-- end --> in {names}, but they are not there.")


def filled(page: str, name: str, table: str) -> str:
    """Return the page with the text between a measurement's comments replaced by the table."""
    place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    return place.sub(lambda found: f"{found[1]}{table}\n{found[2]}", page, count=1)


def main() -> int:
    """Fill the pages with the figures of one or more files of measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, help="as written by python -m bench --out")
    given = parser.parse_args()
    for file in given.files:
        report = json.loads(file.read_text(encoding="utf-8"))
        for name in TABLES.keys() & report.keys():
            if figures := report[name].get("figures"):
                page = page_of(name)
                page.write_text(filled(page.read_text(encoding="utf-8"), name, TABLES[name](figures)), encoding="utf-8")
                print(f"{name}: from {file.name}, load {report[name]['load']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
