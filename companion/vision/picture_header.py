"""Read the kind and size of a picture from its bytes before decoding any of them.

Each function is as strict as the decoder of its format. So the size that passes the check is the size that the decoder
allocates. A file that states two different sizes, or holds several frames, is refused.
"""

import itertools
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from companion.language.sentence import Sentence, SentenceError


class BadFrameError(SentenceError, ValueError):
    """Bytes or a file that are no usable picture; ``sentence`` says what was expected and what to do."""


@dataclass(frozen=True)
class Header:
    """Kind and size that a picture file states (size as stored, before the EXIF orientation applies)."""

    kind: str
    width: int
    height: int


class _DamagedError(ValueError):
    """The bytes are cut short, or violate the format of their kind."""


def read_header(data: bytes) -> Header:
    """Return kind and size of a JPEG, PNG, WebP or BMP of one frame; raise `BadFrameError` for anything else."""
    if not data:
        raise BadFrameError(Sentence("Expected a picture, but it is empty (0 bytes): send it again."))
    for kind, magic, walk in (
        ("JPEG", b"\xff\xd8", _walk_jpeg),
        ("PNG", b"\x89PNG\r\n\x1a\n", _walk_png),
        ("WebP", b"RIFF", _walk_webp),
        ("BMP", b"BM", _walk_bmp),
    ):
        if data.startswith(magic):
            try:
                width, height = walk(data)
            except (struct.error, IndexError, _DamagedError):
                raise _damaged(kind, len(data)) from None
            return Header(kind, width, height)
    raise BadFrameError(
        Sentence(
            "Expected a JPEG, PNG, WebP or BMP picture, but the {size} bytes are none of these: "
            "save or send it as JPEG.",
            size=len(data),
        )
    )


def _damaged(kind: str, size: int) -> BadFrameError:
    return BadFrameError(
        Sentence(
            "Expected a whole {kind} picture, but it is cut short or damaged after {size} bytes: send it again.",
            kind=kind,
            size=size,
        )
    )


def _animated(kind: str) -> BadFrameError:
    return BadFrameError(
        Sentence(
            "Expected a single picture, but this {kind} file holds an animation: save one frame of it as JPEG.",
            kind=kind,
        )
    )


# Marker codes of ISO/IEC 10918-1, table B.1.
_START_OF_FRAME: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_DECODABLE: Final = frozenset({0xC0, 0xC1, 0xC2, 0xC9, 0xCA})  # neither lossless nor hierarchical
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
_WITH_LENGTH: Final = frozenset({*range(0xC0, 0xD0), 0xDA, 0xDB, 0xDC, 0xDD, *range(0xE0, 0xF0), 0xFE}) - {0xC8}

# In coded data, 00 (a data byte), D0-D7 (a restart mark) or FF (filling) follows FF; anything else is a marker.
_NEXT_MARKER: Final = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_MARKER_HERE: Final = re.compile(rb"\xff+([^\x00\xff])")

MOST_SCANS: Final = 64
"""Progressive encoders write about ten. Each scan, even one of few bytes, costs a pass over the whole picture."""


MOST_PARTS: Final = 16_384
"""A PNG of the largest size that is taken has about 8,000 chunks, a JPEG some hundred segments; each costs a step."""


def _parts() -> Iterator[None]:
    """Let as many steps pass as a picture may have parts."""
    yield from itertools.repeat(None, MOST_PARTS)
    raise _DamagedError


def _segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield each marker of a JPEG with the offset behind it, up to the end mark.

    Before the first scan, segments must follow each other without gaps, as a decoder reads them. With a byte between
    two segments, or a marker in a wrong place, decoder and check would disagree on where the next segment begins.
    """
    at, scanned = 2, False
    for _ in _parts():
        found = _NEXT_MARKER.search(data, at) if scanned else _MARKER_HERE.match(data, at)
        if found is None:
            raise _DamagedError
        marker, at = data[found.end() - 1], found.end()
        yield marker, at
        if marker == _END_OF_IMAGE:
            return
        (length,) = struct.unpack_from(">H", data, at)
        if marker not in _WITH_LENGTH or length < 2:  # noqa: PLR2004  the length counts its own two bytes
            raise _DamagedError
        scanned = scanned or marker == _START_OF_SCAN
        at += length


def _walk_jpeg(data: bytes) -> tuple[int, int]:
    """Return the size; walk the segments up to the end mark, because OpenCV silently fills a missing end with grey.

    Refuse a second frame header anywhere, because the decoder uses the first one.
    """
    size: tuple[int, int] | None = None
    scans = 0
    for marker, at in _segments(data):
        if marker in _START_OF_FRAME:
            if size is not None or marker not in _DECODABLE:
                raise _DamagedError
            height, width = struct.unpack_from(">HH", data, at + 3)
            size = (width, height)
        scans += marker == _START_OF_SCAN
        if (scans and size is None) or scans > MOST_SCANS:
            raise _DamagedError
    if size is None or not scans or 0 in size:
        raise _DamagedError
    return size


_PNG_ANIMATION: Final = frozenset({b"acTL", b"fcTL", b"fdAT"})


def _walk_png(data: bytes) -> tuple[int, int]:
    size: tuple[int, int] | None = None
    at, kind = 8, b""
    for _ in _parts():
        if kind == b"IEND":
            break
        length, kind = struct.unpack_from(">I4s", data, at)
        (check,) = struct.unpack_from(">I", data, at + 8 + length)
        if zlib.crc32(data[at + 4 : at + 8 + length]) != check or (kind == b"IHDR") != (size is None):
            raise _DamagedError
        if kind in _PNG_ANIMATION:
            raise _animated("PNG")
        if size is None:
            width, height = struct.unpack_from(">II", data, at + 8)
            size = (width, height)
        at += 12 + length
    if size is None or 0 in size:
        raise _DamagedError
    return size


_WEBP_ANIMATED: Final = 0x02  # one of the flags of an extended file


def _walk_webp(data: bytes) -> tuple[int, int]:
    length, brand, kind = struct.unpack_from("<4xI4s4s", data, 0)
    if brand != b"WEBP" or length + 8 > len(data):
        raise _DamagedError
    if kind != b"VP8X":
        return _webp_frame(data, 12)
    if data[20] & _WEBP_ANIMATED:
        raise _animated("WebP")
    canvas = (1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little"))
    if canvas != _webp_frame(data, _webp_picture(data, length + 8)):
        raise _DamagedError
    return canvas


def _webp_picture(data: bytes, end: int) -> int:
    """Return the offset of the coded picture in an extended file."""
    at = 12
    for _ in _parts():
        if at + 8 > end:
            break
        kind, size = struct.unpack_from("<4sI", data, at)
        if kind in (b"VP8 ", b"VP8L"):
            return at
        if kind in (b"ANIM", b"ANMF"):
            raise _animated("WebP")
        at += 8 + size + size % 2
    raise _DamagedError


def _webp_frame(data: bytes, at: int) -> tuple[int, int]:
    """Return the size of the coded picture itself (RFC 6386, 9.1; WebP lossless, 3)."""
    kind = data[at : at + 4]
    if kind == b"VP8L" and data[at + 8] == 0x2F:  # noqa: PLR2004  its signature
        (bits,) = struct.unpack_from("<I", data, at + 9)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 " and data[at + 11 : at + 14] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", data, at + 14)
        return width & 0x3FFF, height & 0x3FFF
    raise _DamagedError


_BMP_HEADERS: Final = frozenset({40, 52, 56, 64, 108, 124})  # bytes; the oldest form, of 12, has its sizes elsewhere
_BMP_PACKINGS: Final = frozenset({0, 1, 2, 3})  # plain, two kinds of run lengths, plain with masks; no embedded file


def _walk_bmp(data: bytes) -> tuple[int, int]:
    start, header, width, height, bits, packing = struct.unpack_from("<10xIIii2xHI", data, 0)
    rows = abs(height)
    if header not in _BMP_HEADERS or packing not in _BMP_PACKINGS or width <= 0 or rows == 0:
        raise _DamagedError
    plain = packing in (0, 3)  # without run lengths, the size determines the length
    if plain and start + (width * bits + 31) // 32 * 4 * rows > len(data):
        raise _DamagedError
    return width, rows
