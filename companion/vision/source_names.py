"""Names of the cameras whose pictures come from a browser."""

from typing import Final

PUSHED: Final = {"push": "the camera page", "phone": "the phone"}
"""The camera page of any device, and a phone that a code admits."""

MIRROR: Final = "mirror:"
"""Before the name of any source: its pictures are mirrored, and are turned back."""
