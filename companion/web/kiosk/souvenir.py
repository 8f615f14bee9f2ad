"""What visitors take home: a QR code that contains the names of their virtues. Nothing is stored or fetched."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import segno

MOST_CODE_BYTES: Final = 560
"""The most bytes of the text: then a code has at most 89 modules a side, 4 pixels each on half a screen of 800."""

CUT: Final = "..."


@dataclass(frozen=True)
class Result:
    """One player's result in words: the lines before and after the virtues, and the virtues' names."""

    head: Sequence[str]
    virtues: Sequence[str]
    foot: Sequence[str]

    @property
    def text(self) -> str:
        """The whole text; it omits virtues if it is too long for a code that a telephone can read from a screen."""
        kept = list(self.virtues)
        while len(self._set(kept).encode()) > MOST_CODE_BYTES and kept:
            kept.pop()
        return self._set(kept)

    @property
    def whole(self) -> bool:
        """Whether the text has room for every virtue."""
        return len(self._set(self.virtues).encode()) <= MOST_CODE_BYTES

    def _set(self, kept: Sequence[str]) -> str:
        listed = ", ".join(kept) + (f" {CUT}" if len(kept) < len(self.virtues) else "")
        return "\n".join([*self.head, *([listed] if listed else []), *self.foot])


def code(text: str) -> segno.QRCode:
    """Return the QR code of a text: UTF-8 without an ECI mark, as telephones read it, as robust as its size allows."""
    return segno.make(text, micro=False, error="m", boost_error=True, encoding="utf-8", eci=False, mode="byte")


def svg(text: str, label: str) -> bytes:
    """Return the QR code as SVG, dark on white with its quiet zone, with ``label`` as its title."""
    out = io.BytesIO()
    code(text).save(out, kind="svg", border=4, scale=8, dark="#2b1f14", light="#ffffff", title=label, xmldecl=False)
    return out.getvalue()


def virtues_of(virtues: Sequence[Mapping[str, object]], player: int) -> list[tuple[str, str]]:
    """Return the Latin and English names of a player's virtues in a snapshot's ``virtues``, in the order of winning."""
    mine = [virtue for virtue in virtues if virtue.get("owner") == player]
    won = sorted(mine, key=lambda virtue: (virtue.get("throw") or 0, virtue["id"]))
    return [(str(virtue["name"]), str(virtue["english"])) for virtue in won]
