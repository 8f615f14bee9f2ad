"""The odds of Ludix as plain data, for the command line and the page."""

from collections.abc import Mapping
from typing import Any

from companion.odds.ludix.matches import BEST, HEEDING, MATCHES, SIMPLE, compare
from companion.odds.ludix.policy import TABLE_STEP, Holding, solved, table
from companion.odds.ludix.race import CHANCE_TOLERANCE, FIRST, SECOND, PolicyError, Race
from companion.odds.ludix.throws import ThrowClass, every_way, kinds, most_to_go_on, threshold
from companion.rules.ludix import Ludix
from companion.rules.ludix.chances import chance_of_null, mean_of_best
from companion.rules.options import OptionValue


def odds(players: int, options: Mapping[str, OptionValue]) -> dict[str, Any]:
    """Return the throws, the chance of failing, and for two players the best play and its value.

    ``best_play`` is None if it is not known, and ``best_play_missing`` says why. The first call takes some seconds.

    Raises:
        OptionError: unknown options, or a number of players that the game does not take.
    """
    game = Ludix()
    game.check_players(players)
    settings = game.settings(options)
    best_play, missing = None, None
    try:
        best_play = _best_play(solved(players, settings))
    except PolicyError as unknown:
        missing = str(unknown)
    return {
        "game": game.slug,
        "title": game.title,
        "total": every_way(),
        "throws": [_kind(kind) for kind in kinds()],
        "null": {
            "ways": sum(kind.ways for kind in kinds() if not kind.numerals),
            "fraction": str(chance_of_null()),
            "chance": float(chance_of_null()),
        },
        "mean": float(mean_of_best()),
        "threshold": float(threshold()),
        "simple_rule": most_to_go_on(),
        "best_play": best_play,
        "best_play_missing": missing,
    }


def _kind(kind: ThrowClass) -> dict[str, Any]:
    return {
        "symbols": kind.symbols,
        "ways": kind.ways,
        "chance": kind.ways / every_way(),
        "numerals": [{"numeral": numeral.text, "value": numeral.value} for numeral in kind.numerals],
        "rightful": kind.rightful,
    }


def _best_play(match: Race) -> dict[str, Any]:
    played = compare(match)
    begins = played[BEST, BEST]
    return {
        "target": match.target,
        "ending": match.ending,
        "tolerance": CHANCE_TOLERANCE,
        "wins": {"1": begins, "2": 1 - begins},
        "hold": {
            "step": TABLE_STEP,
            "first": _holdings(match, FIRST),
            "second": _holdings(match, SECOND),
        },
        "matches": [{"first": one, "second": other, "chance": played[one, other]} for one, other in MATCHES],
        "gain": {
            rule: {
                "first": played[BEST, rule] - played[rule, rule],
                "second": played[rule, rule] - played[rule, BEST],
            }
            for rule in (SIMPLE, HEEDING)
        },
    }


def _holdings(match: Race, seat: int) -> list[dict[str, Any]]:
    return [_holding(own, other, holding) for own, row in table(match, seat).items() for other, holding in row.items()]


def _holding(own: int, other: int, holding: Holding) -> dict[str, Any]:
    stretches = [list(stretch) for stretch in holding.again]
    return {"own": own, "other": other, "hold": holding.stake, "again": stretches}
