"""What cameras are called whose pictures a browser brings."""

from typing import Final

PUSHED: Final = {"push": "the camera page", "phone": "the telephone"}
"""The camera page of any device, and a telephone that was let in by a code."""
