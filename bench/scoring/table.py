"""A score as a plain table for a person."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

COLUMNS: Final = ("correct", "asked", "missed", "silent")
MOST_CONFUSED: Final = 12
MOST_CLASSES: Final = 12
"""Only the JSON lists conditions with more classes than this (names of fonts)."""

NAME, CELL = 26, 24


def table(report: Mapping[str, Any]) -> str:
    """Return the lines of a report of `Score.to_json`, with 95 % intervals in brackets."""
    return "\n".join(_lines(report))


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    yield "".ljust(NAME) + "dice".rjust(7) + "".join(name.rjust(CELL) for name in COLUMNS)
    yield _row("all", report["dice"])
    parts = [("", report["kinds"]), ("size ", report["sizes"])]
    parts += [(f"{name} ", classes) for name, classes in report["conditions"].items()]
    for title, classes in parts:
        if 1 <= len(classes) <= MOST_CLASSES:
            counted = {name: tally for name, tally in classes.items() if tally["dice"] or tally["silent"]["count"]}
            for name, tally in counted.items():
                yield _row(f"{title}{name}", tally)
    images, identity = report["images"], report["die_identity"]
    yield ""
    exact, silent = percent(images["exact"]), percent(images["with_silent_error"])
    yield f"pictures ({images['of']}): exact {exact}, with a silent error {silent}"
    wrongly = report["throws_read"]["short_or_wrong"]
    if wrongly["of"]:
        yield f"throws that count as read ({wrongly['of']}): short of a die or wrong {percent(wrongly)}"
    if identity["of"]:
        yield f"the right die ({identity['of']} read ones): {percent(identity)}"
    if "ms" in report:
        took = report["ms"]
        yield f"time for one picture ({took['n']}): median {took['median']} ms, 95 of 100 within {took['p95']} ms"
    for name, took in report.get("stages_ms", {}).items():
        yield f"  {name}: median {took['median']} ms, 95 of 100 within {took['p95']} ms"
    yield from _reliability(report["reliability"])
    yield from _confused(report["confusion"]["read_as"])


def _row(name: str, tally: Mapping[str, Any]) -> str:
    return (
        name[:NAME].ljust(NAME) + str(tally["dice"]).rjust(7) + "".join(percent(tally[c]).rjust(CELL) for c in COLUMNS)
    )


def _reliability(report: Mapping[str, Any]) -> Iterator[str]:
    if not report["answers"]:
        return
    yield ""
    error = 100 * report["expected_calibration_error"]
    brier = report["brier"]
    yield f"how reliable ({report['answers']} answers): calibration error {error:.2f} %, Brier score {brier:.4f}"
    for one in report["bins"]:
        low, high = (100 * end for end in one["interval"])
        yield (
            f"  said {100 * one['from']:g} to {100 * one['to']:g} %, {one['answers']} answers: "
            f"said {100 * one['confidence']:.2f} %, right {100 * one['share_right']:.2f} % ({low:.1f} to {high:.1f})"
        )


def _confused(rows: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    wrong = [
        (number, truth, read)
        for truth, row in rows.items()
        for read, number in row.items()
        if truth != read and not (read.startswith("(") and read.endswith(")"))
    ]
    if not wrong:
        return
    yield ""
    yield "taken for another face (truth as reading):"
    for number, truth, read in sorted(wrong, key=lambda one: (-one[0], one[1:]))[:MOST_CONFUSED]:
        yield f"  {truth} as {read}: {number} of {sum(rows[truth].values())}"
    if len(wrong) > MOST_CONFUSED:
        yield f"  and {len(wrong) - MOST_CONFUSED} other pairs"


def percent(rate: Mapping[str, Any]) -> str:
    """Return a rate with its interval, ``"92.0 % (89.5 to 94.0)"``; small ones are finer, as silent errors are rare."""
    if rate["rate"] is None:
        return "-"
    share, (low, high) = 100 * rate["rate"], (100 * end for end in rate["interval"])
    if 0 < share < 1:
        return f"{share:.2f} % ({low:.2f} to {high:.2f})"
    return f"{share:.1f} % ({low:.1f} to {high:.1f})"
