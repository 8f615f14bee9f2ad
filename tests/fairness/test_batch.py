"""Many dice judged together: few that are called biased are fair, and dice that are alike are not told apart."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.fairness.account import CountedThrow, DieAccount
from companion.fairness.batches.batch import BatchError, batch_of, closed_e_bh, unlike
from companion.fairness.batches.fixed_batch import benjamini_hochberg, fixed_batch
from companion.fairness.batches.sentences import batch_sentences, to_json
from companion.fairness.mixture import Counts, mixture_of
from companion.fairness.outcomes import Floats, outcomes_of
from companion.fairness.reader_errors import ReaderErrors
from companion.fairness.report.batch_contents import batch_report
from companion.fairness.report.batch_sections import batch_document
from companion.fairness.tables.stations import Joined
from companion.rules.dice import dice_set
from tests.commands.running import json_of, run

DIE = dice_set("pips").dice[0]
CUBE = outcomes_of(DIE)
LOADED = np.array([0.13, 0.15, 0.15, 0.15, 0.15, 0.27])


def account(name: str, counts: list[int], *, in_order: bool = False) -> DieAccount:
    throws = None
    if in_order:
        shown = np.random.default_rng(len(name)).permutation(np.repeat(np.arange(6), counts))
        throws = [CountedThrow(number, int(place), "file") for number, place in enumerate(shown, 1)]
    return DieAccount(name, "pips", DIE, CUBE, np.array(counts), throws)


@given(st.lists(st.floats(-5, 20), min_size=1, max_size=7), st.floats(0.01, 0.3))
def test_closed_e_bh_is_its_definition(log_e: list[float], level: float) -> None:
    """All sets of hypotheses are tried, against those of the richest that may be rejected; e-BH rejects no more."""
    many, e = len(log_e), np.exp(log_e)
    every = [[place for place in range(many) if number >> place & 1] for number in range(1, 2**many)]

    def most(rounded: float) -> int:
        """Return how many of the richest may be rejected; ``rounded``: the limits are this many times as high."""
        sizes = range(1, many + 1)
        return max((size for size in sizes if consistent(set(richest[:size]), rounded)), default=0)

    def consistent(chosen: set[int], rounded: float) -> bool:
        return all(np.mean(e[some]) >= rounded * len(chosen & set(some)) / (len(chosen) * level) for some in every)

    richest = sorted(range(many), key=lambda place: -log_e[place])
    called = int(closed_e_bh(np.array(log_e), level).sum())
    assert most(1 + 1e-9) <= called <= most(1 - 1e-9)
    assert called >= max(
        (k for k in range(1, many + 1) if e[richest[k - 1]] * k >= many / level * (1 + 1e-9)), default=0
    )


def test_of_the_dice_that_are_called_biased_few_are_fair() -> None:
    """The false discovery rate over 60 batches of 20 dice, each stopped when a loaded one looks best for the maker."""
    mixture, rng, level = mixture_of(CUBE), np.random.default_rng(5), 0.2  # a level that so few batches can show
    parts, found = [], 0
    for _ in range(60):
        chances = np.vstack([np.tile(CUBE.fair, (16, 1)), np.tile(LOADED, (4, 1))])
        steps = np.array([[rng.multinomial(20, one) for one in chances] for _ in range(15)])
        values = mixture.log_value(steps.cumsum(axis=0))
        stopped = next((now for now in range(15) if closed_e_bh(values[now], level).any()), 14)
        called = closed_e_bh(values[stopped], level)
        parts.append(called[:16].sum() / max(1, called.sum()))
        found += int(called.any())
    assert np.mean(parts) <= level * 16 / 20 + 3 * np.std(parts) / math.sqrt(len(parts))
    assert found > 50


def test_a_die_that_alone_looks_biased_may_be_so_by_chance_among_many() -> None:
    stray = [120, 70, 90, 95, 90, 85]
    fair = [account(f"fair {number}", [90, 92, 91, 89, 90, 88]) for number in range(39)]
    alone = batch_of([account("stray", stray)])
    batch = batch_of([account("stray", stray), *fair])
    assert alone.dice[0].called == (alone.dice[0].log_e >= math.log(20))
    assert not any(one.called for one in batch.dice)
    assert batch.by_chance == pytest.approx(2)
    text = " ".join(map(str, batch_sentences(batch)))
    assert "None of 40 dice is called biased" in text
    assert "Of 40 fair dice judged one by one, at most 2 on average would be called biased by chance" in text


def test_loaded_dice_are_named_and_the_set_is_said_to_be_unlike() -> None:
    dice = [account(f"number {place}", [100] * 6, in_order=True) for place in range(6)]
    dice.append(account("loaded", [70, 90, 90, 90, 90, 170], in_order=True))
    batch = batch_of(dice)
    assert [one.account.name for one in batch.dice if one.called] == ["loaded"]
    assert CUBE.labels[batch.dice[-1].farthest] == "6"
    (group,) = batch.unlike
    assert group.found
    assert batch.dice[group.most].account.name == "loaded"
    data = json.loads(json.dumps(to_json(batch)))
    assert data["called"] == ["loaded"]
    assert data["dice"][-1]["farthest"] == "6"
    assert str(next(iter(batch_sentences(batch)))) == "Biased, in a batch of 7 dice: loaded."


def looks_at(chances: Floats, dice: int, throws: int, runs: int, seed: int) -> list[Counts]:
    rng = np.random.default_rng(seed)
    return [rng.multinomial(1, chances, size=(throws, dice)).cumsum(axis=0)[19::20] for _ in range(runs)]


@pytest.mark.parametrize("chances", [CUBE.fair, LOADED])
def test_dice_that_are_alike_are_seldom_told_apart_whatever_their_bias(chances: Floats) -> None:
    wrongly = sum(
        any(unlike(list(moment), CUBE)[0] >= math.log(20) for moment in moments)
        for moments in looks_at(chances, 5, 300, 24, seed=8)
    )
    assert wrongly <= 24 * 0.05 + 3 * math.sqrt(24 * 0.05 * 0.95)


def test_one_that_differs_is_found_among_dice_with_a_bias_of_their_own() -> None:
    rng = np.random.default_rng(9)
    dice = [rng.multinomial(800, LOADED) for _ in range(6)]
    dice[3] = rng.multinomial(800, LOADED[::-1])
    log_e, most = unlike(dice, CUBE)
    assert log_e > math.log(100)
    assert most == 3


def test_a_reader_that_errs_makes_nothing_of_a_batch() -> None:
    seen = np.hstack([np.eye(6, dtype=int) * 300, np.zeros((6, 1), int)])
    seen[5, [0, 5]] = 60, 240
    reader = ReaderErrors(seen)
    counts = [240, 200, 200, 200, 200, 160]
    dice = [replace(account(f"number {place}", counts), reader=reader) for place in range(5)]
    raw = batch_of([replace(one, reader=None) for one in dice])
    read = batch_of(dice)
    assert sum(one.log_e for one in read.dice) < sum(one.log_e for one in raw.dice)
    assert not any(one.called for one in read.dice)
    assert all((one.intervals.low < CUBE.fair).all() for one in read.dice)


def test_without_dice_there_is_nothing_to_judge() -> None:
    with pytest.raises(BatchError, match="at least one die"):
        batch_of([])


def test_a_die_whose_throws_hang_together_is_not_called_biased_and_the_batch_says_why() -> None:
    rng = np.random.default_rng(3)
    shown = rng.integers(6, size=600)
    for place in range(2, len(shown)):
        if rng.random() < 0.5:
            shown[place] = shown[place - 2]
    shown[shown == 0] = 5  # and the counts look biased
    throws = [CountedThrow(number, int(place), "file") for number, place in enumerate(shown, 1)]
    lying = DieAccount("lying", "pips", DIE, CUBE, np.bincount(shown, minlength=6), throws)
    batch = batch_of([lying, account("fair", [100, 102, 98, 99, 101, 100], in_order=True)])
    assert [one.alone.said for one in batch.dice] == ["serially dependent", "not enough"]
    assert batch.dice[0].log_e > math.log(40)
    assert not any(one.called for one in batch.dice)
    text = " ".join(map(str, batch_sentences(batch)))
    assert "lying: The throws depend on each other (serial dependence): the die cannot be judged from them." in text
    assert "lying: Look at how it is thrown: throws depend on the throw 2 throws before" in text
    assert to_json(batch)["dice"][0]["thrower"][0] == "lag"


def test_a_declared_test_is_held_to() -> None:
    """It calls what a look at any time does not, and nothing before it is due."""
    dice = [
        account(f"fair {seed}", np.random.default_rng(seed).multinomial(800, CUBE.fair).tolist()) for seed in range(9)
    ]
    off = account("off", [128, 128, 128, 128, 128, 160])
    batch = batch_of([*dice, off])
    assert not any(one.called for one in batch.dice)
    weak = account("off", [120, 120, 120, 120, 120, 200])
    assert fixed_batch(batch_of([*dice, weak]).dice, 800).called == (9,)
    early = fixed_batch(batch_of([*dice, account("short", [100] * 6)]).dice, 800)
    assert (early.early, early.called) == ((9,), ())
    unread = replace(weak, unread_counted=3)
    assert fixed_batch(batch_of([*dice, unread]).dice, 800).early == (9,)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.floats(0.01, 0.3))
def test_benjamini_hochberg_is_its_definition(p: list[float], level: float) -> None:
    least = sorted(p)
    k = max((k for k in range(1, len(p) + 1) if least[k - 1] <= level * k / len(p)), default=0)
    called = benjamini_hochberg(np.array(p), level)
    assert called.sum() == k
    assert all(one <= least[k - 1] for one, is_called in zip(p, called.tolist(), strict=True) if is_called)


def test_a_batch_needs_more_throws_than_one_die_and_fewer_at_one_look() -> None:
    any_time = json_of("fairness", "plan", "--die", "pips", "--bias", "0.08", "--batch", "20", "--off", "2")
    throws = any_time["throws of each die"]
    assert throws["once"] < throws["any time"]
    assert throws["alone"] < throws["any time"]
    rounds = any_time["two rounds"]
    assert rounds["first"] < rounds["second"]
    assert rounds["throws"] < 20 * throws["any time"]
    output = run("fairness", "plan", "--die", "pips", "--bias", "0.08", "--batch", "3", "--off", "4")
    assert output.exit_code != 0
    assert "Expected 1 to 3 dice that are off" in output.output


def test_the_dice_of_a_second_round_are_named_when_it_pays() -> None:
    """The fair dice of this batch have lost their stakes; before the first round is over nobody is named."""
    fair = [account(f"fair {place}", [133, 134, 133, 133, 134, 133]) for place in range(9)]

    def said(*others: DieAccount, fixed: int | None = None) -> str:
        joined = [Joined(one, (one,), ()) for one in (*fair, *others)]
        report = batch_report(joined, (), title="", made="", fixed=fixed)
        return " ".join(str(paragraph.sentence) for paragraph in batch_document(report).answer)

    perhaps = account("perhaps", [126, 126, 126, 126, 126, 170])
    pays = said(perhaps)
    assert "A second round pays now: throw on perhaps, up to about 2100 throws of each." in pays
    assert "In a batch of 10 dice, one that is 5 points off is found in 4 of 5 cases after about 1800 throws" in pays
    assert "A second round pays after about 530 throws of each die" in said(account("begun", [17] * 6))
    assert "second round" not in said(account("tenth", [133, 134, 133, 133, 134, 133]))
    assert "second round" not in said(perhaps, fixed=800), "the one look is held to"
