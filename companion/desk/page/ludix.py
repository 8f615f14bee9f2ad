"""What the page shows of Ludix: the numerals on the table, the stake, and the chance of losing it."""

from companion.desk.page.family_page import FamilyPage
from companion.desk.shapes.match import FamilyPartsShape, LudixShape
from companion.language.sentence import Sentence
from companion.referee.match import Match
from companion.rules.ludix.chances import chance_of_null
from companion.rules.ludix.ending import target
from companion.rules.ludix.numerals import formed_by, shown_by
from companion.rules.ludix.position import LudixPosition


class _LudixPage(FamilyPage):
    def parts(self, match: Match) -> FamilyPartsShape:
        """Return the state of a turn."""
        assert isinstance(match.position, LudixPosition), "Ludix has positions of its own"
        return {**super().parts(match), "ludix": _turn(match.position)}


PAGE = _LudixPage()


def _turn(position: LudixPosition) -> LudixShape:
    """Return the state of a turn of Ludix and its sentences.

    ``stake``: what the player could note now with the best numeral; ``numerals``: those of the throw that waits, the
    best first; ``fails``: the exact chance that another throw makes none.
    """
    formed = () if position.cast is None else formed_by(shown_by(position.cast))
    stake = position.stake + (formed[0].value if formed else 0)
    fails = chance_of_null()
    return {
        "numerals": [{"text": numeral.text, "value": numeral.value} for numeral in formed],
        "formed": list(position.formed),
        "stake": stake,
        "target": target(position),
        "fails": (fails.numerator, fails.denominator),
        "sentences": [sentence.to_json() for sentence in _sentences(position, stake)],
    }


def _sentences(position: LudixPosition, stake: int) -> list[Sentence]:
    if position.outcome is not None or not stake:
        return []
    fails = chance_of_null()
    sentence = Sentence(
        "Risk it? {times} of {of} throws make no numeral and lose these points ({percent} %).",
        times=fails.numerator,
        of=fails.denominator,
        percent=round(100 * fails),
    )
    return [sentence]
