"""What our own firmware says: short lines with a checksum; there may be any garbage between them.

``$`` two letters, fields after commas, ``*``, the exclusive or of the characters between as two hex digits, newline::

    $HI,alea,1,128,1,64*HH      name, version, most LEDs, buttons, squares: at boot, and as the answer to a hello
    $OK,17*HH                   a frame was shown; counts from 0 to 255
    $NO,C*HH                    a frame was refused: C checksum, L too long, T it stopped half way, O bytes were lost
    $BT,5,0,1*HH                press 5: button 0 went down (0: up); repeated until the host answers it
    $SQ,9,00000000000000FF*HH   report 9: which squares are occupied, square 0 in the lowest bit
    $BA,5*HH                    the only line from the host: press 5 has arrived
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Final, Literal, get_args

MOST_SQUARES = 64
LONGEST_LINE = 80  # characters; anything longer is garbage

Reason = Literal["C", "L", "T", "O"]
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)


@dataclass(frozen=True)
class Hello:
    """A board says what it is; ``leds`` is the most that it can drive."""

    name: str
    version: int
    leds: int
    buttons: int
    squares: int


@dataclass(frozen=True)
class Shown:
    """A frame was shown; ``counter`` runs from 0 to 255 and starts again."""

    counter: int


@dataclass(frozen=True)
class Refused:
    """A frame was not shown: C wrong checksum, L too long, T it stopped half way, O bytes were lost."""

    reason: Reason


@dataclass(frozen=True)
class Button:
    """A button went down or up; ``seq`` (0 to 255) tells a repetition from a new press."""

    seq: int
    button: int
    pressed: bool


@dataclass(frozen=True)
class Squares:
    """Which squares are occupied: bit i of ``occupied`` is square i; ``seq`` runs from 0 to 255."""

    seq: int
    occupied: int


Message = Hello | Shown | Refused | Button | Squares

_LINE = re.compile(rb"\$([^$*]*)\*([0-9A-F]{2})\r?", re.DOTALL)
_FIELDS = re.compile(
    r"HI,(?P<name>[a-z][a-z0-9-]{0,15}),(?P<version>\d{1,3}),(?P<leds>\d{1,5}),(?P<buttons>\d{1,2}),(?P<squares>\d{1,2})"
    r"|OK,(?P<counter>\d{1,3})"
    r"|NO,(?P<reason>[CLTO])"
    r"|BT,(?P<press>\d{1,3}),(?P<button>\d{1,2}),(?P<pressed>[01])"
    r"|SQ,(?P<report>\d{1,3}),(?P<occupied>[0-9A-Fa-f]{1,16})",
    re.ASCII,
)
_LARGEST_BYTE = 255


class LineReader:
    """Finds the messages in a board's output, however it is split and whatever is between them.

    It ignores a line without a correct checksum, or with fields that no board of ours sends.
    """

    def __init__(self) -> None:
        self._open = b""  # the unfinished line; never longer than LONGEST_LINE

    def feed(self, data: bytes) -> list[Message]:
        """Take the next bytes; return the messages that they complete."""
        *lines, rest = (self._open + data).split(b"\n")
        self._open = rest[-LONGEST_LINE:]
        return [message for message in map(_message, lines) if message is not None]


def answer(press: Button) -> bytes:
    """Return the line with which the host confirms a press: the board then stops repeating it."""
    return line(f"BA,{press.seq}")


def line(content: str) -> bytes:
    """Return ``content`` as a line with its checksum."""
    body = content.encode("ascii")
    return b"$%b*%02X\n" % (body, reduce(xor, body, 0))


def content(raw: bytes) -> str | None:
    """Return the content of a line without its end, or None if its checksum is wrong; skip garbage before it."""
    found = _LINE.fullmatch(raw, max(raw.rfind(b"$"), 0))
    if found is None or reduce(xor, found[1], 0) != int(found[2], 16) or not found[1].isascii():
        return None
    return found[1].decode("ascii")


def _message(raw: bytes) -> Message | None:
    text = content(raw)
    found = None if text is None else _FIELDS.fullmatch(text)
    if found is None:
        return None
    fields = found.groupdict()
    if any(int(fields[name] or 0) > _LARGEST_BYTE for name in ("counter", "press", "report")):
        return None
    return _KINDS[found[0][:2]](fields)


def _refused(fields: dict[str, str]) -> Message:
    for reason in REASONS:
        if reason == fields["reason"]:
            return Refused(reason)
    raise AssertionError  # the pattern accepts no other letter


_KINDS: dict[str, Callable[[dict[str, str]], Message]] = {
    "HI": lambda it: Hello(it["name"], int(it["version"]), int(it["leds"]), int(it["buttons"]), int(it["squares"])),
    "OK": lambda it: Shown(int(it["counter"])),
    "NO": _refused,
    "BT": lambda it: Button(int(it["press"]), int(it["button"]), it["pressed"] == "1"),
    "SQ": lambda it: Squares(int(it["report"]), int(it["occupied"], 16)),
}
