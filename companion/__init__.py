"""Alea: a companion beside a real table that reads the dice, referees the game and shows the page."""

import os

# The decoder's own bound, beside the checks of companion.vision.picture_header: OpenCV reads it when it is loaded.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "50000000")
