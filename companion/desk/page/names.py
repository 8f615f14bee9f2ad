"""Sentences that call the players of a match by name."""

from collections.abc import Mapping

from companion.language.sentence import Sentence, SentenceJson
from companion.referee.match import Match


def names_of(match: Match) -> dict[int, str]:
    """Return the players' names by their numbers."""
    return dict(enumerate(match.started.players, start=1))


def with_player_names(match: Match | None, sentence: Sentence) -> Sentence:
    """Return a sentence that calls the players of the open match by name."""
    return sentence if match is None else sentence.named(names_of(match))


def named_json(sentence: Sentence | None, names: Mapping[int, str]) -> SentenceJson | None:
    """Return a sentence for the page with the players called by these names, None if there is no sentence."""
    return None if sentence is None else sentence.named(names).to_json()
