"""Sentences that an earlier version said in other words, said in the words of today: the meaning is the same."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from string import Formatter
from typing import Final

LIST: Final = Path(__file__).with_name("reworded.toml")
_PARTS: Final = {"missing": "[A-Z](?:, [A-Z])*"}
_COUNTED: Final = ("one {}", "two {}'s", "three {}'s")


def reworded(text: str) -> str:
    """Return what the program says now where it said ``text``: every sentence of the list, also within another one."""
    for was, now in rewordings():
        text = was.sub(partial(_filled, now), text)
    return text


@cache
def rewordings() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the pattern of each earlier sentence, and the template of today."""
    listed: Mapping[str, str] = tomllib.loads(LIST.read_text(encoding="utf-8"))["sentences"]
    return tuple((re.compile("".join(_pattern(was))), now) for was, now in listed.items())


def _filled(now: str, found: re.Match[str]) -> str:
    return now.format_map(_parts(found.groupdict()))


def _pattern(template: str) -> Iterator[str]:
    known: set[str] = set()
    for literal, part, _, _ in Formatter().parse(template):
        yield re.escape(literal)
        if part is not None:
            yield f"(?P={part})" if part in known else f"(?P<{part}>{_PARTS.get(part, '.+?')})"
            known.add(part)


def _parts(found: dict[str, str]) -> dict[str, str]:
    """Return the parts of a sentence: missing letters were listed one by one, and are counted now."""
    if "missing" in found:
        counted = [_COUNTED[n - 1].format(one) for one, n in Counter(found["missing"].split(", ")).items()]
        found["missing"] = " and ".join(filter(None, (", ".join(counted[:-1]), counted[-1])))
    return found
