"""What a throw or choice results in, and how a game ends."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.language.sentence import Sentence


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winners (several if they share the win), why, and the game's own details."""

    winners: tuple[int, ...]
    why: Sentence
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def tie(self) -> bool:
        """Whether more than one player shares the win."""
        return len(self.winners) > 1


@dataclass(frozen=True)
class Account:
    """What one throw or choice results in: a sentence, the sites that it changes, and the game's own details.

    ``news``: what a headline says of it, where the sentence is too long. ``silent``: a choice that only ends a turn, so
    the news is what came before it.
    """

    sentence: Sentence
    sites: tuple[str, ...]
    details: Mapping[str, Any]
    news: Sentence | None = None
    silent: bool = False

    @property
    def headline(self) -> Sentence:
        """The account in few words."""
        return self.news or self.sentence
