"""Accounts of dice to make reports of: one with everything that a report can tell, and others that lack parts."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.fairness.account import CountedThrow, DieAccount
from companion.fairness.outcomes import Outcomes, outcomes_of
from companion.fairness.reader_errors import ReaderErrors
from companion.rules.dice import dice_set

AT = 1_795_000_000.25


def photograph(shade: int) -> bytes:
    """Return a small JPEG of one shade."""
    return cv2.imencode(".jpg", np.full((24, 32, 3), shade, np.uint8))[1].tobytes()


def account(
    *,
    set_name: str = "pips",
    many: int = 600,
    weights: Sequence[float] | None = None,
    twins_apart: bool = False,
    name: str = "The oak die",
    seed: int = 1,
) -> DieAccount:
    """Return an account of a die that was thrown under a camera and by two hands, some throws of it not read."""
    die = dice_set(set_name).dice[0]
    outcomes = outcomes_of(die, twins_apart=twins_apart)
    rng = np.random.default_rng(seed)
    chances = outcomes.fair if weights is None else np.array(weights) / sum(weights)
    throws = []
    for number, place in enumerate(rng.choice(len(chances), p=chances, size=many).tolist(), 1):
        unread = number % 40 == 0
        throws.append(
            CountedThrow(
                number,
                None if unread else place,
                "typed" if number % 100 == 0 else "camera",
                at=AT + 6 * number,
                suspected=place if unread else None,
                asked=number % 25 == 0,
                corrected=number % 90 == 0,
                digest=hashlib.sha256(str(number).encode()).hexdigest(),
                session="monday" if number <= many // 2 else "tuesday",
                hand="left" if number % 3 else "right",
            )
        )
    return DieAccount(name, set_name, die, outcomes, counted(throws, outcomes), tuple(throws))


def counted(throws: Sequence[CountedThrow], outcomes: Outcomes) -> "np.ndarray[tuple[int, ...], np.dtype[np.int64]]":
    """Return how often each outcome was read."""
    shown = np.array([one.outcome for one in throws if one.outcome is not None], np.int64)
    return np.bincount(shown, minlength=len(outcomes.labels))


def whole(*, many: int = 600) -> DieAccount:
    """Return an account with everything: photographs, who threw how, a measured reader, a number fixed beforehand."""
    one = account(many=many, weights=[1, 1, 1, 1, 1, 1.6])
    kinds = len(one.outcomes.labels)
    seen = np.hstack([np.eye(kinds, dtype=np.int64) * 495, np.full((kinds, 1), 3, np.int64)])
    seen[5, 0] += 7
    return replace(
        one,
        about={"who": "Ada", "surface": "felt", "method": "from a cup", "camera": "a camera", "weather": "dry"},
        photographs={label: photograph(40 * place) for place, label in enumerate(one.outcomes.labels)},
        smallest=0.04,
        fixed=int(one.counts.sum()),
        reader=ReaderErrors(seen),
    )
