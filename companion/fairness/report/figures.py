"""The four plots of a report: counts, evidence over time, running shares, and which outcome follows which."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from companion.fairness.course import BetEvidence
from companion.fairness.report.contents import Report
from companion.fairness.report.drawing import (
    DRAWING_WIDTH,
    Area,
    Drawing,
    Label,
    Line,
    Mark,
    Scale,
    Tone,
    box,
    ticks,
)
from companion.fairness.report.wording import ten_to, translated
from companion.fairness.sentences import strayed
from companion.language.sentence import Sentence
from companion.language.texts import Texts

FAIR_DASHES: Final = (5.0, 3.0)
RAW_DASHES: Final = (1.5, 3.0)

_LEFT, _RIGHT = 64.0, DRAWING_WIDTH - 20.0


def counts_plot(report: Report, words: Texts) -> Drawing:
    """Draw the share of each outcome as a bar, with its interval and what a fair die gives."""
    outcomes, judged = report.account.outcomes, report.judged
    shares = judged.estimate if judged.counts.sum() else np.zeros(len(outcomes.labels))
    most = min(1.0, 1.04 * max(float(judged.intervals.high.max()), float(outcomes.fair.max())))
    across, up = _LEFT, Scale(0.0, most, 236.0, 16.0)
    step = (_RIGHT - _LEFT) / len(outcomes.labels)
    wide, cap = min(44.0, step * 0.62), min(6.0, step * 0.45)
    each = next((one for one in _WRITTEN_FACES if one * step >= _LABEL_WIDTH), len(outcomes.labels))
    marks: list[Mark] = list(_upright(up, words, translated(Sentence("of 100 throws"), words)))
    bad = set(strayed(judged, outcomes)) if judged.said == "biased" else set()
    for place, (label, share, fair, low, high) in enumerate(
        zip(
            outcomes.labels,
            shares.tolist(),
            outcomes.fair.tolist(),
            judged.intervals.low.tolist(),
            judged.intervals.high.tolist(),
            strict=True,
        )
    ):
        middle = across + step * (place + 0.5)
        marks += [
            Area(
                box(middle - wide / 2, up(share), wide, up(0) - up(share)),
                "wash",
                "rubric" if place in bad else "soft",
                3.0 if place in bad else 1.0,
            ),
            Line(((middle, up(low)), (middle, up(high))), "ink", 2.2),
            Line(((middle - cap, up(low)), (middle + cap, up(low))), "ink", 1.4),
            Line(((middle - cap, up(high)), (middle + cap, up(high))), "ink", 1.4),
            Line(((middle - step / 2 + 1, up(fair)), (middle + step / 2 - 1, up(fair))), "rubric", 1.6, FAIR_DASHES),
        ]
        if place in bad or (place + 1) % each == 0:
            size = 12 if len(label) <= _SHORT_LABEL_CHARACTERS else 9
            tone: Tone = "rubric" if place in bad else "ink"
            marks.append(Label(middle, 252, label, "middle", tone, size=size, bold=True))
            marks.append(Label(middle, 266, words.number(int(judged.counts[place])), "middle", "soft", 10))
        if place in bad:
            marks.append(_arrow(middle, 272.0, upward=share > fair))
    marks.append(Line(((_LEFT, up(0)), (_RIGHT, up(0))), "ink", 1.2))
    key = [(_bar, Sentence("thrown")), (_whisker, Sentence("interval")), (_fair, Sentence("a fair die"))]
    if bad:
        key.append((_marked, Sentence("off: a fair die lies outside the interval")))
    return _keyed(
        marks,
        298 if bad else 288,
        key,
        words,
        title=Sentence("How often each face came up, of a hundred throws"),
        about=Sentence(
            "A bar for each face with the interval of its share, and a dashed line where a fair die's share lies; "
            "the table beside it has the same numbers."
        ),
    )


def _arrow(x: float, y: float, *, upward: bool) -> Area:
    """Mark a face that falls too often (upward) or too rarely."""
    tip, foot = (y, y + 9) if upward else (y + 9, y)
    return Area(((x - 5, foot), (x + 5, foot), (x, tip)), "rubric")


_SHORT_LABEL_CHARACTERS: Final = 4

_WRITTEN_FACES: Final = (1, 2, 5, 10, 20, 50)
"""One in how many faces is written below its bar, where a die has many."""

_LABEL_WIDTH: Final = 16.0
"""The width in the drawing that a number of two digits needs."""


def evidence_plot(report: Report, words: Texts) -> Drawing:
    """Draw the wealth of the bet against a fair die over the throws, and the line that a fair one rarely reaches."""
    judged = report.judged
    curves = [judged.evidence] if judged.evidence is judged.raw else [judged.raw, judged.evidence]
    log = [curve.log_value / _TEN for curve in curves]
    needed = judged.evidence.needed / _TEN
    values = np.concatenate([*log, [0.0, needed * 1.25]])
    up = Scale(float(max(values.min(), -_LOWEST_WEALTH_POWER)), float(values.max()) * 1.02, 216.0, 16.0)
    along = Scale(0.0, float(max(1, judged.counts.sum())), _LEFT, _RIGHT)
    marks: list[Mark] = []
    for power in ticks(up.low, up.high, 5):
        if power == int(power):
            marks.append(Line(((_LEFT, up(power)), (_RIGHT, up(power))), "rule", 0.6))
            marks.append(Label(_LEFT - 6, up(power) + 4, _ten_to(int(power), words), "end", "soft"))
    marks += _axis(along, 216.0, words)
    marks += [
        Line(((_LEFT, up(needed)), (_RIGHT, up(needed))), "rubric", 1.6, FAIR_DASHES),
        Label(
            _RIGHT, up(needed) - 5, words.number(round(math.exp(judged.evidence.needed))), "end", "rubric", bold=True
        ),
    ]
    for curve, value in zip(curves, log, strict=True):
        points = [(along(throws), up(one)) for throws, one in zip(curve.throws.tolist(), value.tolist(), strict=True)]
        raw = curve is not judged.evidence
        if points:
            marks.append(Line(tuple(points), "soft" if raw else "ink", 1.2 if raw else 1.8, RAW_DASHES if raw else ()))
    if judged.evidence.reached is not None:
        at = along(judged.evidence.reached)
        marks.append(Area(((at - 5, up(needed) - 9), (at + 5, up(needed) - 9), (at, up(needed) - 1)), "rubric"))
    key = [(_curve, Sentence("value of the bet")), (_fair, Sentence("a fair die gets here in at most 1 of 20 cases"))]
    if judged.evidence is not judged.raw:
        never, without = (
            Sentence("as if the reader never made a mistake"),
            Sentence("without the throws that were not read"),
        )
        key.append((_dotted, never if judged.measured else without))
    return _keyed(
        marks,
        262,
        key,
        words,
        title=Sentence("The evidence against a fair die over time"),
        about=_how_it_went(judged.evidence),
    )


_TEN: Final = math.log(10)
_LOWEST_WEALTH_POWER: Final = 6.0
"""Powers of ten below the stake at which a plot of the wealth ends; a lower value carries no further information."""


def _how_it_went(evidence: BetEvidence) -> Sentence:
    if evidence.reached is None:
        return Sentence("The value of the bet by the number of throws. It has not reached the dashed line.")
    return Sentence(
        "The value of the bet by the number of throws. It first reached the dashed line at throw {number}.",
        number=evidence.reached,
    )


def shares_plot(report: Report, words: Texts) -> Drawing:
    """Draw for each outcome its share so far, with the band for its chance, in small plots beside each other.

    Raises:
        ValueError: the order of the throws is not known.
    """
    running, outcomes = report.running, report.account.outcomes
    if running is None:
        raise ValueError("Expected throws in their order, but only counts are known.")
    columns = min(len(outcomes.labels), 3 if len(outcomes.labels) <= _FEW_OUTCOMES else 5)
    rows = -(-len(outcomes.labels) // columns)
    wide, high = (DRAWING_WIDTH - 24) / columns, 118.0 if columns == _FIGURE_COLUMNS else 96.0
    marks: list[Mark] = []
    # The wide bands of the first few throws would fill the plot and hide the rest
    settled = running.ends.high[len(running.throws) // 8 :]
    most = min(1.0, float(max(settled.max(), 1.6 * outcomes.fair.max())))
    for place, label in enumerate(outcomes.labels):
        x, y = 30 + place % columns * wide, 4 + place // columns * high
        along = Scale(0.0, float(running.throws[-1]), x + 4, x + wide - 14)
        up = Scale(0.0, most, y + high - 24, y + 16)
        low = [(along(n), up(v)) for n, v in zip(running.throws.tolist(), running.ends.low[:, place], strict=True)]
        top = [(along(n), up(v)) for n, v in zip(running.throws.tolist(), running.ends.high[:, place], strict=True)]
        line = [(along(n), up(v)) for n, v in zip(running.throws.tolist(), running.shares[:, place], strict=True)]
        fair = up(float(outcomes.fair[place]))
        marks += [
            Area((*low, *reversed(top)), "wash"),
            Line(((along(0), up(0)), (along.end, up(0))), "soft", 0.8),
            Line(((along(0), fair), (along.end, fair)), "rubric", 1.3, FAIR_DASHES),
            Line(tuple(line), "ink", 1.5),
            Label(x + 6, y + 13, label, bold=True),
            Label(along.end, y + high - 11, words.number(int(running.throws[-1])), "end", "soft", 9),
        ]
        if place % columns == 0:
            marks += [
                Label(x, up(value) + 3, words.number(round(value * 100, 6)), "end", "soft", 9)
                for value in ticks(0, most, 3)
            ]
    key = [(_curve, Sentence("share so far")), (_band, Sentence("interval")), (_fair, Sentence("a fair die"))]
    return _keyed(
        marks,
        16 + rows * high,
        key,
        words,
        title=Sentence("The share of each face as the throws went on, of a hundred throws"),
        about=Sentence(
            "A small plot for each face: its share after each throw, and the band in which its chance lies, "
            "given the throws so far. The bands narrow around the final shares."
        ),
    )


_FEW_OUTCOMES: Final = 9
_FIGURE_COLUMNS: Final = 3


def transitions_plot(report: Report, words: Texts) -> Drawing:
    """Draw how often each outcome followed each: larger squares are farther from independence, solid: more often.

    Raises:
        ValueError: the order of the throws is not known.
    """
    table = report.transitions
    if table is None:
        raise ValueError("Expected throws in their order, but only counts are known.")
    labels = report.account.outcomes.labels
    side = min(34.0, 380.0 / len(labels))
    left, top = (DRAWING_WIDTH - side * len(labels)) / 2 + 20, 40.0
    strayed = _standardised(table)
    marks: list[Mark] = [
        Label(left + side * len(labels) / 2, 14, translated(Sentence("next throw"), words), "middle", "soft"),
        Label(left - 34, top + side * len(labels) / 2 + 4, translated(Sentence("throw before"), words), "end", "soft"),
    ]
    size = 11 if max(map(len, labels)) <= _SHORT_LABEL_CHARACTERS and len(labels) <= _MANY_OUTCOMES else 9
    for row, label in enumerate(labels):
        marks.append(Label(left - 6, top + side * (row + 0.5) + 4, label, "end", bold=True, size=size))
        marks.append(Label(left + side * (row + 0.5), top - 6, label, "middle", bold=True, size=size))
        for column in range(len(labels)):
            middle = (left + side * (column + 0.5), top + side * (row + 0.5))
            half = side * 0.46 * math.sqrt(min(abs(float(strayed[row, column])) / _FAR_DEVIATIONS, 1.0))
            marks.append(Area(box(left + side * column, top + side * row, side, side), None, "rule", 0.6))
            if half > 0.4:  # noqa: PLR2004  (smaller is a speck)
                square = box(middle[0] - half, middle[1] - half, 2 * half, 2 * half)
                marks.append(Area(square, "ink" if strayed[row, column] > 0 else "leaf", "ink", 1.0))
    key = [
        (_full, Sentence("more often than by chance")),
        (_hollow, Sentence("less often than by chance")),
        (_filled, Sentence("fills its field: {count} standard deviations off", count=int(_FAR_DEVIATIONS))),
    ]
    return _keyed(
        marks,
        top + side * len(labels) + 22,
        key,
        words,
        title=Sentence("Which face followed which"),
        about=Sentence(
            "A square for each pair of throws, the first by row and the next by column. Filled squares mark "
            "pairs that came more often than by chance, hollow ones pairs that came less often."
        ),
    )


_FAR_DEVIATIONS: Final = 4.0
_MANY_OUTCOMES: Final = 12


def _standardised(
    table: "np.ndarray[tuple[int, ...], np.dtype[np.int64]]",
) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    """Return how many standard deviations each pair deviates from independence (k x k; Agresti 2013, 3.3.1)."""
    whole = max(1, int(table.sum()))
    rows, columns = table.sum(axis=1, keepdims=True) / whole, table.sum(axis=0, keepdims=True) / whole
    expected = rows * columns * whole
    spread = np.sqrt(expected * (1 - rows) * (1 - columns))
    return np.asarray((table - expected) / np.where(spread > 0, spread, np.inf))


def _upright(up: Scale, words: Texts, unit: str) -> Iterator[Mark]:
    """Draw the rules of an axis of shares, in points of a hundred."""
    for value in ticks(up.low, up.high):
        yield Line(((_LEFT, up(value)), (_RIGHT, up(value))), "rule", 0.6)
        yield Label(_LEFT - 6, up(value) + 4, words.number(round(value * 100, 6)), "end", "soft")
    yield Label(4, 10, unit, "start", "soft", 10)


def _axis(along: Scale, y: float, words: Texts) -> Iterator[Mark]:
    """Draw an axis of throws."""
    yield Line(((_LEFT, y), (_RIGHT, y)), "ink", 1.2)
    for value in ticks(along.low, along.high, 6):
        if value == int(value):
            yield Line(((along(value), y), (along(value), y + 4)), "ink", 1.0)
            yield Label(along(value), y + 17, words.number(int(value)), "middle", "soft")
    yield Label(_RIGHT, y + 31, translated(Sentence("number of throws"), words), "end", "soft", 10)


def _ten_to(power: int, words: Texts) -> str:
    """Write a power of ten; in full if that is short."""
    if -3 <= power <= 6:  # noqa: PLR2004  (0.001 to 1,000,000)
        return words.number(10.0**power if power < 0 else 10**power)
    return ten_to(power)


_Sample = tuple[Mark, ...]


def _keyed(
    marks: list[Mark],
    y: float,
    entries: Sequence[tuple[_Sample, Sentence]],
    words: Texts,
    *,
    title: Sentence,
    about: Sentence,
) -> Drawing:
    """Return a plot with its key in rows from ``y`` down."""
    x = _LEFT
    for sample, what in entries:
        text = translated(what, words)
        wide = 30 + _LETTER * len(text)
        if x > _LEFT and x + wide > _RIGHT:
            x, y = _LEFT, y + 18
        marks += [_moved(mark, x, y) for mark in sample]
        marks.append(Label(x + 30, y, text, "start", "soft", 11))
        x += wide + 22
    return Drawing(DRAWING_WIDTH, y + 8, tuple(marks), translated(title, words), translated(about, words))


_LETTER: Final = 6.0
"""The approximate width of a letter of the keys; the true width depends on the reader's font."""


def _moved(mark: Mark, x: float, y: float) -> Mark:
    if isinstance(mark, Label):
        return mark
    points = tuple((px + x, py + y) for px, py in mark.points)
    if isinstance(mark, Line):
        return Line(points, mark.tone, mark.thick, mark.dashes)
    return Area(points, mark.fill, mark.line, mark.thick)


_bar: Final[_Sample] = (Area(box(4, -9, 16, 10), "wash", "soft"),)
_marked: Final[_Sample] = (Area(box(4, -9, 16, 10), "wash", "rubric", 3.0),)
_band: Final[_Sample] = (Area(box(0, -9, 24, 10), "wash"),)
_whisker: Final[_Sample] = (
    Line(((12, -11), (12, 2)), "ink", 2.2),
    Line(((7, -11), (17, -11)), "ink", 1.4),
    Line(((7, 2), (17, 2)), "ink", 1.4),
)
_fair: Final[_Sample] = (Line(((0, -4), (24, -4)), "rubric", 1.6, FAIR_DASHES),)
_curve: Final[_Sample] = (Line(((0, -4), (24, -4)), "ink", 1.8),)
_dotted: Final[_Sample] = (Line(((0, -4), (24, -4)), "soft", 1.2, RAW_DASHES),)
_full: Final[_Sample] = (Area(box(8, -9, 10, 10), "ink", "ink"),)
_hollow: Final[_Sample] = (Area(box(8, -9, 10, 10), "leaf", "ink"),)
_filled: Final[_Sample] = (Area(box(7, -11, 15, 15), None, "rule", 0.8), Area(box(8, -10, 13, 13), "ink", "ink"))
