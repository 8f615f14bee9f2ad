"""The figures of docs/fairness-method.md again from its formulas alone, with SciPy and by listing everything."""

import itertools
import math
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import scipy

from companion.fairness.mixture import mixture_of
from companion.fairness.outcomes import outcomes_of
from companion.fairness.reader_errors import ReaderErrors, corrected_bet
from companion.fairness.stakes import CURRENT_STAKES, FEARS, stakes_for
from companion.fairness.unread import least_log_value, share_to_doubt
from companion.rules.dice import dice_set

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "fairness-method.md").read_text(encoding="utf-8")
CUBE = outcomes_of(dice_set("pips").dice[0])
FAIR = 1 / 6
COUNTS = [8, 9, 7, 10, 8, 18]
GROUPS: dict[str, list[tuple[int, ...]]] = {
    "face": [(face,) for face in range(6)],
    "axis": [(0, 5), (1, 4), (2, 3)],
    "corner": list(itertools.product((0, 5), (1, 4), (2, 3))),
}


def wealth(counts: Sequence[int], number: int) -> float:
    """Return the wealth of the bet against a cube by the page's formulas and the file of stakes alone."""
    data = tomllib.loads((ROOT / "companion" / "fairness" / "stakes.toml").read_text(encoding="utf-8"))
    laid = next(one for one in data["stakes"] if one["number"] == number)
    kinds = [one for one in laid["kinds"] if one["kind"] in (*GROUPS, "pips")]
    whole = sum(sum(one["more"]) + sum(one["less"]) for one in kinds) + sum(stake for _, stake in laid["spread"])
    won, throws = 0.0, sum(counts)
    for one in kinds:
        for sign, stakes in ((1, one["more"]), (-1, one["less"])):
            for step, stake in zip(one["steps"], stakes, strict=True):
                for group in GROUPS.get(one["kind"], [()]):
                    chances = other_die(one["kind"], group, sign * step)
                    part = stake / whole / len(GROUPS.get(one["kind"], [()]))
                    won += part * math.prod(
                        (chance / FAIR) ** int(m) for chance, m in zip(chances, counts, strict=True)
                    )
    for concentration, stake in laid["spread"]:
        inside = concentration * FAIR
        log = (
            scipy.special.gammaln(concentration)
            - scipy.special.gammaln(concentration + throws)
            - throws * math.log(FAIR)
        )
        log += sum(scipy.special.gammaln(inside + m) - scipy.special.gammaln(inside) for m in counts)
        won += stake / whole * math.exp(log)
    return won


def other_die(kind: str, group: Sequence[int], step: float) -> list[float]:
    if kind == "pips":
        spread = math.sqrt(sum((face - 3.5) ** 2 for face in range(1, 7)) / 6)
        steepest = 0.5 / (2.5 / spread)
        return [FAIR * (1 + max(-steepest, min(steepest, step)) * (face - 3.5) / spread) for face in range(1, 7)]
    share = len(group) / 6
    moved = min(max(share + step * math.sqrt(share * (1 - share)), share / 2), (1 + share) / 2)
    return [moved / len(group) if face in group else (1 - moved) / (6 - len(group)) for face in range(6)]


def test_the_wealth_is_that_of_the_formulas() -> None:
    for number in (CURRENT_STAKES, *(stakes_for(fear, CUBE) for fear in FEARS)):
        assert float(np.exp(mixture_of(CUBE, number).log_value(np.array(COUNTS)))) == pytest.approx(
            wealth(COUNTS, number)
        )
    usual, feared = (round(wealth(COUNTS, number), 3) for number in (CURRENT_STAKES, stakes_for("face", CUBE)))
    assert f"({usual}, {feared})" in PAGE


def test_the_call_of_the_first_example_is_where_the_formulas_reach_twenty() -> None:
    throws = np.random.default_rng(7).choice(6, size=900, p=[0.15, 0.15, 0.15, 0.15, 0.15, 0.25])
    after = np.eye(6, dtype=int)[throws].cumsum(axis=0)
    called = next(n for n, counts in enumerate(after.tolist(), 1) if wealth(counts, CURRENT_STAKES) >= 20)
    assert f">>> report.judged.evidence.called\n{called}\n" in PAGE


def test_the_interval_is_where_the_bet_against_a_share_reaches_six_times_twenty() -> None:
    fell, whole = COUNTS[0], sum(COUNTS)
    priors = [(c * FAIR, c * (1 - FAIR)) for c in (20, 150, 1000)]
    mean = scipy.special.logsumexp(
        [scipy.special.betaln(a + fell, b + whole - fell) - scipy.special.betaln(a, b) for a, b in priors]
    )
    mean -= math.log(3)

    def over(share: float) -> float:
        return float(mean - fell * math.log(share) - (whole - fell) * math.log1p(-share) - math.log(6 / 0.05))

    low, high = scipy.optimize.brentq(over, 1e-9, fell / whole), scipy.optimize.brentq(over, fell / whole, 1 - 1e-9)
    assert f"'{low:.4f} to {high:.4f}'" in PAGE


@pytest.mark.parametrize("fear", ["", *FEARS])
def test_whatever_is_feared_a_fair_die_wins_nothing_on_average(fear: str) -> None:
    ways = np.array([way for way in itertools.product(range(8), repeat=6) if sum(way) == 7])
    chances = scipy.stats.multinomial.pmf(ways, 7, CUBE.fair)
    assert float(chances @ np.exp(mixture_of(CUBE, stakes_for(fear, CUBE)).log_value(ways))) == pytest.approx(
        1, abs=1e-9
    )


def test_the_unread_throws_are_taken_as_what_speaks_least_against_the_die() -> None:
    mixture, counts, lost = mixture_of(CUBE), np.array([20, 21, 19, 22, 20, 45]), 5
    ways = np.array([way for way in itertools.product(range(lost + 1), repeat=6) if sum(way) == lost])
    least = float(mixture.log_value(counts + ways).min())
    bound = float(least_log_value(mixture, counts[None], np.array([lost]))[0])
    assert least - 0.1 < bound <= least


def test_so_many_lost_throws_as_are_named_leave_a_verdict_open_and_fewer_do_not() -> None:
    mixture, counts, needed = mixture_of(CUBE), np.array([20, 21, 19, 22, 20, 60]), math.log(20)
    share = share_to_doubt(mixture, counts, needed)
    assert share is not None
    lost = round(share * counts.sum() / (1 - share))
    for many, stays in ((lost, False), (lost - 1, True)):
        assert (float(least_log_value(mixture, counts[None], np.array([many]))[0]) >= needed) == stays
    assert share_to_doubt(mixture, np.array([20, 21, 19, 22, 20, 21]), needed) is None


def test_through_a_reader_within_its_bounds_the_bet_wins_no_more_than_against_the_true_shares() -> None:
    """The page's step: the greatest likelihood within the bounds is no less than that of the true shares."""
    seen = np.diag([300] * 6).astype(np.int64)
    seen[5, 0], seen[5, 5] = 6, 294
    bet = corrected_bet(mixture_of(CUBE), ReaderErrors(np.column_stack([seen, np.zeros(6, np.int64)])), 0.05)
    shares = np.array([FAIR + 0.02 * FAIR, *[FAIR] * 4, FAIR - 0.02 * FAIR])
    assert (bet.bounds.low <= shares).all()
    assert (shares <= bet.bounds.high).all()
    drawn = np.random.default_rng(5).multinomial(800, shares, size=200)
    against = bet.seen.log_likelihood(drawn) - drawn @ np.log(shares)
    assert (bet.log_value(drawn) <= against + 1e-9).all()
    assert math.exp(bet.needed) == pytest.approx(1 / 0.04)


def test_who_is_named_by_year_stands_among_the_sources() -> None:
    text, sources = PAGE.split("## Sources")
    named = re.findall(r"([A-Z][a-z]+) \(?((?:19|20)\d\d)\)", text)
    assert len(named) > 3
    assert all(who in sources and year in sources for who, year in named)
