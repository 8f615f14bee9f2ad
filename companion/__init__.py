"""Alea: a companion beside a real table that reads the dice, referees the game and shows the page."""

import os

# The decoder's own bound, beside the checks of companion.vision.picture_header: OpenCV reads it when it is loaded.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "50000000")

# ONNX Runtime reports to its maker and keeps a lasting number of this computer, unless it reads this when it is loaded.
# The program sends nothing, so no other value of the owner's counts (docs/security.md, tests/test_sends_nothing.py).
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
