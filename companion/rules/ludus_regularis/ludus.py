"""The games of virtues as a player chooses them: Wibold's whole game, his simpler one of sums, Colvener's wheel."""

from collections.abc import Mapping
from typing import Any

from companion.language.sentence import Sentence, Template
from companion.rules.board import Board
from companion.rules.dice import Throw, ThrowError, dice_set
from companion.rules.errors import OptionError, PositionFormatError
from companion.rules.family import Family
from companion.rules.how_to_play import GameTexts, Glossary
from companion.rules.known_words import check_words
from companion.rules.ludus_regularis.boards import pairs, rim, wheel
from companion.rules.ludus_regularis.notation import read_virtues
from companion.rules.ludus_regularis.position import LudusPosition
from companion.rules.ludus_regularis.variant import Kind, LudusVariant
from companion.rules.ludus_regularis.virtues import by_lot, virtues
from companion.rules.options import OptionValue, read_options
from companion.rules.whole_numbers import whole_number

RULES_REVISION = 2
"""Increase it whenever the code judges any position differently than before; part of `Game.rules_hash`."""

SOURCE = (
    "R. Pulskamp and D. Otero, Wibold's Ludus Regularis, a 10th Century Board Game (MAA Convergence), after Balderic"
)


class LudusRegularis(LudusVariant):
    """One of the games; ``kind`` says what decides a throw."""

    source = SOURCE
    family = Family(
        "ludus_regularis",
        odds="companion.odds.known.ludus_regularis:ODDS",
        player="companion.players.player:ANY",
        page="companion.desk.page.ludus_regularis:PAGE",
        picture="companion.drawings.ludus_regularis:PICTURE",
    )
    kit_parts = ("tokens",)
    player_counts = (2, 3, 4, 5, 6)
    chooses = False

    def __init__(self, slug: str, title: str, story: str, kind: Kind) -> None:
        self.slug = slug
        self.title = title
        self.kind = kind
        self.options = read_options(__package__, kind)
        self.board = wheel() if kind == "wheel" else rim()
        self.story = Sentence.of(Template(story))
        played = "manner-letters" if self.by_letters else "manner"
        self.texts = GameTexts(__package__, kind, f"aim-{kind}", played)

    @property
    def boards(self) -> tuple[Board, ...]:
        """The rim of Table 5, the pairs of Table 6 and the wheel of Figure 6; the game's own board comes first."""
        return (self.board, *(board for board in (rim(), pairs(), wheel()) if board != self.board))

    @property
    def glossary(self) -> Glossary:
        """The lots with their virtues."""
        return Glossary(
            "The lots and their virtues",
            {virtue.lot: f"{virtue.latin}, {virtue.english}" for virtue in virtues()},
        )

    def called(self, site: str) -> str:
        """Return the virtue of a lot, ``"1.2.3"`` is ``"Pax"``."""
        return by_lot()[site].latin

    def called_in_sentence(self, site: str) -> Sentence | str:
        """Return the virtue of a lot as a term."""
        return by_lot()[site].called_briefly

    @property
    def decisive(self) -> Mapping[str, Any]:
        """What decides a game besides its options: revision, virtues and dice."""
        return {
            "revision": RULES_REVISION,
            "virtues": [
                [virtue.lot, virtue.latin, virtue.initial_consonant, virtue.second_cast, virtue.double]
                for virtue in virtues()
            ],
            "dice": [[die.name, [face.text for face in die.faces]] for die in dice_set(self.dice_set).dice],
        }

    def start(self, players: int, **options: OptionValue) -> LudusPosition:
        """Return the first position: every virtue is free, and player 1 throws.

        Raises:
            OptionError: an unknown option or value, or not 2 to 6 players.
        """
        self.check_players(players)
        free = (0,) * len(virtues())
        return LudusPosition(self, players, tuple(self.settings(options).items()), 1, 0, free, free)

    def from_json(self, data: Mapping[str, Any]) -> LudusPosition:
        """Read a position; ``turn``, ``throws``, ``recast`` and ``time_up`` are optional.

        Raises:
            PositionFormatError: the data does not have the form that `LudusPosition.to_json` writes.
        """
        match data:
            case {"game": self.slug, "players": int(players), "virtues": held}:
                pass
            case _:
                raise PositionFormatError(
                    f'Expected an object with "game": "{self.slug}", "players" and "virtues", '
                    f"but got {str(data)[:200]!r}."
                )
        known = ("game", "players", "options", "virtues", "turn", "throws", "recast", "time_up")
        check_words(data, known, "a position")
        options, cast = data.get("options", {}), data.get("recast")
        check_words(options, (option.name for option in self.options), '"options"')
        check_words(cast, ("set", "faces"), "a throw")
        holders, numbers = read_virtues(held)
        thrown = whole_number(data, "throws", max(numbers))
        try:
            self.check_players(players)
            settings = self.settings(dict(options))
            recast = None if cast is None else Throw.from_json(cast)
        except (OptionError, ThrowError, TypeError) as problem:
            raise PositionFormatError(f"This is not a position of {self.title}: {problem}") from problem
        turn = whole_number(data, "turn", thrown % players + 1)
        called = data.get("time_up", False)
        if not isinstance(called, bool):
            raise PositionFormatError(f'Expected "time_up" to be true or false, but it is {called!r}.')
        return LudusPosition(self, players, tuple(settings.items()), turn, thrown, holders, numbers, recast, called)
