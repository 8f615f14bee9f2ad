"""Ludix as a player chooses it: its dice, its options and its first position."""

from collections.abc import Mapping
from typing import Any

from companion.language.sentence import Sentence
from companion.rules.board import Board
from companion.rules.dice import ThrowError, dice_set
from companion.rules.errors import OptionError, PositionFormatError
from companion.rules.family import Family
from companion.rules.game import Game
from companion.rules.how_to_play import GameTexts
from companion.rules.known_words import check_words
from companion.rules.ludix.notation import read_position
from companion.rules.ludix.numerals import DICE, numerals
from companion.rules.ludix.position import LudixPosition
from companion.rules.options import OptionValue, read_options

RULES_REVISION = 1
"""Increase it whenever the code judges any position differently than before; part of `Game.rules_hash`."""


class Ludix(Game):
    """The game of the booklet; it has dice and a score pad, but no board."""

    slug = "ludix"
    title = "Ludix"
    source = "Niek Neuwahl with the Swiss Museum of Games, Ludix (Piatnik, Vienna 2014)"
    story = Sentence(
        "Throw four dice with the faces L, X, X, V, I and I, and arrange all four symbols as a Roman numeral. "
        "You score its number, and may stop and bank it, or throw again for more. But if the four symbols make "
        "no numeral, you lose all points of the turn."
    )
    texts = GameTexts(__package__, "ludix")
    family = Family(
        "ludix",
        odds="companion.odds.known.ludix:ODDS",
        player="companion.players.ludix:PLAYER",
        page="companion.desk.page.ludix:PAGE",
        picture="companion.drawings.ludix:PICTURE",
    )
    teaches = True
    player_counts = (2, 3, 4, 5, 6)
    options = read_options(__package__)
    board = Board("ludix", ())

    @property
    def decisive(self) -> Mapping[str, Any]:
        """What decides a game besides its options: revision, numerals and dice."""
        return {
            "revision": RULES_REVISION,
            "numerals": {numeral.text: numeral.value for numeral in numerals().values()},
            "dice": [[die.name, [face.text for face in die.faces]] for die in dice_set(DICE).dice],
        }

    def start(self, players: int, **options: OptionValue) -> LudixPosition:
        """Return the first position: nobody has points, and player 1 throws.

        Raises:
            OptionError: an unknown option or value, or not 2 to 6 players.
        """
        self.check_players(players)
        return LudixPosition(self, players, tuple(self.settings(options).items()), 1, 0, (0,) * players)

    def from_json(self, data: Mapping[str, Any]) -> LudixPosition:
        """Read a position; only ``game``, ``players`` and ``scores`` are required.

        Raises:
            PositionFormatError: the data does not have the form that `LudixPosition.to_json` writes.
        """
        try:
            players, options, rest = read_position(self.slug, data)
            check_words(options, (option.name for option in self.options), '"options"')
            self.check_players(players)
            settings = self.settings(options)
        except (OptionError, ThrowError) as problem:
            raise PositionFormatError(f"This is not a position of {self.title}: {problem}") from problem
        return LudixPosition(self, players, tuple(settings.items()), **rest)
