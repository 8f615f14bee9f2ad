"""What Pulskamp & Otero tabulate about Wibold's game, exact: Tables 3 and 4, length, Figure 2's curve, the hours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from companion.odds.lengths import LengthDistribution
from companion.rules.errors import UnknownGameError
from companion.rules.game import Game
from companion.rules.ludus_regularis import LudusRegularis
from companion.rules.ludus_regularis.rulings import RuleSet, sum_weights, weights, whole_throws
from companion.rules.ludus_regularis.virtues import Virtue, of_sum, virtues
from companion.rules.options import OptionValue
from companion.rules.registry import games

PACES = (2.0, 2.5, 3.0)
"""Throws a minute. Pulskamp & Otero say 2 to 3; their table of hours uses 2.5 to 3."""

BIN_WIDTHS = {"whole": 250, "sum": 50, "wheel": 25}
"""Throws in one bar of the histograms of lengths (Figures 3 and 5 for the whole game and the game by sums)."""


@dataclass(frozen=True)
class Prize:
    """Virtues that the same throws give, and how many of the ``total`` equally likely throws give them."""

    name: str
    virtues: tuple[Virtue, ...]
    weight: int
    total: int


def ludus(slug: str) -> LudusRegularis:
    """Return the game of this slug, if it is one of the games of virtues.

    Raises:
        UnknownGameError: it is not one of them.
    """
    found: Game | None = games().get(slug)
    if not isinstance(found, LudusRegularis):
        known = ", ".join(name for name, game in games().items() if isinstance(game, LudusRegularis))
        raise UnknownGameError(f"Exact odds are known for {known}, not {slug!r}.")
    return found


def rule_set_of(slug: str, options: Mapping[str, OptionValue] | None = None) -> RuleSet:
    """Return how to read the letter rules with these options. Raises `OptionError` for one that the game lacks."""
    return RuleSet.of(ludus(slug).settings(options or {}))


@cache
def prizes(slug: str, rule_set: RuleSet = RuleSet()) -> tuple[Prize, ...]:  # noqa: B008 - a frozen value
    """Return what the dice can give: single virtues by Table 3, or all virtues of a sum by Table 4.

    The wheel gives each virtue in one of 56 ways.
    """
    if ludus(slug).kind == "wheel":
        return tuple(Prize(virtue.latin, (virtue,), 1, len(virtues())) for virtue in virtues())
    if ludus(slug).by_sum:
        ways = sum_weights()
        total = sum(ways.values())
        return tuple(Prize(str(number), of_sum(number), count, total) for number, count in ways.items())
    total = len(whole_throws())
    return tuple(
        Prize(virtue.latin, (virtue,), weight, total)
        for virtue, weight in zip(virtues(), weights(rule_set), strict=True)
        if weight
    )


def null_weight(slug: str, rule_set: RuleSet = RuleSet()) -> int:  # noqa: B008 - a frozen value
    """Return how many of the equally likely throws give nothing even at the start (Table 3, NULL)."""
    listed = prizes(slug, rule_set)
    return listed[0].total - sum(prize.weight for prize in listed)


@cache
def length(slug: str, rule_set: RuleSet = RuleSet()) -> LengthDistribution:  # noqa: B008 - a frozen value
    """Return the exact distribution of the length of a whole game."""
    listed = prizes(slug, rule_set)
    return LengthDistribution([prize.weight for prize in listed], listed[0].total)


def expected_curve(slug: str, throws: Sequence[int], options: Mapping[str, OptionValue] | None = None) -> list[float]:
    """Return the expected number of virtues acquired after each of these numbers of throws, by all players together.

    Exact: each virtue is acquired by then with its own chance, and expectations add (Figure 2 shows one game around
    it).
    """
    listed = prizes(slug, rule_set_of(slug, options))
    return [
        sum(len(prize.virtues) * (1 - (1 - prize.weight / prize.total) ** number) for prize in listed)
        for number in throws
    ]


def hours(throws: float) -> dict[float, float]:
    """Return the hours that this many throws take at each of `PACES`."""
    return {pace: throws / pace / 60 for pace in PACES}
