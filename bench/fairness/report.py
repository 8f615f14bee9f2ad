"""How long the report on 10,000 throws takes: its parts, and the whole command with page, PDF and table."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.fairness.account import CountedThrow, DieAccount
from companion.fairness.mixture import Counts
from companion.fairness.outcomes import outcomes_of
from companion.fairness.reader_errors import ReaderErrors
from companion.fairness.report.as_json import report_json
from companion.fairness.report.contents import report_of
from companion.fairness.report.html import to_html
from companion.fairness.report.paper import to_pdf
from companion.fairness.report.sequence import to_csv
from companion.language.texts import load
from companion.rules.dice import dice_set


def shown(kinds: int, many: int, rng: np.random.Generator, again: float) -> Counts:
    """Throw a fair die; with probability ``again`` a throw repeats the one before."""
    thrown: Counts = rng.integers(0, kinds, many, dtype=np.int64)
    for place in np.flatnonzero(rng.random(many) < again).tolist():
        thrown[place] = thrown[max(0, place - 1)]
    return thrown


def account(set_name: str, thrown: Counts, *, measured: bool) -> DieAccount:
    """Return an account of these throws, with five sessions and two hands."""
    die = dice_set(set_name).dice[0]
    outcomes = outcomes_of(die)
    kinds = len(outcomes.labels)
    throws = tuple(
        CountedThrow(number, place, "camera", 1.8e9 + 6 * number, session=f"{number // 2500}", hand="LR"[number % 2])
        for number, place in enumerate(thrown.tolist(), 1)
    )
    seen: npt.NDArray[np.int64] = np.hstack([np.eye(kinds, dtype=np.int64) * 495, np.full((kinds, 1), 5)])
    counts = np.bincount(thrown, minlength=kinds)
    return DieAccount("A die", set_name, die, outcomes, counts, throws, reader=ReaderErrors(seen) if measured else None)


def seconds(what: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """Return a function's result, its wall time and its processor time."""
    started, used = time.perf_counter(), time.process_time()
    given = what()
    return given, {"s": round(time.perf_counter() - started, 3), "cpu_s": round(time.process_time() - used, 3)}


def parts(one: DieAccount) -> dict[str, dict[str, float]]:
    """Time each part of a report."""
    words = load("de")
    report, took = seconds(lambda: report_of(one))
    times = {"sums": took}
    forms: dict[str, Callable[[], Any]] = {
        "html": lambda: to_html(report, words),
        "pdf": lambda: to_pdf(report, words),
        "json": lambda: json.dumps(report_json(report)),
        "csv": lambda: to_csv(one),
    }
    for name, form in forms.items():
        times[name] = seconds(form)[1]
    return times


def whole(one: DieAccount, *, times: int = 5) -> dict[str, float]:
    """Time the whole command as a process, with all forms: median and slowest wall time, and processor time."""
    companion = Path(sys.executable).parent / "companion"
    took = []
    before = os.times()
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        (at / "t.csv").write_bytes(to_csv(one).encode())
        forms = [f"--{form}={at / ('die.' + form)}" for form in ("html", "pdf", "csv")]
        for _ in range(times):
            started = time.perf_counter()
            given = ["fairness", "report", str(at / "t.csv"), "--die", one.set_name, *forms]
            subprocess.run([str(companion), *given], check=True, capture_output=True)
            took.append(time.perf_counter() - started)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return {
        "n": times,
        "median_s": round(sorted(took)[times // 2], 2),
        "max_s": round(max(took), 2),
        "cpu_s": round(used / times, 2),
    }


def main() -> None:
    """Measure reports on a fair cube, a cube with dependent throws, a d20, and a cube with a measured reader."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=10_000, help="throws")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    cases = {
        "cube": account("pips", shown(6, given.n, rng, 0.0), measured=False),
        "cube, throws slightly dependent": account("pips", shown(6, given.n, rng, 0.03), measured=False),
        "cube, reader measured": account("pips", shown(6, given.n, rng, 0.0), measured=True),
        "d20": account("d20", shown(20, given.n, rng, 0.0), measured=False),
    }
    figures: dict[str, Any] = {"throws": given.n, "seed": given.seed, "load": round(os.getloadavg()[0], 2)}
    for name, one in cases.items():
        figures[name] = {"whole": whole(one), "parts": parts(one)}
    print(json.dumps(figures, indent=None if given.json else 1))


if __name__ == "__main__":
    main()
