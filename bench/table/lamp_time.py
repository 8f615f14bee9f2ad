"""The time that looks under two lamps take: real requests to strips on this machine, and a camera that keeps its pace.

The camera shows light as it was a picture earlier, and its automatic exposure follows in some pictures. A strip takes
20 ms for an answer, as one on Wi-Fi does.
"""

import argparse
import json
import sys
import time
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.reader.pictures import load
from companion.live.watching.lit_frames import take
from companion.vision.readings import Frame
from firmware_bridge.lamps import BOTH, lamps_of
from tests.firmware_bridge.wled_strip import WledStrip

ANSWER: float = 0.02
EXPOSURE = {"held": 1.0, "automatic": 0.5}
"""The share of the way to the right exposure that the camera goes with each picture."""


class Camera:
    """Gives pictures in real time, so many a second; their brightness is that of the lamps, levelled by exposure."""

    def __init__(self, rate: int, strips: tuple[WledStrip, WledStrip], share: float) -> None:
        self._rate, self._strips, self._share = rate, strips, share
        self._began = time.monotonic()
        self._light = self._lit()
        self._exposed = float(self._light.mean())

    def newest(self, after: int, timeout: float) -> Frame | None:
        """Wait for the next picture."""
        number = max(after, int((time.monotonic() - self._began) * self._rate)) + 1
        due = self._began + number / self._rate
        if due - time.monotonic() > timeout:
            time.sleep(max(0.0, timeout))
            return None
        time.sleep(max(0.0, due - time.monotonic()))
        picture = np.repeat(self._light[None, :, None] / self._exposed, 48, 0) * np.ones(3)
        if self._share < 1:
            self._exposed += self._share * (float(self._light.mean()) - self._exposed)
        self._light = self._lit()
        return Frame(np.clip(100 * picture, 0, 255).astype(np.uint8), due, "", number)

    def _lit(self) -> npt.NDArray[np.float64]:
        """Return the light along the table: that of the room, and each lamp's, which falls off towards the other."""
        near = np.linspace(0.7, 0.3, 64)
        one, other = (float(strip.shines()) for strip in self._strips)
        return 0.3 + one * near + other * near[::-1]


def measure(rate: int, exposure: str, number: int) -> dict[str, Any]:
    """Return milliseconds from the first switch to the first picture with both lamps lit again."""

    def answer() -> bytes:
        time.sleep(ANSWER)
        return b'{"success":true}'

    strips = WledStrip(answers=answer), WledStrip(answers=answer)
    lamps = lamps_of(",".join(f"wled://127.0.0.1:{strip.port}" for strip in strips))
    lamps.start()
    lamps.light(BOTH, 5.0)
    camera = Camera(rate, strips, EXPOSURE[exposure])
    times, failed, last = [], 0, 0
    for _ in range(number):
        first = camera.newest(last, 1.0)
        assert first is not None, "the camera keeps its pace"
        begun = time.monotonic()
        frames = take(lamps, camera.newest, first)
        last = frames.number
        times.append(1000 * (time.monotonic() - begun))
        failed += frames.after is None
    lamps.stop()
    for strip in strips:
        strip.close()
    return {
        "rate": rate,
        "exposure": exposure,
        "n": number,
        "median_ms": round(float(np.median(times))),
        "longest_ms": round(max(times)),
        "failed": failed,
    }


def main() -> int:
    """Print the times for each camera."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    cameras = [measure(rate, exposure, given.n) for rate in (15, 30) for exposure in EXPOSURE]
    print(json.dumps({"load": load(), "cameras": cameras}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
