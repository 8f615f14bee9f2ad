"""Two states as plain JSON, compared field by field; what was mended since is named, with why."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from tests.golden.rewording import reworded

ABSENT: Final = "(absent)"
"""What stands for a field that one of two states does not have."""

ANYTHING: Final = "(anything)"
"""What stands for a value that may be any but none."""

NEAR: Final = 1e-9
"""Numbers that differ by less than this part are alike: other machines add in another order."""

SENTENCE: Final = {"text", "template", "parts"}


@dataclass(frozen=True)
class Difference:
    """One field that is not as it was; ``was`` and ``now`` are `ABSENT` where there is none."""

    place: str
    was: Any
    now: Any

    def __str__(self) -> str:
        return f"{self.place}: was {self.was!r:.200}, is {self.now!r:.200}"


@dataclass(frozen=True)
class Mended:
    """A difference that is meant: at which places, how it came to be so, and why.

    ``place`` may hold ``*``. ``now``: the value that stands there now; with ``was``, what a text has there now instead
    of what that pattern finds, all else being as it was.
    """

    place: str
    why: str
    now: Any
    was: str | None = None

    def explains(self, difference: Difference) -> bool:
        """Tell whether a difference is this one."""
        if not fnmatchcase(difference.place, self.place):
            return False
        if self.was is None:
            return _alike(self.now, difference.now) or (self.now == ANYTHING and difference.now != ABSENT)
        return isinstance(difference.was, str) and re.sub(self.was, self.now, difference.was) == difference.now


def differences(was: Any, now: Any, place: str = "") -> Iterator[Difference]:
    """Give every field in which two states differ by more than the wording, by its path."""
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        for name in [*was, *(name for name in now if name not in was)]:
            yield from differences(was.get(name, ABSENT), now.get(name, ABSENT), f"{place}/{name}")
    elif isinstance(was, list) and isinstance(now, list):
        for number in range(max(len(was), len(now))):
            before, after = (one[number] if number < len(one) else ABSENT for one in (was, now))
            yield from differences(before, after, f"{place}/{number}")
    elif not _alike(was, now):
        stated = reworded(was) if isinstance(was, str) else was
        if not _alike(stated, now):
            yield Difference(place, stated, now)


def unexplained(found: Sequence[Difference], mended: Sequence[Mended]) -> list[str]:
    """Return the differences that nobody names, and the names that no difference bears any more."""
    left = [str(one) for one in found if not any(known.explains(one) for known in mended)]
    idle = [known for known in mended if not any(known.explains(one) for one in found)]
    return left + [f"{known.place}: named as mended, but nothing differs there" for known in idle]


def plain(data: Any) -> Any:
    """Return data as JSON gives it back, each sentence as its text alone."""
    if isinstance(data, Mapping):
        if set(data) == SENTENCE:
            return data["text"]
        return {str(name): plain(value) for name, value in data.items()}
    return [plain(value) for value in data] if isinstance(data, list | tuple) else data


def changes(states: Sequence[Any]) -> list[dict[str, Any]]:
    """Return of each of many states what changed since the one before it: the new value by its path."""
    found, before = [], dict[str, Any]()
    for state in states:
        now = dict(_leaves(state, ""))
        gone = {place: ABSENT for place in before if place not in now}
        found.append({place: value for place, value in now.items() if before.get(place, ABSENT) != value} | gone)
        before = now
    return found


def _leaves(data: Any, place: str) -> Iterator[tuple[str, Any]]:
    inner = data.items() if isinstance(data, Mapping) else enumerate(data) if isinstance(data, list) else None
    if not inner:
        yield place, data
        return
    for name, value in inner:
        yield from _leaves(value, f"{place}/{name}")


def _alike(was: Any, now: Any) -> bool:
    if isinstance(was, float) and isinstance(now, float):
        return was == now or math.isclose(was, now, rel_tol=NEAR, abs_tol=NEAR)
    return type(was) is type(now) and bool(was == now)
