"""Learning when to ask: the weights, and thresholds that keep silent errors as rare as they are proved to be."""

from dataclasses import replace
from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.dice.asking.rows import RowWitness
from companion.vision.dice.asking.selector import SecondPass
from companion.vision.dice.marks import Witness
from tests.vision.dice.asking.test_selector import SURE
from workshop.training.choosing.confidence import upper_bound
from workshop.training.choosing.selecting import SIGNS, Class, deal, is_read, logistic, score, select
from workshop.training.choosing.validation import Judged


def faces(number: int, seed: int, wrong: float = 0.05) -> list[Judged]:
    """Return judged faces whose odds tell right from wrong, mostly."""
    rng = np.random.default_rng(seed)
    made = []
    for i in range(number):
        right = bool(rng.random() > wrong)
        odds = float(rng.normal(8 if right else 1, 1.5))
        features = replace(SURE, odds=odds, tilt=float(rng.uniform(0, 50)), marks=int(rng.integers(1, 6)))
        made.append(Judged(f"{i // 4}", 0.9, features, right, legible=True))
    return made


def test_the_weights_are_those_that_made_the_answers() -> None:
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(20_000, 3))
    chance = 1 / (1 + np.exp(-(vectors @ [2.0, -1.0, 0.0] + 0.5)))
    learnt = logistic(vectors, (rng.random(20_000) < chance).astype(float))
    assert np.allclose(learnt, [2.0, -1.0, 0.0, 0.5], atol=0.1)


def scored(right: list[float], wrong: list[float]) -> Class:
    return Class("letters", (0, 91), (0, 99), None, np.array(right), np.sort(wrong)[::-1])


SCORES = st.lists(st.floats(-9, 9), max_size=6)


def test_what_another_net_says_for_a_text_never_lowers_its_score() -> None:
    """Where few faces show the opposite by chance, that is not learnt; the other features count as they do."""
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(400, len(SIGNS)))
    right = (rng.random(400) < 1 / (1 + np.exp(-2 * vectors[:, 0] + vectors @ (SIGNS * 0.5)))).astype(float)
    learnt = logistic(vectors, right)
    assert (learnt[:-1] * SIGNS >= 0).all()
    assert learnt[0] > 1


@given(st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=3), st.integers(0, 4))
def test_errors_are_dealt_out_so_that_most_is_read(made: list[tuple[list[float], list[float]]], allowed: int) -> None:
    classes = [scored(right, wrong) for right, wrong in made]
    dealt = deal(classes, allowed)
    assert sum(dealt) == allowed
    every = product(range(allowed + 1), repeat=len(classes))
    best = max(
        sum(one.gain(errors) for one, errors in zip(classes, way, strict=True)) for way in every if sum(way) == allowed
    )
    assert sum(one.gain(errors) for one, errors in zip(classes, dealt, strict=True)) == best
    for one, errors in zip(classes, dealt, strict=True):
        assert one.bar(errors).wrong <= errors


@settings(max_examples=5)
@given(st.integers(0, 20))
def test_a_face_is_judged_by_weights_that_have_not_seen_its_picture(seed: int) -> None:
    judged = faces(200, seed)
    scored = score(judged)
    other = [replace(one, right=not one.right) if one.scene == "0" else one for one in judged]
    again = score(other)
    mine = np.array([one.scene == "0" for one in judged])
    assert np.array_equal(scored.scores[mine], again.scores[mine])
    assert not np.array_equal(scored.weights, again.weights)


def doubtful_faces(number: int, seed: int) -> list[Judged]:
    """Return judged faces whose odds tell little, and a second look, whose row net tells right from wrong."""
    rng = np.random.default_rng(seed)
    made = []
    for i in range(number):
        right = bool(rng.random() > 0.3)
        other = float(rng.normal(-7 if right else -1, 1))
        rows = RowWitness(-1.0 if right else -7.0, other, other, 3)
        again = SecondPass(rows, Witness(2.0, 0.5, 6.0))
        features = replace(SURE, odds=float(rng.normal(2 if right else 1, 1)), chance=0.8, again=again)
        made.append(Judged(f"{i // 4}", 0.8, features, right, legible=True))
    return made


def test_a_second_look_reads_what_the_first_does_not() -> None:
    selector = select(doubtful_faces(3000, 9))
    fresh = doubtful_faces(1500, 10)
    right = [one for one in fresh if one.right and one.features]
    first = [one for one in right if one.features and selector.reads(replace(one.features, again=None))]
    both = [one for one in right if one.features and is_read(selector, one.features)]
    assert len(first) < 0.2 * len(right)
    assert len(both) > 0.9 * len(right)
    assert sum(not one.right for one in fresh if one.features and is_read(selector, one.features)) <= 3


def test_most_of_what_is_right_is_read_and_the_proof_stands_beside_it() -> None:
    selector = select(faces(6000, 7))
    fresh = faces(3000, 8)
    read = [one for one in fresh if one.features and selector.reads(one.features)]
    assert len(read) > 0.85 * len(fresh)
    assert sum(not one.right for one in read) <= 6
    for bar in selector.bars:
        assert bar.bound == round(upper_bound(bar.wrong, bar.dice), 5)
