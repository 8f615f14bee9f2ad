"""A report as JSON: all its contents, under stable names (docs/fairness-report.md)."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any, Final

from companion.fairness.course import BetEvidence
from companion.fairness.mixture import Counts
from companion.fairness.reader_file import BEFOREHAND, UNREAD
from companion.fairness.report.contents import SEEDS, Report
from companion.fairness.report.sequence import rows_of
from companion.fairness.sentences import LEAST_TOLD
from companion.fairness.stakes import stakes_on
from companion.fairness.verdict import SIGNIFICANCE_LEVEL

FORM: Final = "alea-fairness-report"
REPORT_VERSION: Final = 1


def report_json(report: Report) -> dict[str, Any]:
    """Return a report as JSON; floats in full, so that a recomputation can be compared with them."""
    account = report.account
    return {
        "form": FORM,
        "version": REPORT_VERSION,
        "identity": _identity(report),
        "tally": _tally(report),
        **_judged(report),
        "questions": [
            {
                "question": one.name,
                "state": one.state,
                "throws": one.finding and one.finding.throws,
                "p": one.finding and one.finding.p,
                "allowed": one.finding and one.finding.allowed,
                "found": one.state == "found",
                "asked_to": one.finding and one.finding.asked_to,
                "about": one.finding and one.finding.about,
            }
            for one in report.questions
        ],
        "effect": {
            "outcome": account.outcomes.labels[report.effect.place],
            "off": report.effect.off,
            "low": report.effect.low,
            "high": report.effect.high,
        },
        "fixed": _fixed(report),
        "planning": {
            "detectable": [
                {"kind": one.kind, "in_80_of_100": one.four_of_five, "in_95_of_100": one.nineteen_of_twenty}
                for one in report.detectable
            ],
            "needed": report.needed,
            "pace": report.pace,
        },
        "transitions": None if report.transitions is None else report.transitions.tolist(),
        "running": _running(report),
        "reader": _reader(report),
        "stakes": stakes_on(account.outcomes, account.stakes).to_json(),
        "multiplicity": {
            "level": SIGNIFICANCE_LEVEL,
            "questions": sum(one.finding is not None for one in report.questions),
            "groups": len(report.judged.contrasts),
        },
        "provenance": {
            **asdict(report.provenance),
            "seeds": SEEDS,
            "chain": None if account.chain is None else asdict(account.chain),
            "understood": [sentence.to_json() for sentence in account.understood],
        },
        "sequence": None if account.throws is None else rows_of(account),
    }


def _judged(report: Report) -> dict[str, Any]:
    """Return the judgement with all its figures."""
    judged, outcomes = report.judged, report.account.outcomes
    return {
        "said": judged.said,
        "sentences": [sentence.to_json() for sentence in report.sentences],
        "faults": [sentence.to_json() for sentence in report.account.faults],
        "throws": int(judged.counts.sum()),
        "outcomes": [
            {
                "outcome": label,
                "faces": faces,
                "count": count,
                "fair": fair,
                "estimate": chance,
                "low": low,
                "high": high,
            }
            for label, faces, count, fair, chance, low, high in zip(
                outcomes.labels,
                outcomes.faces,
                judged.counts.tolist(),
                outcomes.fair.tolist(),
                judged.estimate.tolist(),
                judged.intervals.low.tolist(),
                judged.intervals.high.tolist(),
                strict=True,
            )
        ],
        "contrasts": [
            {
                "kind": contrast.kind,
                "outcomes": outcomes.name(contrast),
                "fair": outcomes.share(contrast),
                "low": low,
                "high": high,
            }
            for contrast, (low, high) in judged.contrasts
        ],
        "smallest": judged.smallest,
        "largest": judged.largest,
        "evidence": _evidence(judged.evidence),
        "evidence_raw": _evidence(judged.raw),
        "reader_explains": judged.reader_explains,
        "unread": judged.unread,
        "unread_explain": judged.unread_explain,
        "doubts": [
            {
                "question": one.question,
                "p": one.p,
                "low": {"group": one.low[0], "share": one.low[1]},
                "high": {"group": one.high[0], "share": one.high[1]},
            }
            for one in judged.doubts
        ],
    }


def _evidence(evidence: BetEvidence) -> dict[str, Any]:
    return {
        "p": max(evidence.p, LEAST_TOLD),
        "called": evidence.called,
        "reached": evidence.reached,
        "log_most": evidence.most,
        "log_needed": evidence.needed,
        "throws": evidence.throws.tolist(),
        "log_value": [round(value, 6) for value in evidence.log_value.tolist()],
    }


def _identity(report: Report) -> dict[str, Any]:
    account = report.account
    return {
        "name": account.name,
        "set": account.set_name,
        "die": account.die.name,
        "shape": account.die.shape,
        "faces": [face.text for face in account.die.faces],
        "counts": account.die.counts,
        "opposite": [list(pair) for pair in account.die.opposite],
        "twins_apart": report.twins_apart,
        "together": account.together,
        "about": dict(account.about),
        "made": account.made,
        "first": None if report.span is None else report.span[0],
        "last": None if report.span is None else report.span[1],
        "photographs": {
            label: {"sha256": sha256(picture).hexdigest(), "jpeg": b64encode(picture).decode()}
            for label, picture in account.photographs.items()
        },
    }


def _tally(report: Report) -> dict[str, Any]:
    tally = report.tally
    return asdict(tally) | {
        "unread": tally.unread,
        "suspected": dict(zip(report.account.outcomes.labels, tally.suspected, strict=True)),
        "how": dict(tally.how),
        "changed": [
            {
                "was": _label(report, one.was),
                "now": _label(report, one.now),
                "withdrawn": one.withdrawn,
                "audited": one.audited,
                "by": one.by,
                "reason": one.reason,
                "throws": list(one.numbers),
            }
            for one in tally.changed
        ],
    }


def _label(report: Report, place: int | None) -> str | None:
    return None if place is None else report.account.outcomes.labels[place]


def _fixed(report: Report) -> dict[str, Any]:
    test = report.fixed
    return {
        "throws": report.account.fixed,
        "test": None if test is None else asdict(test),
    }


def _running(report: Report) -> dict[str, Any] | None:
    running = report.running
    if running is None:
        return None
    return {
        "throws": running.throws.tolist(),
        "shares": running.shares.tolist(),
        "low": running.ends.low.tolist(),
        "high": running.ends.high.tolist(),
    }


def _reader(report: Report) -> dict[str, Any] | None:
    """Return the reader's measurement in the form of its file (`companion.fairness.reader_file`)."""
    reader = report.account.reader
    if reader is None:
        return None
    labels = report.account.outcomes.labels
    known = {} if reader.beforehand is None else {BEFOREHAND: _by_face(reader.beforehand, labels)}
    return _by_face(reader.seen, labels) | known


def _by_face(seen: Counts, labels: Sequence[str]) -> dict[str, Any]:
    return {
        label: {name: count for name, count in zip((*labels, UNREAD), row, strict=True) if count}
        for label, row in zip(labels, seen.tolist(), strict=True)
    }
