"""The games of virtues as a player chooses them: Wibold's whole game, his simpler one of sums, Colvener's wheel."""

from collections.abc import Mapping
from typing import Any

from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import OptionError, PositionFormatError
from companion.rules.game import OptionValue
from companion.rules.ludus_regularis.notation import read_virtues
from companion.rules.ludus_regularis.position import LudusPosition
from companion.rules.ludus_regularis.variant import LudusVariant
from companion.rules.ludus_regularis.virtues import virtues
from companion.rules.whole_numbers import whole_number


class LudusRegularis(LudusVariant):
    """One of the games with its positions: the first one, and those that are read."""

    def start(self, players: int, **options: OptionValue) -> LudusPosition:
        """Return the first position: every virtue free, player 1 to throw.

        Raises:
            OptionError: an unknown option or value, or not 2 to 6 players.
        """
        self.check_players(players)
        free = (0,) * len(virtues())
        return LudusPosition(self, players, tuple(self.settings(options).items()), 1, 0, free, free)

    def from_json(self, data: Mapping[str, Any]) -> LudusPosition:
        """Read a position; ``turn``, ``throws``, ``recast`` and ``time_up`` may be left out.

        Raises:
            PositionFormatError: not of the form that `LudusPosition.to_json` writes.
        """
        match data:
            case {"game": self.slug, "players": int(players), "virtues": held}:
                pass
            case _:
                raise PositionFormatError(
                    f'Expected an object with "game": "{self.slug}", "players" and "virtues", '
                    f"but got {str(data)[:200]!r}."
                )
        holders, numbers = read_virtues(held)
        thrown = whole_number(data, "throws", max(numbers))
        try:
            self.check_players(players)
            settings = self.settings(dict(data.get("options", {})))
            recast = None if data.get("recast") is None else Throw.from_json(data["recast"])
        except (OptionError, ThrowError, TypeError) as problem:
            raise PositionFormatError(f"This is no position of {self.title}: {problem}") from problem
        turn = whole_number(data, "turn", thrown % players + 1)
        called = data.get("time_up", False)
        if not isinstance(called, bool):
            raise PositionFormatError(f'Expected "time_up" to be true or false, but it is {called!r}.')
        return LudusPosition(self, players, tuple(settings.items()), turn, thrown, holders, numbers, recast, called)
