"""Decode bytes and files to pictures, or refuse them with one sentence; no partly decoded picture gets through."""

import os
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from companion.language.sentence import Sentence
from companion.vision.picture_header import BadFrameError, read_header
from companion.vision.readings import Image

MOST_PIXELS = 50_000_000  # of a file from disk: a 48 MP phone picture and a little more
MOST_LIVE_PIXELS = 10_000_000  # of a live frame: 3840x2160 is 8.3 MP, and no camera needs more for a table
MOST_BYTES = 64 * 1024 * 1024
MOST_LIVE_BYTES = 12 * 1024 * 1024
REDUCED_ABOVE = 25_000_000  # pixels; a larger file is decoded at half size: 150 MB at once is too much for a Pi
SMALLEST_SIDE = 16
LEAST_LIVE_SIDE = 120  # pixels; in a smaller frame no letter on a die has enough of them

BLACK_BELOW = 20  # a covered webcam shows noise up to about 12 of 255
DARK_BELOW = 50  # drawn dice are read down to 25, no well lit table of ours is below 145
EVEN_BELOW = 0.3  # standard deviation; a real sensor's noise is above 0.5, even in front of one even colour
NOISE_CORRELATION = 0.25  # of neighbouring pixels: white noise 0.0, after JPEG up to 0.15; any lens gives over 0.6
NOISE_DEVIATION = 12.0  # below it, uncorrelated pixels are sensor noise on an even background


def decode_image(data: bytes, *, live: bool = False, into: Image | None = None) -> Image:
    """Decode a whole picture to BGR and rotate it by its EXIF orientation; grey and alpha become three channels.

    ``live`` applies the limits of a camera frame instead of those of a file. ``into``: a picture to paint over, if it
    has the right size. Raises `BadFrameError`.
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
    decoded = None
    if into is not None and into.shape[:2] == (header.height, header.width):
        decoded = _painted(data, flags, into)
    if decoded is None:
        with suppress(cv2.error):
            decoded = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    if decoded is None or decoded.ndim != 3 or decoded.dtype != np.uint8:  # noqa: PLR2004
        raise BadFrameError(
            Sentence("Expected a {kind} picture, but its data is damaged: send it again.", kind=header.kind)
        )
    return np.ascontiguousarray(decoded, dtype=np.uint8)


def _painted(data: bytes, flags: int, into: Image) -> cv2.typing.MatLike | None:
    """Decode into given memory, which OpenCV does from a file only: from one in memory, if the system has such."""
    if not hasattr(os, "memfd_create"):
        return None
    with suppress(cv2.error, OSError), os.fdopen(os.memfd_create("picture"), "wb") as file:
        file.write(data)
        file.flush()
        return cv2.imread(f"/proc/self/fd/{file.fileno()}", into, flags)
    return None


def load_image(path: Path | str) -> Image:
    """Read a picture file as `decode_image` does; above 25 megapixels at half size. Raises `BadFrameError`."""
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
    """Return why a live frame cannot show a table (wrong shape, black, one even colour, noise), or None if it may."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:  # noqa: PLR2004
        return Sentence("The camera sends pictures in an unknown format: choose another camera or another format.")
    height, width = image.shape[:2]
    if min(height, width) < LEAST_LIVE_SIDE:
        return Sentence(
            "The picture is only {width}x{height}: set the camera to 640x480 or more.", width=width, height=height
        )
    sample = _sample(image)
    if _brightest(sample) < BLACK_BELOW:
        return Sentence("The picture is black: take the cover off the camera, or switch on a light.")
    if float(sample.std(axis=(0, 1)).max()) < EVEN_BELOW:
        return Sentence("The picture is one even colour: check the camera and its cable.")
    if _is_noise(image):
        return Sentence("The picture is nothing but noise: check the camera and its cable.")
    return None


def too_dark(image: Image) -> Sentence | None:
    """Return what to do about a picture that could not be read, if it has so little light that this may be why."""
    if _brightest(_sample(image)) >= DARK_BELOW:
        return None
    return Sentence("The picture is too dark to read the dice: switch on a light over the table.")


def _sample(image: Image) -> Image:
    """Return about 160 times 90 of a picture's pixels."""
    height, width = image.shape[:2]
    return image[:: max(1, height // 90), :: max(1, width // 160)]


def _brightest(sample: Image) -> float:
    """Return how bright the picture's brightest places are, from 0 to 255; single hot pixels do not count."""
    return float(np.percentile(sample, 99.5))


def _is_noise(image: Image) -> bool:
    """Return whether neighbouring pixels are uncorrelated in three places of the picture."""
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


def as_jpeg(image: Image, widest: int, quality: int) -> bytes:
    """Encode a BGR picture as JPEG of this quality (1 to 100), reduced if it is wider than ``widest`` pixels."""
    width = image.shape[1]
    if width > widest:
        scale = widest / width
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done, "a picture of bytes can always be encoded"
    return data.tobytes()
