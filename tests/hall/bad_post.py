"""A table whose messages to other tables of its hall are lost, doubled, late and out of order, or lie."""

import threading
from collections.abc import Callable
from random import Random

import msgspec

from companion.hall.match_post import MatchMessage, MatchPost
from companion.hall.topics import MATCH
from companion.live.remote_table import Sync

Payloads = list[tuple[str, bytes]]


class BadPost:
    """Carries what a table says as badly as ``chance`` wants, before its hall gets it."""

    def __init__(self, post: MatchPost, seed: int, *, lost: float = 0.3) -> None:
        self._due, self._chance, self._lost = post.due, Random(seed), lost
        self._late: Payloads = []
        self.dropped = self.doubled = 0
        post.due = self._badly  # type: ignore[method-assign]

    def _badly(self) -> Payloads:
        self._late += self._due()
        self._chance.shuffle(self._late)
        sent: Payloads = []
        while len(self._late) > 3 or (self._late and self._chance.random() < 0.7):
            one = self._late.pop()
            times = 0 if self._chance.random() < self._lost else self._chance.choice((1, 1, 2))
            self.dropped, self.doubled = self.dropped + (not times), self.doubled + (times > 1)
            sent += [one] * times
        return sent


class LyingPost:
    """Changes what a table says of the match while ``lies`` is set."""

    def __init__(self, post: MatchPost, lie: Callable[[Sync], Sync]) -> None:
        self._due, self._lie, self.lies = post.due, lie, threading.Event()
        post.due = self._said  # type: ignore[method-assign]

    def _said(self) -> Payloads:
        said = self._due()
        if not self.lies.is_set():
            return said
        found: Payloads = []
        for topic, payload in said:
            if f"/{MATCH}/" not in topic:
                found.append((topic, payload))
                continue
            message = msgspec.json.decode(payload, type=MatchMessage)
            found.append((topic, msgspec.json.encode(MatchMessage(self._lie(message.sync), message.welcome))))
        return found


def opens_something_else(sync: Sync) -> Sync:
    """Return the message with another opening of the sender's part of a throw, where it opens one."""
    if sync.dice is None or not sync.dice.opening:
        return sync
    wrong = f"{int(sync.dice.opening, 16) ^ 1:0{len(sync.dice.opening)}x}"
    return msgspec.structs.replace(sync, dice=msgspec.structs.replace(sync.dice, opening=wrong))
