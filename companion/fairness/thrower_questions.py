"""The questions about the thrower of one die, asked once of all its throws."""

from typing import Final

from companion.fairness.account import Account
from companion.fairness.dependence import Finding, between, drift, lag, period

SEEDS: Final = {"lag": 1, "drift": 2, "period": 4, "session": 3, "hand": 3}
"""The seeds of the other orders of the throws, so that asking again gives the same answers."""


def asked_of_the_thrower(account: Account) -> dict[str, Finding | None]:
    """Return by question what was found: None where throws or groups are too few; empty if the order is unknown."""
    shown, kinds = account.shown, len(account.outcomes.labels)
    if shown is None or account.throws is None or account.seen is None:
        return {}
    read = [one for one in account.throws if one.outcome is not None]
    sessions, hands = [one.session for one in read], [one.hand for one in read]
    return {
        "lag": lag(account.seen, kinds, together=account.together, seed=SEEDS["lag"]),
        "drift": drift(shown, kinds, seed=SEEDS["drift"]),
        "period": period(shown, kinds, seed=SEEDS["period"]),
        "session": between(shown, sessions, kinds, "session", seed=SEEDS["session"]),
        "hand": between(shown, hands, kinds, "hand", seed=SEEDS["hand"]),
    }
