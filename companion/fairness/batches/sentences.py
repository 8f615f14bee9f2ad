"""The judgement of a batch of dice, in words and as JSON."""

import math
from collections.abc import Iterator
from typing import Any, Final

from companion.fairness.batches.batch import Batch, InBatch, Unlike
from companion.fairness.sentences import LEAST_TOLD, doubt_sentences, fear_sentences
from companion.fairness.thrower_sentences import SERIALLY_DEPENDENT, finding_sentences
from companion.language.sentence import Listing, Sentence


def batch_sentences(batch: Batch) -> Iterator[Sentence]:
    """Yield the sentences about a batch, the verdict first."""
    for one in batch.dice:
        for fault in one.account.faults:
            yield Sentence("{name}: {sentence}", name=one.account.name, sentence=fault)
    called = [one.account.name for one in batch.dice if one.called]
    if called:
        yield Sentence("Biased, in a batch of {dice} dice: {names}.", dice=len(batch.dice), names=Listing(called))
        yield Sentence("Of dice that are called biased in a batch, at most 5 of 100 are fair, on average.")
    else:
        yield Sentence("None of {dice} dice is called biased in the batch.", dice=len(batch.dice))
    yield Sentence(
        "Of {dice} fair dice judged one by one, at most {count} on average would be called biased by chance.",
        dice=len(batch.dice),
        count=_plain(batch.by_chance),
    )
    for stakes in dict.fromkeys(one.account.stakes for one in batch.dice):
        yield from fear_sentences(stakes)
    yield from _of_each(batch)
    for group in batch.unlike:
        yield _of_a_set(batch, group)
    for names in _equal(batch):
        yield Sentence(
            "The throws of {names} are identical, one by one: is it the same file twice?", names=Listing(names)
        )


def _of_each(batch: Batch) -> Iterator[Sentence]:
    """Yield the sentences on single dice: called only when alone, dependent throws, other causes."""
    for one in batch.dice:
        if one.alone.said == "biased" and not one.called:
            yield Sentence(
                "{name} would be called biased if it were the only die; among so many it may look so by chance. Throw "
                "it more often.",
                name=one.account.name,
            )
        if one.alone.said == "serially dependent":
            yield Sentence("{name}: {sentence}", name=one.account.name, sentence=SERIALLY_DEPENDENT)
        for sentence in (*finding_sentences(one.findings), *doubt_sentences(one.alone, one.account.outcomes)):
            yield Sentence("{name}: {sentence}", name=one.account.name, sentence=sentence)
    if any(one.findings for one in batch.dice):
        yield Sentence(
            "Of each die with 100 throws or more it was asked up to the last one whether they change at some moment, "
            "depend on each other or differ by session or hand."
        )


def _equal(batch: Batch) -> Iterator[list[str]]:
    """Yield the names of dice with the very same throws, if these are too many to be the same by chance."""
    alike: dict[bytes, list[str]] = {}
    for one in batch.dice:
        shown = one.account.shown
        if shown is not None and len(shown) >= _BY_CHANCE:
            alike.setdefault(shown.tobytes(), []).append(one.account.name)
    yield from (names for names in alike.values() if len(names) > 1)


_BY_CHANCE: Final = 20
"""So many throws are hardly ever the same by chance: with the coin that is the worst die, once in a million."""


def _of_a_set(batch: Batch, group: Unlike) -> Sentence:
    most = batch.dice[group.most]
    if group.found:
        return Sentence(
            "The {dice} dice of the set {set} are not alike: chance gives such throws in at most one case of 100. "
            "Most likely {name} differs from the rest.",
            dice=group.dice,
            set=group.set_name,
            name=most.account.name,
        )
    if any(one.called for one in batch.dice if one.account.set_name == group.set_name):
        return Sentence(
            "It is too early to say whether all {dice} dice of the set {set} share a bias or differ from each other.",
            dice=group.dice,
            set=group.set_name,
        )
    return Sentence(
        "No difference was found between the {dice} dice of the set {set}.",
        dice=group.dice,
        set=group.set_name,
    )


def _plain(number: float) -> float | int:
    """Return a whole number as an int, so that it does not appear as 2.0."""
    return int(number) if number == int(number) else round(number, 3)


def to_json(batch: Batch) -> dict[str, Any]:
    """Return everything that was found about a batch."""
    return {
        "sentences": [str(sentence) for sentence in batch_sentences(batch)],
        "called": [one.account.name for one in batch.dice if one.called],
        "false_among_called": 0.05,
        "by_chance_if_judged_alone": batch.by_chance,
        "dice": [_of_a_die(one) for one in batch.dice],
        "sets": [
            {
                "set": group.set_name,
                "dice": group.dice,
                "log_e": group.log_e,
                "differ": group.found,
                "most": batch.dice[group.most].account.name,
            }
            for group in batch.unlike
        ],
    }


def _of_a_die(one: InBatch) -> dict[str, Any]:
    outcomes = one.account.outcomes
    return {
        "name": one.account.name,
        "throws": one.throws,
        "alone": one.alone.said,
        "biased_in_batch": one.called,
        "thrower": [finding.question for finding in one.findings if finding.found],
        "faults": [str(fault) for fault in one.account.faults],
        "thrower_asked_to": max((finding.asked_to for finding in one.findings), default=0),
        "doubts": [doubt.question for doubt in one.alone.doubts],
        "log_e": one.log_e,
        "p": max(one.p, LEAST_TOLD),
        "farthest": outcomes.labels[one.farthest],
        "share": float(one.alone.estimate[one.farthest]),
        "fair": float(outcomes.fair[one.farthest]),
        "counts": dict(zip(outcomes.labels, one.alone.counts.tolist(), strict=True)),
        "intervals_over_the_batch": {
            label: [low, high]
            for label, low, high in zip(
                outcomes.labels, one.intervals.low.tolist(), one.intervals.high.tolist(), strict=True
            )
        },
    }


def as_odds(log_e: float) -> str:
    """Return wealth of any size in a few digits, ``20``, ``0.31`` or ``1e+09``."""
    if abs(log_e) < math.log(1e5):
        return f"{math.exp(log_e):.3g}"
    return f"1e{log_e / math.log(10):+.0f}"
