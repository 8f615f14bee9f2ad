"""A judgement in words, the plain sentences first; and as JSON, with all its evidence."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from companion.fairness.dependence import Finding
from companion.fairness.outcomes import Outcomes
from companion.fairness.planning import throws_to_find_double
from companion.fairness.stakes import stakes_of
from companion.fairness.thrower_sentences import dependence_sentences, finding_sentences, unread_sentences
from companion.fairness.verdict import Judgement, throws_for
from companion.language.sentence import Listing, Sentence


def die_sentences(
    judged: Judgement, outcomes: Outcomes, findings: Sequence[Finding], *, together: int = 1
) -> Iterator[Sentence]:
    """Yield the sentences about a die, the verdict first.

    ``together``: how many dice that nobody can distinguish were thrown at a time.
    """
    yield from dependence_sentences(findings) if judged.said == "serially dependent" else _verdict(judged, outcomes)
    yield from fear_sentences(judged.stakes)
    if together > 1:
        yield pooled(together)
    if judged.misread is not None:
        yield Sentence(
            "Of 100 throws of a face, up to {points} may count for another one, as far as the reader was measured: the "
            "verdict allows for that.",
            points=points_above(judged.misread),
        )
    if judged.reader_explains:
        yield Sentence(
            "The readings look biased, but the reader's own errors may be the cause: have it measured on more faces, "
            "or look at the throws yourself."
        )
    yield from unread_sentences(judged, outcomes)
    yield from finding_sentences(findings)
    yield from doubt_sentences(judged, outcomes)


FEARED: Final = {
    "face": Sentence("one heavy face"),
    "axis": Sentence("a shaved axis"),
    "pips": Sentence("drilled pips"),
    "corner": Sentence("a heavy corner"),
}


def fear_sentences(stakes: int) -> Iterator[Sentence]:
    """Yield what was feared of the die, where somebody said so before the first throw and has these stakes for it."""
    if fear := stakes_of(stakes).fear:
        yield Sentence(
            "Declared before the first throw: {fear} is feared. Most of the bet is on that; any other bias is found as "
            "surely, but later.",
            fear=FEARED[fear],
        )


def doubt_sentences(judged: Judgement, outcomes: Outcomes) -> Iterator[Sentence]:
    """Yield what may be the cause of a bias instead of the die: the blamed faces come up unequally often."""
    for one in judged.doubts:
        of_first, of_second = (
            HALVES[group] if one.question == "drift" else Sentence("{group}", group=group)
            for group in (one.low[0], one.high[0])
        )
        blamed = [outcomes.labels[place] for place in blamed_outcomes(judged, outcomes)]
        yield Sentence(
            "Perhaps it is not the die: {faces} comes up in {low} of 100 throws of {first} and in {high} of {second}. "
            "Chance alone makes them differ so much in about one case of {cases}. Judge them one by one.",
            faces=Listing(blamed),
            low=in_points(one.low[1]),
            first=of_first,
            high=in_points(one.high[1]),
            second=of_second,
            cases=int(1 / one.p),
        )


HALVES: Final = {"1": Sentence("the first half"), "2": Sentence("the second half")}


def pooled(together: int) -> Sentence:
    """Return the warning where several dice count as one."""
    return Sentence(
        "{count} dice that nobody can tell apart were thrown together and are judged as one: the verdict is about "
        "their mean. One of them may be more biased, or two in opposite ways. Throw them one by one to judge each.",
        count=together,
    )


def _verdict(judged: Judgement, outcomes: Outcomes) -> Iterator[Sentence]:
    throws = int(judged.counts.sum())
    if judged.said == "biased":
        yield from _biased(judged, outcomes)
    elif judged.said == "no larger bias":
        yield Sentence(
            "No face is off by more than {points} points of 100, according to {count} throws. That is right in at "
            "least 95 of 100 such cases, however often you look.",
            points=points_above(judged.largest),
            count=throws,
        )
        if (group := _widest_group(judged, outcomes)) > judged.largest:
            yield Sentence(
                "This is about each single face: several faces together may be off by up to {points} points.",
                points=points_above(group),
            )
        yield Sentence("That does not mean that the die is fair: a smaller bias takes more throws to find.")
    elif not throws:
        yield Sentence("Not enough throws yet: there are none.")
        yield from _still_needed(judged, outcomes)
    elif throws < FEWEST_SPOKEN_OF:
        yield Sentence("Too early to say anything: {count} throws so far.", count=throws)
    else:
        yield Sentence(
            "Not enough throws yet: {count} so far leave room for a bias of up to {points} points of 100 of a face.",
            count=throws,
            points=points_above(judged.largest),
        )
        yield from _still_needed(judged, outcomes)


FEWEST_SPOKEN_OF: Final = 30
"""Fewer throws get no verdict, unless even they show a bias."""


def _still_needed(judged: Judgement, outcomes: Outcomes) -> Iterator[Sentence]:
    """Say how soon a badly loaded die shows, and how many throws clear a good one: the first is far fewer."""
    throws, few = int(judged.counts.sum()), throws_to_find_double(outcomes, judged.stakes)
    if few is not None and throws < few:
        yield Sentence(
            "A badly loaded die shows soon: it takes about {count} throws to find a face that comes up twice as "
            "often as it should.",
            count=two_digits(few),
        )
    needed = two_digits(throws_for(outcomes, judged.smallest))
    if needed > throws:
        yield Sentence(
            "Clearing a good die takes longer: to rule out that a face is off by more than {points} points usually "
            "takes about {count} throws in all.",
            points=in_points(judged.smallest),
            count=needed,
        )
    else:
        yield Sentence(
            "To rule out that a face is off by more than {points} points usually takes about {count} throws; here it "
            "takes more: keep throwing.",
            points=in_points(judged.smallest),
            count=needed,
        )


def _biased(judged: Judgement, outcomes: Outcomes) -> Iterator[Sentence]:
    surely = [_face(judged, outcomes, place) for place in strayed(judged, outcomes)]
    if not surely:
        surely = list(_strayed_groups(judged, outcomes))
    first = surely[0] if surely else _face(judged, outcomes, farthest(judged, outcomes))
    yield Sentence(
        "Biased (you may look as often as you like: a fair die gets this far at most once in 20). {how}.", how=first
    )
    if not surely:
        yield Sentence("That is the face farthest off; it is too early to be certain which faces are off.")
    if surely[1:]:
        yield Sentence("Also off: {strayed}.", strayed=Listing(surely[1:], "comma"))
    yield Sentence("The ranges hold together, at every look, in at least 95 of 100 such cases.")


def strayed(judged: Judgement, outcomes: Outcomes) -> list[int]:
    """Return the outcomes whose intervals leave out a fair die's chance, the farthest first."""
    fair, ends = outcomes.fair, judged.intervals
    off = np.maximum(ends.low - fair, fair - ends.high)
    return [int(place) for place in np.argsort(-off, kind="stable") if off[place] > 0]


def blamed_outcomes(judged: Judgement, outcomes: Outcomes) -> Sequence[int]:
    """Return the places of the face that a verdict blames first, or of the group of faces."""
    if surely := strayed(judged, outcomes):
        return surely[:1]
    groups = (one for one, (low, high) in judged.contrasts if not low <= outcomes.share(one) <= high)
    return next((list(one.outcomes) for one in groups), [farthest(judged, outcomes)])


def farthest(judged: Judgement, outcomes: Outcomes) -> int:
    """Return the outcome whose share is farthest from fair, measured by what chance does to it."""
    fair = outcomes.fair
    return int(np.argmax(np.abs(judged.estimate - fair) / np.sqrt(fair * (1 - fair))))


def _face(judged: Judgement, outcomes: Outcomes, place: int) -> Sentence:
    low, high = float(judged.intervals.low[place]), float(judged.intervals.high[place])
    share, fair = float(judged.estimate[place]), float(outcomes.fair[place])
    digits = _enough_digits(low, high, fair)
    return Sentence(
        "{face} comes up in {share} of 100 throws ({low} to {high}) instead of {fair}",
        face=outcomes.labels[place],
        share=in_points(share, digits),
        low=in_points(low, digits),
        high=in_points(high, digits),
        fair=in_points(fair, digits),
    )


def _strayed_groups(judged: Judgement, outcomes: Outcomes) -> Iterator[Sentence]:
    """Name the groups of faces whose intervals leave out a fair die's chance."""
    for contrast, (low, high) in judged.contrasts:
        fair = outcomes.share(contrast)
        if not low <= fair <= high:
            digits = _enough_digits(low, high, fair)
            yield Sentence(
                "{faces} together come up in {share} of 100 throws ({low} to {high}) instead of {fair}",
                faces=outcomes.name(contrast),
                share=in_points(float(judged.estimate[list(contrast.outcomes)].sum()), digits),
                low=in_points(low, digits),
                high=in_points(high, digits),
                fair=in_points(fair, digits),
            )


def _widest_group(judged: Judgement, outcomes: Outcomes) -> float:
    """Return how far off a group of faces may be, by its interval; 0 where no group is watched."""
    return max(
        (max(high - outcomes.share(one), outcomes.share(one) - low) for one, (low, high) in judged.contrasts),
        default=0.0,
    )


def _enough_digits(low: float, high: float, fair: float) -> int:
    """Return how many digits a range needs so that rounding does not move a fair die's share into it or out of it."""
    for digits in range(1, MOST_DIGITS):
        ends = in_points(low, digits), in_points(high, digits), in_points(fair, digits)
        if (ends[0] > ends[2]) == (low > fair) and (ends[1] < ends[2]) == (high < fair):
            return digits
    return MOST_DIGITS


MOST_DIGITS: Final = 6


def in_points(share: float, digits: int = 1) -> float | int:
    """Return a share or a difference of shares in points of a hundred, rounded as people read it."""
    points = round(share * 100, digits)
    return int(points) if points == int(points) else points


def points_above(share: float) -> float | int:
    """Return a bound in points of a hundred, rounded up, so that it still holds."""
    points = math.ceil(round(share * 1000, 6)) / 10
    return int(points) if points == int(points) else points


def points_below(share: float) -> float | int:
    """Return a bound in points of a hundred, rounded down, so that it still holds."""
    points = math.floor(round(share * 1000, 6)) / 10
    return int(points) if points == int(points) else points


def two_digits(throws: int) -> int:
    """Return a number of throws as a plan tells it: it is simulated or approximate, and no more digits are known."""
    return round(throws, min(0, 2 - len(str(throws))))


LEAST_TOLD: Final = 1e-300
"""No chance smaller than this is printed, and none as 0: what is printed is still an upper bound."""
