"""A judgement in words, the plain ones first; and as JSON, with everything it rests on."""

from collections.abc import Iterator, Sequence
from typing import Any

from companion.fairness.dependence import Finding
from companion.fairness.outcomes import Outcomes
from companion.fairness.verdict import Evidence, Judgement, throws_for

QUESTIONS = {
    "lag": "throws hang on the throw before: the die is not turned enough",
    "drift": "the first throws and the later ones differ: something changed, in the die, the throwing or the light",
    "session": "the sessions differ",
    "hand": "the hands that throw differ",
    "die": "the dice of the set differ",
}


def told(judged: Judgement, outcomes: Outcomes, findings: Sequence[Finding]) -> Iterator[str]:
    """Give the sentences that are said of a die."""
    throws = int(judged.counts.sum())
    yield _verdict(judged, outcomes, throws)
    if judged.reader_explains:
        yield (
            "The readings look biased, but the reader's own errors may have made them so: have it measured on more "
            "faces, or look at the throws yourself."
        )
    for finding in findings:
        if finding.found:
            yield (
                f"Look at how it is thrown: {QUESTIONS[finding.question]} (p {_small(finding.p)} at "
                f"{finding.throws} throws)."
            )


def _verdict(judged: Judgement, outcomes: Outcomes, throws: int) -> str:
    off = _points(judged.largest)
    if judged.said == "biased":
        strayed = _strayed(judged, outcomes)
        return (
            f"Biased: after {judged.evidence.called} throws the evidence was such as a fair die gives in one case of "
            f"20 at most, however often one looks{strayed}."
        )
    if judged.said == "no larger bias":
        return (
            f"No bias larger than {off} points of a hundred: so say {throws} throws. That is not to say that the die "
            "is fair; a smaller bias takes more throws to find."
        )
    needed = throws_for(outcomes, judged.smallest)
    return (
        f"Not enough throws yet: {throws} leave room for a bias of up to {off} points of a hundred. To rule out more "
        f"than {_points(judged.smallest)}, about {needed} throws are needed in all."
    )


def _strayed(judged: Judgement, outcomes: Outcomes) -> str:
    """Name what is surely more or less frequent, where single outcomes or contrasts show it."""
    said = []
    for label, fair, low, high in zip(
        outcomes.labels,
        outcomes.fair.tolist(),
        judged.intervals.low.tolist(),
        judged.intervals.high.tolist(),
        strict=True,
    ):
        if not low <= fair <= high:
            said.append(
                f"{label} falls in {_points(low)} to {_points(high)} of a hundred throws, fair is {_points(fair)}"
            )
    for contrast, (low, high) in judged.contrasts:
        if not low <= outcomes.share(contrast) <= high:
            fair = _points(outcomes.share(contrast))
            said.append(f"{outcomes.name(contrast)} together in {_points(low)} to {_points(high)}, fair is {fair}")
    return f" ({'; '.join(said)})" if said else ""


def _points(share: float) -> str:
    return f"{share * 100:.1f}"


def _small(p: float) -> str:
    return f"{p:.4f}"


def to_json(judged: Judgement, outcomes: Outcomes, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the judgement with all its figures."""
    return {
        "said": judged.said,
        "sentences": list(told(judged, outcomes, findings)),
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
        "questions": [
            {
                "question": finding.question,
                "throws": finding.throws,
                "p": finding.p,
                "allowed": finding.allowed,
                "found": finding.found,
            }
            for finding in findings
        ],
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "p": evidence.p,
        "called": evidence.called,
        "log_most": evidence.most,
        "log_needed": evidence.needed,
        "throws": evidence.throws.tolist(),
        "log_value": [round(value, 6) for value in evidence.log_value.tolist()],
    }
