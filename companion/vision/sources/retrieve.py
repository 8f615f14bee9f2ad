"""Turn the frame that a capture has grabbed into a picture, if it is no larger than a table needs."""

import sys
from typing import Final

import cv2
import numpy as np

from companion.language.sentence import Sentence
from companion.vision.images import MOST_LIVE_PIXELS, decode_image
from companion.vision.readings import Image
from companion.vision.sources.capture import Capture
from companion.vision.sources.source import SourceBrokenError

MJPG: Final = cv2.VideoWriter.fourcc(*"MJPG")

MOST_REUSED: Final = 4
"""So many pictures take turns while nothing happens: one is painted, one waits, and others are watched."""

_ALONE: Final = [object()]
_HAS_NOBODY: Final = sys.getrefcount(_ALONE[0])
"""The references to something that only a list has, as `sys.getrefcount` counts them."""


class PictureMemory:
    """The memory of one camera's pictures, used again for the next when nobody has a picture or a part of it any more.

    New memory for each of 15 pictures a second, megabytes each, would leave holes between all that lives longer, and
    what keeps one small thing in such a hole makes the process grow.
    """

    def __init__(self) -> None:
        self._pictures: list[Image] = []

    def free(self) -> Image | None:
        """Return a picture that nobody has any more, to be painted over; None if there is none."""
        pictures = self._pictures
        return next((pictures[at] for at in range(len(pictures)) if sys.getrefcount(pictures[at]) == _HAS_NOBODY), None)

    def keep(self, picture: Image) -> None:
        """Use the memory of this picture again some day, and none of another size."""
        if any(one is picture for one in self._pictures):
            return
        self._pictures = [one for one in self._pictures if one.shape == picture.shape][-(MOST_REUSED - 1) :]
        self._pictures.append(picture)


def picture_of(capture: Capture, memory: PictureMemory) -> Image | None:
    """Decode the frame that was grabbed to BGR, or None.

    Raises:
        SourceBrokenError: it is too large. A camera may change its size in any frame, so each one is checked.
    """
    width, height = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
    if width * height > MOST_LIVE_PIXELS:
        raise SourceBrokenError(
            Sentence(
                "The camera sends pictures of {width}x{height}: set it to at most {most} megapixels.",
                width=width,
                height=height,
                most=MOST_LIVE_PIXELS // 1_000_000,
            )
        )
    done, image = capture.retrieve(memory.free())
    if not done or image is None or image.size == 0:
        return None
    if image.ndim == 2:  # noqa: PLR2004  a grey camera
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    picture = np.ascontiguousarray(image, dtype=np.uint8)
    memory.keep(picture)
    return picture


def leave_undecoded(capture: Capture) -> bool:
    """Ask a stream of JPEG for its bytes, before its first frame; return whether it gives them.

    FFmpeg decodes each frame that it takes, wanted or not. H.264 needs that, JPEG does not.
    """
    return int(capture.get(cv2.CAP_PROP_FOURCC)) == MJPG and capture.set(cv2.CAP_PROP_FORMAT, -1)


def picture_of_jpeg(capture: Capture, memory: PictureMemory) -> Image | None:
    """Decode the JPEG that was grabbed to BGR; None if there is none.

    Raises:
        BadFrameError: it is damaged or too large.
    """
    done, jpeg = capture.retrieve()
    if not done or jpeg is None:
        return None
    picture = decode_image(jpeg.tobytes(), live=True, into=memory.free())
    memory.keep(picture)
    return picture
