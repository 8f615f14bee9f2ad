"""Turn the frame that a capture has grabbed into a picture, if it is no larger than a table needs."""

import cv2
import numpy as np

from companion.language.sentence import Sentence
from companion.vision.images import MOST_LIVE_PIXELS
from companion.vision.readings import Image
from companion.vision.sources.capture import Capture
from companion.vision.sources.source import SourceBrokenError


def picture_of(capture: Capture) -> Image | None:
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
    done, image = capture.retrieve()
    if not done or image is None or image.size == 0:
        return None
    if image.ndim == 2:  # noqa: PLR2004  a grey camera
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    return np.ascontiguousarray(image, dtype=np.uint8)
