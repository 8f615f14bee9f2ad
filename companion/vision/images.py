"""Bytes and files become pictures here, or are refused with one sentence; nothing half-read gets through."""

import re
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.rules.sentence import Sentence
from companion.vision.readings import Image

MOST_PIXELS = 50_000_000  # of a file from disk: a 48 MP telephone picture and a little
MOST_LIVE_PIXELS = 10_000_000  # of a live frame: 3840x2160 is 8.3 MP, and no camera needs more for a table
MOST_BYTES = 64 * 1024 * 1024
MOST_LIVE_BYTES = 12 * 1024 * 1024
REDUCED_ABOVE = 25_000_000  # pixels; above it a file is decoded at half size: 150 MB at once is too much for a Pi
SMALLEST_SIDE = 16
LEAST_LIVE_SIDE = 120  # pixels; below it no letter on a die has enough of them

BLACK_BELOW = 20  # a covered webcam shows noise up to about 12 of 255
EVEN_BELOW = 0.3  # standard deviation; a real sensor's noise is above 0.5 even in an even field
NOISE_CORRELATION = 0.25  # of neighbouring pixels: white noise 0.0, after JPEG up to 0.15; any lens gives over 0.6
NOISE_DEVIATION = 12.0  # below it what looks uncorrelated is sensor noise on an even ground


class BadFrameError(ValueError):
    """These bytes or this file are no usable picture; ``sentence`` says what was expected and what to do."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


@dataclass(frozen=True)
class Header:
    """What a picture file says of itself before any of it is decoded (size as stored, before EXIF turns it)."""

    kind: str
    width: int
    height: int


def read_header(data: bytes) -> Header:
    """Return kind and size of a JPEG, PNG, WebP or BMP; raise `BadFrameError` if it is none or is cut short."""
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
            except (struct.error, IndexError):
                raise _truncated(kind, len(data)) from None
            return Header(kind, width, height)
    raise BadFrameError(
        Sentence(
            "Expected a JPEG, PNG, WebP or BMP picture, but the {size} bytes are none of these: "
            "save or send it as JPEG.",
            size=len(data),
        )
    )


def decode_image(data: bytes, *, live: bool = False) -> Image:
    """Decode a whole picture to BGR, turned as its EXIF orientation says; grey and alpha become three channels.

    ``live`` holds it to the limits of a camera frame instead of those of a file. Raises `BadFrameError`.
    """
    most_bytes, most_pixels = (MOST_LIVE_BYTES, MOST_LIVE_PIXELS) if live else (MOST_BYTES, MOST_PIXELS)
    if len(data) > most_bytes:
        raise BadFrameError(
            Sentence(
                "Expected a picture of at most {most} MB, but it has {size} MB: make it smaller.",
                most=most_bytes >> 20,
                size=round(len(data) / (1 << 20), 1),
            )
        )
    header = read_header(data)
    if header.width * header.height > most_pixels:
        raise BadFrameError(
            Sentence(
                "Expected a picture of at most {most} megapixels, but it is {width}x{height}: make it smaller.",
                most=most_pixels // 1_000_000,
                width=header.width,
                height=header.height,
            )
        )
    if min(header.width, header.height) < SMALLEST_SIDE:
        raise BadFrameError(
            Sentence(
                "Expected a picture of at least {least} pixels a side, but it is {width}x{height}: take a larger one.",
                least=SMALLEST_SIDE,
                width=header.width,
                height=header.height,
            )
        )
    large = header.width * header.height > REDUCED_ABOVE
    flags = cv2.IMREAD_REDUCED_COLOR_2 if large else cv2.IMREAD_COLOR
    try:
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        decoded = None
    if decoded is None or decoded.ndim != 3 or decoded.dtype != np.uint8:  # noqa: PLR2004
        raise BadFrameError(
            Sentence("Expected a {kind} picture, but its data is damaged: send it again.", kind=header.kind)
        )
    return np.ascontiguousarray(decoded, dtype=np.uint8)


def load_image(path: Path | str) -> Image:
    """Read a picture file as `decode_image` does; above 25 megapixels it comes at half size. Raises `BadFrameError`."""
    path = Path(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadFrameError(
                Sentence(
                    "Expected a picture of at most {most} MB, but {path} is larger: make it smaller.",
                    most=MOST_BYTES >> 20,
                    path=str(path),
                )
            )
        data = path.read_bytes()
    except OSError as error:
        raise BadFrameError(
            Sentence(
                "Expected a picture at {path}, but it cannot be read ({reason}): check the path.",
                path=str(path),
                reason=error.strerror or type(error).__name__,
            )
        ) from error
    try:
        return decode_image(data)
    except BadFrameError as error:
        raise BadFrameError(Sentence("{path}: {reason}", path=str(path), reason=error.sentence)) from error


def check_live(image: Image) -> Sentence | None:
    """Say why a live frame cannot show a table (wrong shape, black, one even colour, noise), or None if it may."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:  # noqa: PLR2004
        return Sentence("The camera sends pictures of an unknown kind: choose another camera or another format.")
    height, width = image.shape[:2]
    if min(height, width) < LEAST_LIVE_SIDE:
        return Sentence(
            "The picture is only {width}x{height}: set the camera to 640x480 or more.", width=width, height=height
        )
    sample = image[:: max(1, height // 90), :: max(1, width // 160)]
    if float(np.percentile(sample, 99.5)) < BLACK_BELOW:
        return Sentence("The picture is black: take the cover off the camera, or make light.")
    if float(sample.std(axis=(0, 1)).max()) < EVEN_BELOW:
        return Sentence("The picture is one even colour: check the camera and its cable.")
    if _is_noise(image):
        return Sentence("The picture is nothing but noise: check the camera and its cable.")
    return None


def _is_noise(image: Image) -> bool:
    """Tell whether neighbouring pixels have nothing to do with each other, in three places of the picture."""
    height, width = image.shape[:2]
    places = ((height // 2, width // 2), (height // 4, width // 4), (height * 3 // 4, width * 3 // 4))
    for row, column in places:
        patch = image[max(0, row - 48) : row + 48, max(0, column - 48) : column + 48, 1].astype(np.float32)
        patch -= patch.mean()
        variance = float((patch * patch).mean())
        along = float((patch[:, 1:] * patch[:, :-1]).mean())
        down = float((patch[1:] * patch[:-1]).mean())
        if variance < NOISE_DEVIATION**2 or max(along, down) > NOISE_CORRELATION * variance:
            return False
    return True


def _truncated(kind: str, size: int) -> BadFrameError:
    return BadFrameError(
        Sentence(
            "Expected a whole {kind} picture, but it is cut short or damaged after {size} bytes: send it again.",
            kind=kind,
            size=size,
        )
    )


# In coded data FF is followed by 00 (a data byte), D0-D7 (a restart mark) or FF (filling); anything else is a marker.
_NEXT_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9


def _walk_jpeg(data: bytes) -> tuple[int, int]:
    """Walk the segments up to the end mark: OpenCV fills a missing end with grey and says nothing."""
    at, size, scanned = 2, None, False
    while True:
        found = _NEXT_MARKER.search(data, at)
        if found is None or (not scanned and data[at] != 0xFF):  # noqa: PLR2004
            raise _truncated("JPEG", len(data))
        marker, at = data[found.start() + 1], found.end()
        if marker == _END_OF_IMAGE:
            break
        (length,) = struct.unpack_from(">H", data, at)
        if marker in _START_OF_FRAME:
            height, width = struct.unpack_from(">HH", data, at + 3)
            size = (width, height)
        scanned = scanned or marker == _START_OF_SCAN
        at += max(length, 2)
    if size is None or not scanned or 0 in size:
        raise _truncated("JPEG", len(data))
    return size


def _walk_png(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", data, 16)
    at = 8
    while True:
        length, kind = struct.unpack_from(">I4s", data, at)
        (check,) = struct.unpack_from(">I", data, at + 8 + length)
        if zlib.crc32(data[at + 4 : at + 8 + length]) != check or (at == 8 and kind != b"IHDR"):  # noqa: PLR2004
            raise _truncated("PNG", len(data))
        if kind == b"IEND":
            return width, height
        at += 12 + length


def _walk_webp(data: bytes) -> tuple[int, int]:
    length, brand, kind = struct.unpack_from("<4xI4s4s", data, 0)
    if brand != b"WEBP" or length + 8 > len(data):
        raise _truncated("WebP", len(data))
    if kind == b"VP8X":
        canvas = data[24:30]
        return 1 + int.from_bytes(canvas[:3], "little"), 1 + int.from_bytes(canvas[3:6], "little")
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def _walk_bmp(data: bytes) -> tuple[int, int]:
    start, width, height, bits, packing = struct.unpack_from("<10xI4xii2xHI", data, 0)
    rows = abs(height)
    if width <= 0 or rows == 0:
        raise _truncated("BMP", len(data))
    plain = packing in (0, 3)  # neither run lengths nor an embedded picture: the length is known
    if plain and start + (width * bits + 31) // 32 * 4 * rows > len(data):
        raise _truncated("BMP", len(data))
    return width, rows


def as_jpeg(image: Image, widest: int, quality: int) -> bytes:
    """Return a BGR picture as JPEG of this quality (1 to 100), made smaller if it is wider than ``widest`` pixels."""
    width = image.shape[1]
    if width > widest:
        scale = widest / width
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done, "a picture of bytes can always be encoded"
    return data.tobytes()
