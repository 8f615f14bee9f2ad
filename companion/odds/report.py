"""A game's odds and a simulation's results as plain data, for the command line, the page and the benchmarks."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from companion.odds.known.known_odds import KnownOdds, known_odds
from companion.odds.ludus_regularis import (
    BIN_WIDTHS,
    expected_curve,
    hours,
    length,
    ludus,
    null_weight,
    prizes,
    rule_set_of,
)
from companion.odds.simulation import NEVER, Games
from companion.rules import registry
from companion.rules.errors import UnknownGameError
from companion.rules.ludus_regularis.rulings import RuleSet, sum_weights, weights
from companion.rules.ludus_regularis.virtues import virtues
from companion.rules.options import OptionValue

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""The percentiles in a report."""

CURVE_POINTS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 300, 400, 500, 750, 1000, 1500, 2000, 3000, 4000, 5000)
"""Numbers of throws at which a report gives the curve of acquired virtues."""

ODDS_GAMES = 4_000
"""Games behind the chances to win in `odds`: these are accurate to 0.8 % (standard error) in a quarter second."""


def known() -> tuple[str, ...]:
    """Return the games whose odds are known."""
    return tuple(slug for slug, game in registry.games().items() if known_odds(game).known)


def odds(
    slug: str,
    players: int = 2,
    options: Mapping[str, OptionValue] | None = None,
    *,
    games: int = ODDS_GAMES,
    seed: int = 1,
) -> dict[str, Any]:
    """Return the exact tables of a game, and for what is not known exactly the results of ``games`` simulated games.

    For the games of virtues, the tables, the curve and the length of a whole game are exact; the chances to win are
    simulated with these options, and come with their standard errors. For Ludix all is exact.

    Raises:
        UnknownGameError: there is no such game, or its odds are not known.
        OptionError, GamesCountError: as `simulate`.
    """
    return _known(slug).odds(slug, players, options or {}, games=games, seed=seed)


def distribution(slug: str, options: Mapping[str, OptionValue] | None = None) -> Sequence[float] | None:
    """Return the chance that n throws end a game, for n = 0, 1, 2, ...; None if it is not computed.

    Raises:
        UnknownGameError: there is no such game, or its odds are not known.
        OptionError: it does not take these options.
    """
    return _known(slug).distribution(slug, options or {})


def _known(slug: str) -> KnownOdds:
    if slug not in known():
        raise UnknownGameError(f"Odds are known for {', '.join(known())}, not {slug!r}.")
    return known_odds(registry.game(slug))


def exact(slug: str, options: Mapping[str, OptionValue] | None = None) -> dict[str, Any]:
    """Return everything about a game that is computed and not simulated.

    ``virtue_weights`` is Table 3 by lot (the whole game only), ``sum_weights`` Table 4.
    """
    game = ludus(slug)
    rule_set = rule_set_of(slug, options)
    listed = prizes(slug, rule_set)
    lasts = length(slug, rule_set)
    mean = float(lasts.mean)
    percentiles = {f"{share:.0%}": lasts.percentile(share) for share in SHARES}
    return {
        "game": slug,
        "title": game.title,
        "total": listed[0].total,
        "prizes": {prize.name: prize.weight for prize in listed},
        "null": null_weight(slug, rule_set),
        "virtue_weights": _virtue_weights(rule_set) if game.by_letters else {},
        "sum_weights": {} if game.kind == "wheel" else {str(total): count for total, count in sum_weights().items()},
        "mean": mean,
        "deviation": lasts.deviation,
        "percentiles": percentiles,
        "hours": {
            name: {str(pace): taken for pace, taken in hours(throws).items()}
            for name, throws in (("mean", mean), ("95%", percentiles["95%"]))
        },
        "curve": [
            [throws, virtues_then]
            for throws, virtues_then in zip(CURVE_POINTS, expected_curve(slug, CURVE_POINTS, options), strict=True)
        ],
    }


def _virtue_weights(rule_set: RuleSet) -> dict[str, int]:
    return {virtue.lot: weight for virtue, weight in zip(virtues(), weights(rule_set), strict=True)}


def histogram(
    slug: str, played: Games | None, options: Mapping[str, OptionValue] | None = None
) -> list[dict[str, Any]]:
    """Return the bars of Figure 3 or 5: the exact share of games of each length, beside that of simulated whole games.

    The last bar holds all lengths after all but one game in 10,000; its ``to`` is None.
    """
    width = BIN_WIDTHS[ludus(slug).kind]
    lasts = length(slug, rule_set_of(slug, options))
    bars = -(-lasts.percentile(0.9999) // width)
    shares = lasts.histogram(width)
    exact_bars = [*shares[:bars], sum(shares[bars:])]
    simulated: list[float] | list[None] = [None] * (bars + 1)
    if played is not None:
        counts, _ = np.histogram(np.minimum(played.length, bars * width + 1), np.arange(bars + 2) * width + 0.5)
        simulated = (counts / len(played.length)).tolist()
    return [
        {
            "from": bar * width + 1,
            "to": (bar + 1) * width if bar < bars else None,
            "exact": exact_bars[bar],
            "simulated": simulated[bar],
        }
        for bar in range(bars + 1)
    ]


def results(played: Games) -> dict[str, Any]:
    """Return the results of simulated games: lengths, scores, and chances with their standard errors."""
    count = len(played.length)
    alone = played.winners & ~played.ties[:, None]
    return {
        "games": count,
        "players": played.players,
        "mean": float(played.length.mean()),
        "mean_error": float(played.length.std(ddof=1)) / math.sqrt(count) if count > 1 else None,
        "deviation": float(played.length.std(ddof=1)) if count > 1 else None,
        "percentiles": {
            f"{share:.0%}": int(np.quantile(played.length, share, method="inverted_cdf")) for share in SHARES
        },
        "virtues": float((played.won_at < NEVER).sum(axis=1).mean()),
        "scores": {str(number + 1): float(mean) for number, mean in enumerate(played.scores.mean(axis=0))},
        "wins": {str(number + 1): _chance(float(share), count) for number, share in enumerate(alone.mean(axis=0))},
        "tie": _chance(float(played.ties.mean()), count),
    }


def _chance(share: float, count: int) -> dict[str, float]:
    return {"chance": share, "error": math.sqrt(share * (1 - share) / count)}
