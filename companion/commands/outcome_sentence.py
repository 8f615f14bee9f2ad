"""The commands' sentence on who has won a finished game."""

from companion.language.sentence import Listing, Sentence, player
from companion.rules.results import Outcome


def result(outcome: Outcome, players: int) -> Sentence:
    """Return one sentence: who wins, which can be several of a team or of equals, or that all share the win."""
    winners = Listing(map(player, outcome.winners))
    if len(outcome.winners) == 1:
        return Sentence("{winners} wins.", winners=winners)
    if len(outcome.winners) == players:
        return Sentence("{winners} share the win.", winners=winners)
    return Sentence("{winners} win.", winners=winners)
