"""What comes of the thrower is found, and a biased die alone is not taken for it."""

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.fairness import dependence, permutation
from companion.fairness.dependence import asked, between, cycle, doubt, drift, lag, moments, period
from companion.fairness.mixture import Counts
from companion.fairness.serial_dependence import UNREAD_PLACE

BIASED = [0.1, 0.1, 0.15, 0.15, 0.2, 0.3]


def throws(many: int, seed: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.random.default_rng(seed).choice(6, p=BIASED, size=many)


def test_all_moments_together_spend_no_more_than_the_level() -> None:
    at = moments(10**9)
    assert sum(part for _, part in at) + dependence.END_LEVEL == pytest.approx(dependence.QUESTION_LEVEL)
    assert [moment for moment, _ in at][:3] == [100, 141, 200]
    assert min(part for _, part in at) > permutation.LEAST_P, "else nothing could ever be found there"
    assert not moments(99)


def test_a_biased_die_thrown_well_hangs_on_nothing() -> None:
    found = 0
    for seed in range(6):
        shown = throws(400, seed)
        groups = ["first", "second"] * 200
        asked = (lag(shown, 6), drift(shown, 6), period(shown, 6), between(shown, groups, 6, "sessions"))
        found += sum(one is not None and one.found for one in asked)
    assert found <= 2  # 24 questions at 1 in 100


def test_a_die_that_is_not_turned_enough_hangs_on_the_throw_before() -> None:
    rng = np.random.default_rng(1)
    shown = throws(800, 2)
    for place in range(1, 800):
        if rng.random() < 0.2:
            shown[place] = shown[place - 1]
    finding = lag(shown, 6)
    assert finding is not None
    assert finding.found
    assert finding.p <= finding.allowed


@pytest.mark.parametrize("before", [2, 4, 5, 8, 12])
def test_it_is_said_on_which_earlier_throw_one_hangs(before: int) -> None:
    rng = np.random.default_rng(before)
    shown = throws(800, before)
    for place in range(before, 800):
        if rng.random() < 0.25:
            shown[place] = shown[place - before]
    finding = lag(shown, 6)
    assert finding is not None
    assert finding.found
    assert finding.about == before


def test_a_cycle_is_found_and_so_is_a_thrower_who_never_repeats() -> None:
    for shown in (np.tile(np.arange(6), 40), np.array(never_twice(300, 1))):
        finding = lag(shown, 6)
        assert finding is not None
        assert finding.found


def never_twice(many: int, seed: int) -> list[int]:
    rng = np.random.default_rng(seed)
    shown = [0]
    while len(shown) < many:
        if (place := int(rng.integers(6))) != shown[-1]:
            shown.append(place)
    return shown


@given(st.integers(0, 10_000), st.integers(2, 4))
@settings(max_examples=15, deadline=None)
def test_the_order_of_dice_thrown_together_does_not_matter(seed: int, together: int) -> None:
    rng = np.random.default_rng(seed)
    shown = rng.integers(-1, 6, size=60 * together).reshape(-1, together)
    mixed = rng.permuted(shown, axis=1)
    tables = [dependence._by_lag(one.reshape(1, -1), 6, together) for one in (shown, mixed)]
    assert tables[0] == pytest.approx(tables[1], abs=1e-12)


def test_dice_thrown_together_that_lie_where_they_lay_hang_on_the_throw_before() -> None:
    rng = np.random.default_rng(3)
    thrown = [throws(3, 11)]
    while len(thrown) < 260:
        now = rng.choice(6, p=BIASED, size=3)
        stays = rng.random(3) < 0.3
        thrown.append(rng.permutation(np.where(stays, thrown[-1], now)))
    finding = lag(np.concatenate(thrown), 6, together=3)
    assert finding is not None
    assert finding.found
    assert finding.about == 1


def test_a_face_that_comes_and_goes_is_found_and_so_is_how_often() -> None:
    rng = np.random.default_rng(12)
    chances = np.full((800, 6), 1 / 6)
    wave = 0.12 * np.sin(2 * np.pi * np.arange(800) / 80)
    chances[:, 5] += wave
    chances[:, :5] -= wave[:, None] / 5
    shown = (rng.random(800)[:, None] > chances.cumsum(axis=1)).sum(axis=1)
    finding = period(shown, 6)
    assert finding is not None
    assert finding.found
    assert 70 <= finding.about <= 90


def test_throws_that_were_not_read_keep_their_place() -> None:
    rng = np.random.default_rng(4)
    shown = throws(900, 5)
    for place in range(2, 900):
        if rng.random() < 0.25:
            shown[place] = shown[place - 2]
    shown[rng.random(900) < 0.2] = UNREAD_PLACE
    finding = lag(shown, 6)
    assert finding is not None
    assert finding.found
    assert finding.about == 2, "without their places the lag would be lost"


def test_the_chance_said_counts_all_moments() -> None:
    finding = lag(np.tile(np.arange(6), 100), 6)
    assert finding is not None
    assert finding.chance == pytest.approx(finding.p * 3 * len(dependence.MOMENTS))
    assert finding.chance <= dependence.QUESTION_LEVEL


def test_a_die_that_wears_drifts() -> None:
    shown = np.concatenate([throws(400, 3), np.random.default_rng(4).choice(6, size=400)])
    finding = drift(shown, 6)
    assert finding is not None
    assert finding.found


def test_hands_that_throw_differently_are_told_apart() -> None:
    rng = np.random.default_rng(5)
    hands = rng.choice(["left", "right"], size=800)
    shown = np.where(hands == "left", throws(800, 6), rng.choice(6, p=BIASED[::-1], size=800))
    finding = between(shown, hands.tolist(), 6, "hands")
    assert finding is not None
    assert finding.found


def test_one_group_and_few_throws_are_not_asked_about() -> None:
    assert between(throws(400, 7), ["only"] * 400, 6, "sessions") is None
    assert lag(throws(99, 8), 6) is None


def test_the_chance_of_a_table_is_near_that_of_scipys_chi_square(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permutation, "ENOUGH_STRANGE_ORDERS", 10**9)  # all orders, so that it can be near
    rng = np.random.default_rng(9)
    table = rng.multinomial(300, np.full(6, 1 / 6), size=2)
    ours = permutation.p_of_tables(table, rng)
    assert ours == pytest.approx(scipy.stats.chi2_contingency(table).pvalue, abs=0.04)


def test_few_orders_tell_as_much_where_many_look_as_strange() -> None:
    """Besag and Clifford (1991): p stays valid, so of throws that are independent at most a tenth comes below 0.1."""
    found = [lag(throws(100, 1000 + seed), 6, seed=seed) for seed in range(80)]
    chances = np.array([one.p for one in found if one is not None])
    assert len(chances) == 80
    for level in (0.05, 0.1, 0.5):
        assert (chances <= level).mean() <= level + 3 * (level * (1 - level) / 80) ** 0.5


def test_no_more_orders_are_tried_than_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    transitions = dependence._transitions

    def counted(before: Counts, orders: Counts, kinds: int, lag: int) -> Counts:
        if lag == 1:
            made.append(len(orders))
        return transitions(before, orders, kinds, lag)

    monkeypatch.setattr(dependence, "_transitions", counted)
    lag(throws(100, 10), 6)
    assert sum(made) < permutation.MOST_ORDERS / 2 + 2
    made.clear()
    lag(np.tile(np.arange(6), 100), 6)
    assert sum(made) == permutation.MOST_ORDERS + 2, "the given order (twice) and all others, at the first moment only"


def test_the_end_of_a_series_is_asked_about() -> None:
    """Stations that differ, and a change after throw 1,600: the last moments before 3,000 and 3,100 are too early."""
    rng = np.random.default_rng(21)
    sixes = np.array([0.15] * 5 + [0.25])
    stations = np.arange(3000) % 2
    shown = np.where(stations == 0, rng.integers(6, size=3000), rng.choice(6, p=sixes, size=3000))
    finding = between(shown, [str(one) for one in stations], 6, "session", at_end=True)
    assert finding is not None
    assert finding.found
    assert finding.asked_to == 3000
    shown = np.concatenate([rng.integers(6, size=1600), rng.choice(6, p=sixes, size=1500)])
    finding = drift(shown, 6, at_end=True)
    assert finding is not None
    assert finding.found
    assert 1200 <= finding.about <= 2000
    before = drift(shown, 6)
    assert before is not None
    assert before.asked_to == 2263


def test_dice_that_come_in_turn_are_found_and_how_many() -> None:
    rng = np.random.default_rng(22)
    loaded = rng.choice(6, p=[0.142] * 5 + [0.29], size=2000)
    for many in (2, 5):
        shown = np.where(np.arange(2000) % many == 1, loaded, rng.integers(6, size=2000))
        finding = cycle(shown, 6, at_end=True)
        assert finding is not None
        assert finding.found
        assert finding.about == many


def test_throws_that_were_not_read_keep_their_place_in_a_cycle() -> None:
    rng = np.random.default_rng(23)
    shown = np.where(
        np.arange(2000) % 2 == 1, rng.choice(6, p=[0.14] * 5 + [0.3], size=2000), rng.integers(6, size=2000)
    )
    shown[rng.random(2000) < 0.2] = UNREAD_PLACE
    finding = cycle(shown, 6, at_end=True)
    assert finding is not None
    assert finding.found
    assert finding.about == 2


def test_dice_thrown_together_are_not_asked_whether_they_come_in_turn() -> None:
    assert asked(throws(400, 24), 6, {}, together=2)["cycle"] is None


def test_a_face_that_one_hand_alone_throws_too_often_is_doubted() -> None:
    rng = np.random.default_rng(25)
    hands = ["left", "right"] * 1500
    shown = np.where(
        np.arange(3000) % 2 == 0, rng.integers(6, size=3000), rng.choice(6, p=[0.15] * 5 + [0.25], size=3000)
    )
    found = doubt(shown, hands, [5], "hand")
    assert found is not None
    assert (found.low[0], found.high[0]) == ("left", "right")
    assert found.low[1] < 0.2 < found.high[1]
    assert found.p < 0.001
    assert doubt(throws(400, 7), ["only"] * 400, [5], "hand") is None
    by_chance = sum(doubt(throws(900, 300 + seed), hands[:900], [5], "hand") is not None for seed in range(60))
    assert by_chance <= 9, "one in twenty of an honest die, on average"
