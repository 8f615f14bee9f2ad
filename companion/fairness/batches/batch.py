"""Judge many dice together: which are biased, when any of many may look biased by chance.

If each of forty fair dice is judged alone at a level of 5 %, two are called biased on average. So this module orders
the dice by their wealth and calls the richest biased (the closed e-BH procedure, Xu, Fischer and Ramdas 2025). Then on
average at most 5 of 100 dice called biased are called so by chance. That holds for any number of throws of each die and
for any time to stop, as long as the present wealth counts. It would not hold for the greatest wealth ever (Tavyrikov,
Goeman and de Heide 2025).

Each die's throws are asked the questions about the thrower too. A die whose throws are serially dependent has no wealth
in the order above, because its bet is about independent throws; less wealth keeps what holds for the others.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.fairness.account import DieAccount
from companion.fairness.confidence import Intervals
from companion.fairness.dependence import Finding
from companion.fairness.mixture import Counts, Mixture, mixture_of
from companion.fairness.outcomes import Floats, Outcomes
from companion.fairness.reader_errors import BOUNDS_LEVEL, ReaderErrors, corrected_bet
from companion.fairness.reader_intervals import die_intervals
from companion.fairness.unread import least_log_value
from companion.fairness.verdict import SIGNIFICANCE_LEVEL, Judgement

FALSE_AMONG_CALLED: Final = 0.05
"""The largest share of fair dice among the dice that are called biased in a batch, on average."""

UNLIKE_LEVEL: Final = 0.01
"""The chance that dice which are all alike are ever called different."""


PARTS_BIASED: Final = (0.1, 0.25, 0.5)
"""The parts of a set's dice that may share a bias; the stakes on each are equal."""


class BatchError(ValueError):
    """There are no dice to judge."""


@dataclass(frozen=True, eq=False)
class InBatch:
    """One die of a batch.

    ``alone``: its judgement by itself. ``findings``: on its thrower. ``log_e``: the logarithm of its wealth now.
    ``called``: whether it is called biased in the batch. ``farthest``: the place of the outcome whose share is farthest
    from fair, in standard deviations. ``intervals``: of its outcomes' chances; they hold together with those of all
    other dice.
    """

    account: DieAccount
    alone: Judgement
    findings: tuple[Finding, ...]
    log_e: float
    called: bool
    farthest: int
    intervals: Intervals

    @property
    def throws(self) -> int:
        """How many of its throws were read."""
        return int(self.alone.counts.sum())

    @property
    def p(self) -> float:
        """This die's own p-value, valid at any time."""
        return self.alone.evidence.p


@dataclass(frozen=True)
class Unlike:
    """Whether dice that should be alike differ from each other: a bet that may be looked at any time.

    ``set_name``: whose dice. ``dice``: their number. ``log_e``: the logarithm of the wealth. ``found``: whether they
    differ. ``most``: the place in the batch of the die that most likely differs.
    """

    set_name: str
    dice: int
    log_e: float
    found: bool
    most: int


@dataclass(frozen=True, eq=False)
class Batch:
    """Dice judged together, in the order in which they were given.

    ``by_chance``: how many of as many fair dice would be called biased if each were judged alone; an upper bound of the
    average.
    """

    dice: tuple[InBatch, ...]
    unlike: tuple[Unlike, ...]
    by_chance: float


def batch_of(accounts: Sequence[DieAccount]) -> Batch:
    """Judge dice together.

    Raises:
        BatchError: there are no dice.
    """
    if not accounts:
        raise BatchError("Expected at least one die with its throws, but got none.")
    findings = [tuple(one for one in account.asked_of_the_thrower().values() if one) for account in accounts]
    alone = [account.judged_after(found) for account, found in zip(accounts, findings, strict=True)]
    readers = _different(account.reader for account in accounts)
    log_e = [_log_e(account, judged, len(readers)) for account, judged in zip(accounts, alone, strict=True)]
    level = FALSE_AMONG_CALLED * (1 - BOUNDS_LEVEL) if readers else FALSE_AMONG_CALLED
    independent = [judged.said != "serially dependent" for judged in alone]
    called = closed_e_bh(np.where(independent, log_e, -np.inf), level)
    dice = []
    for account, judged, found, worth, is_called in zip(accounts, alone, findings, log_e, called.tolist(), strict=True):
        together = _together(account, judged, SIGNIFICANCE_LEVEL / len(accounts))
        farthest = _farthest(judged.counts, account.outcomes)
        dice.append(InBatch(account, judged, found, worth, is_called, farthest, together))
    return Batch(tuple(dice), tuple(_unlike_sets(accounts)), SIGNIFICANCE_LEVEL * len(accounts))


def closed_e_bh(log_e: Floats, level: float) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Tell which hypotheses are rejected (n), by the logarithms of their e-values (n).

    The expected share of true hypotheses among the rejected is at most ``level``, however the e-values depend on each
    other. Rejected are the r with the greatest e-values, r as great as can be: of any others and k of these, the mean
    e-value must be at least k over r times ``level`` (Xu, Fischer and Ramdas 2025). That never rejects fewer than the
    e-BH procedure.
    """
    order = np.argsort(-log_e, kind="stable")
    e = np.exp(np.minimum(log_e[order], _LARGEST_LOG_E))
    out = np.zeros(len(log_e), bool)
    for many in range(len(e), 0, -1):
        if e[many - 1] * many * level < 1:
            continue  # this one alone fails
        mine, others = e[:many][::-1].cumsum(), np.concatenate([[0.0], e[many:][::-1].cumsum()])
        k, more = np.arange(1, many + 1)[:, None], np.arange(len(others))
        if (mine[:, None] + others >= (k + more) * k / (many * level) * _ROUNDED).all():
            out[order[:many]] = True
            break
    return out


_LARGEST_LOG_E: Final = 600.0
"""More wealth than this changes nothing, and its sums stay finite."""

_ROUNDED: Final = 1 - 1e-12


def unlike(counts: Sequence[Counts], outcomes: Outcomes) -> tuple[float, int]:
    """Return the logarithm of the wealth of a bet that dice differ, and which die most likely does.

    ``counts``: of each die by outcome (k). A third of the stake is on one die that differs from the rest, a third on
    all dice differing, and a third on one bias that some of the dice have, as a fault in the making gives. The winnings
    count against the likelihood of the throws under the best chances that all dice could share (universal inference,
    Wasserman, Ramdas and Balakrishnan 2020). So the dice may have any bias, if it is the same.
    """
    table = np.stack([np.asarray(one, np.int64) for one in counts])
    whole = table.sum(axis=0)
    if len(table) < 2 or not whole.any():  # noqa: PLR2004  one die differs from none
        return 0.0, 0
    bet = mixture_of(outcomes)
    fair = np.log(outcomes.fair)

    def fair_or_not(seen: Counts) -> Floats:
        """Put half of the stake on a fair die, half on the alternatives to it."""
        return np.asarray(seen @ fair + np.logaddexp(0, bet.log_value(seen)) - math.log(2))

    one_differs = bet.log_likelihood(table) + fair_or_not(whole - table)
    all_differ = float(fair_or_not(table).sum())
    some = whole[whole > 0]
    best = float((some * np.log(some / some.sum())).sum())
    bets = (
        float(np.logaddexp.reduce(one_differs)) - math.log(len(table)),
        all_differ,
        float(whole @ fair) + _some_share_a_bias(table, bet),
    )
    return float(np.logaddexp.reduce(bets)) - math.log(len(bets)) - best, int(np.argmax(one_differs))


def _some_share_a_bias(table: Counts, bet: Mixture) -> float:
    """Return the logarithm of the wealth of a bet that some of the dice (n x k) have one bias, and the rest is fair."""
    worth = table @ bet.shifts.T
    stakes = np.log(bet.on_shifts / bet.on_shifts.sum())
    each = [np.logaddexp(math.log1p(-part), math.log(part) + worth).sum(axis=0) + stakes for part in PARTS_BIASED]
    return float(np.logaddexp.reduce(np.concatenate(each))) - math.log(len(PARTS_BIASED))


def _together(account: DieAccount, judged: Judgement, level: float) -> Intervals:
    return die_intervals(judged.counts, account.outcomes, (), level, reader=account.reader, unread=judged.unread)[0]


def _log_e(account: DieAccount, judged: Judgement, readers: int) -> float:
    """Return the logarithm of the wealth now; the bounds of all readers share one part of the level."""
    mixture = mixture_of(account.outcomes, account.stakes)
    if account.reader is None and judged.unread:
        return float(least_log_value(mixture, judged.counts[None], np.array([judged.unread]))[0])
    if account.reader is None:
        return float(mixture.log_value(judged.counts))
    return float(corrected_bet(mixture, account.reader, FALSE_AMONG_CALLED / readers).log_value(judged.counts))


def _different(readers: "Iterable[ReaderErrors | None]") -> list[ReaderErrors]:
    found: list[ReaderErrors] = []
    for reader in readers:
        if reader is not None and not any(
            one is reader or (one.seen.shape == reader.seen.shape and (one.seen == reader.seen).all()) for one in found
        ):
            found.append(reader)
    return found


def _farthest(counts: Counts, outcomes: Outcomes) -> int:
    fair, whole = outcomes.fair, max(1, int(counts.sum()))
    return int(np.argmax(np.abs(counts / whole - fair) / np.sqrt(fair * (1 - fair))))


def _unlike_sets(accounts: Sequence[DieAccount]) -> Iterable[Unlike]:
    """Compare the dice of each set that has several with the same outcomes, unless their readers' errors differ."""
    kinds: dict[tuple[str, Outcomes], list[int]] = {}
    for place, account in enumerate(accounts):
        kinds.setdefault((account.set_name, account.outcomes), []).append(place)
    for (set_name, outcomes), places in kinds.items():
        if len(places) < 2 or len(_different(accounts[place].reader for place in places)) > 1:  # noqa: PLR2004
            continue
        log_e, most = unlike([accounts[place].counts for place in places], outcomes)
        yield Unlike(set_name, len(places), log_e, log_e >= -math.log(UNLIKE_LEVEL), places[most])
