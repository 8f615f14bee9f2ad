"""A judgement in words, the plain sentences first; and as JSON, with all its evidence."""

from collections.abc import Iterator, Sequence
from typing import Any

from companion.fairness.course import Evidence
from companion.fairness.dependence import Finding
from companion.fairness.outcomes import Outcomes
from companion.fairness.thrower_sentences import finding_sentences, hanging_sentences, unread_sentences
from companion.fairness.verdict import Judgement, throws_for
from companion.language.sentence import Listing, Sentence


def die_sentences(judged: Judgement, outcomes: Outcomes, findings: Sequence[Finding]) -> Iterator[Sentence]:
    """Yield the sentences about a die, the verdict first."""
    yield from hanging_sentences(findings) if judged.said == "hang together" else _verdict(judged, outcomes)
    if judged.reader_explains:
        yield Sentence(
            "The readings look biased, but the reader's own errors may have made them so: have it measured on more "
            "faces, or look at the throws yourself."
        )
    yield from unread_sentences(judged)
    yield from finding_sentences(findings)


def _verdict(judged: Judgement, outcomes: Outcomes) -> Iterator[Sentence]:
    throws = int(judged.counts.sum())
    if judged.said == "biased":
        yield Sentence(
            "Biased: after {count} throws the evidence was such as a fair die gives in one case of 20 at most, however "
            "often one looks.",
            count=judged.evidence.called,
        )
        if strayed := list(_strayed(judged, outcomes)):
            yield Sentence("Surely off: {strayed}.", strayed=Listing(strayed, "comma"))
    elif judged.said == "no larger bias":
        yield Sentence(
            "No bias larger than {points} points of a hundred: so say {count} throws. That is not to say that the die "
            "is fair; a smaller bias takes more throws to find.",
            points=in_points(judged.largest),
            count=throws,
        )
    elif not throws:
        yield Sentence("Not enough throws yet: there are none.")
    else:
        yield Sentence(
            "Not enough throws yet: {count} so far leave room for a bias of up to {points} points of a hundred.",
            count=throws,
            points=in_points(judged.largest),
        )
        yield Sentence(
            "To rule out more than {points}, about {count} throws are needed in all.",
            points=in_points(judged.smallest),
            count=throws_for(outcomes, judged.smallest),
        )


def _strayed(judged: Judgement, outcomes: Outcomes) -> Iterator[Sentence]:
    """Name the outcomes that are surely too frequent or too rare; else the contrasts, if no single outcome is."""
    single = list(_strayed_outcomes(judged, outcomes))
    if single or judged.evidence is not judged.raw:
        # A contrast that contains such an outcome adds nothing. With a measured reader, the intervals of contrasts
        # are still those of the readings and may include its errors.
        yield from single
        return
    for contrast, (low, high) in judged.contrasts:
        if not low <= outcomes.share(contrast) <= high:
            yield Sentence(
                "{faces} together fall in {low} to {high} of a hundred throws (fair is {fair})",
                faces=outcomes.name(contrast),
                low=in_points(low),
                high=in_points(high),
                fair=in_points(outcomes.share(contrast)),
            )


def _strayed_outcomes(judged: Judgement, outcomes: Outcomes) -> Iterator[Sentence]:
    for label, fair, low, high in zip(
        outcomes.labels,
        outcomes.fair.tolist(),
        judged.intervals.low.tolist(),
        judged.intervals.high.tolist(),
        strict=True,
    ):
        if not low <= fair <= high:
            yield Sentence(
                "{face} falls in {low} to {high} of a hundred throws (fair is {fair})",
                face=label,
                low=in_points(low),
                high=in_points(high),
                fair=in_points(fair),
            )


def in_points(share: float) -> float:
    """Return a share or a difference of shares in points of a hundred, rounded to a tenth as people read it."""
    return round(share * 100, 1)


def to_json(judged: Judgement, outcomes: Outcomes, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the judgement with all its figures."""
    return {
        "said": judged.said,
        "sentences": [sentence.to_json() for sentence in die_sentences(judged, outcomes, findings)],
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
        "reached": evidence.reached,
        "log_most": evidence.most,
        "log_needed": evidence.needed,
        "throws": evidence.throws.tolist(),
        "log_value": [round(value, 6) for value in evidence.log_value.tolist()],
    }
