"""The sentences where throws are serially dependent, or where throws that were not read leave the die in doubt."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.fairness.dependence import Finding
from companion.fairness.mixture import mixture_of
from companion.fairness.outcomes import Outcomes
from companion.fairness.unread import share_to_doubt
from companion.fairness.verdict import Judgement
from companion.language.sentence import Sentence

SERIALLY_DEPENDENT: Final = Sentence(
    "The throws depend on each other (serial dependence): the die cannot be judged from them."
)
REPEATED: Final = Sentence(
    "Throws repeat one of the four before them too often for a die that turns well: throw it from a cup, or so that "
    "it turns over many times."
)

FOUND: Final = {
    "session": Sentence("the sessions differ"),
    "station": Sentence("the stations differ, in the hand, the surface or the reading"),
    "hand": Sentence("the hands that throw differ"),
    "die": Sentence("the dice of the set differ"),
}
"""The finding for each question of `companion.fairness.dependence`, if its answer is yes and names no number."""


def dependence_sentences(findings: Sequence[Finding]) -> Iterator[Sentence]:
    """Yield what stands instead of a verdict."""
    yield SERIALLY_DEPENDENT
    if not any(finding.found for finding in findings):
        yield REPEATED


def finding_sentences(findings: Sequence[Finding]) -> Iterator[Sentence]:
    """Yield what was found about the thrower; the chance counts all moments at which the question was asked."""
    for finding in findings:
        if finding.found:
            yield Sentence(
                "Look at how it is thrown: {found}. Chance alone looks this strange in at most one case of {cases}.",
                found=_found(finding),
                cases=int(1 / finding.chance),
            )


def unread_sentences(judged: Judgement, outcomes: Outcomes) -> Iterator[Sentence]:
    """Yield the sentences on throws that were not read: they may be the cause, or so many more would have to be."""
    if judged.said == "biased" and judged.unread and not judged.measured:
        doubted = share_to_doubt(mixture_of(outcomes, judged.stakes), judged.counts, judged.raw.needed)
        if doubted is not None:
            yield Sentence(
                "{count} throws were not read; whatever they showed, the die is called biased. Only if {points} of 100 "
                "throws had been lost, all in its favour, would that be open.",
                count=judged.unread,
                points=int(1000 * doubted) / 10,
            )
    if judged.unread_explain:
        yield Sentence(
            "The readings look biased, but {count} throws were not read, and these may be the cause: say what they "
            "showed, or have the reader measured.",
            count=judged.unread,
        )


def _found(finding: Finding) -> Sentence:
    about = finding.about
    with_number = {
        "drift": Sentence(
            "after about {count} throws something changed in the die, the throwing or the light", count=about
        ),
        "cycle": Sentence(
            "throws differ by their place in each {count}, as if {count} dice came in turn: is this one die?",
            count=about,
        ),
        "period": Sentence("a face comes and goes every {count} throws or so", count=about),
    }
    if finding.question in with_number:
        return with_number[finding.question]
    if finding.question != "lag":
        return FOUND[finding.question]
    if about == 0:
        return Sentence("the dice of one throw depend on each other")
    if about == 1:
        return Sentence("throws depend on the throw before: the die does not turn enough")
    return Sentence("throws depend on the throw {count} throws before: the die does not turn enough", count=about)
