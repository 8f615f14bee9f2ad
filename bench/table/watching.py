"""The cost of the whole server watching an idle table: a real network camera, 1280x720, 15 frames per second."""

import argparse
import itertools
import json
import os
import re
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

import cv2
import numpy as np

from bench.page.pages import memory_mb
from bench.page.served import COMPANION
from tests.live.labelled import SAMPLE
from tests.vision.mjpeg_server import MjpegServer

MATCH = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "options": {}, "dice_by": "camera"}


def noisy_pictures(count: int = 12) -> list[bytes]:
    """Return JPEGs of the same still dice, each with its own camera noise."""
    picture = cv2.imread(str(next(iter(sorted(SAMPLE.glob("*_still.jpg"))))))
    assert picture is not None
    still = cv2.resize(picture, (1280, 960), interpolation=cv2.INTER_AREA)[120:840]
    rng = np.random.default_rng(1)
    noisy = [np.clip(still + rng.normal(0, 2, still.shape), 0, 255).astype(np.uint8) for _ in range(count)]
    return [cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes() for image in noisy]


def cpu_seconds(pid: int) -> float:
    """Return the processor time that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print the share of one core and the memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    pictures = itertools.cycle(noisy_pictures())
    camera = MjpegServer(lambda: next(pictures), fps=15)
    with tempfile.TemporaryDirectory() as folder:
        command = [COMPANION, "serve", "--camera", camera.address, "--port", "0", "--journal", f"{folder}/match.db"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            address = next(m[0] for line in server.stdout if (m := re.search(r"http://[\w.:]+", line)))
            request = urllib.request.Request(
                f"{address}/api/command/new_match", json.dumps(MATCH).encode(), {"Content-Type": "application/json"}
            )
            with urllib.request.urlopen(request, timeout=10) as answer:
                answer.read()
            time.sleep(6)  # until the dice have been read once and everything is warm
            before, begun = cpu_seconds(server.pid), time.monotonic()
            time.sleep(given.seconds)
            used, passed = cpu_seconds(server.pid) - before, time.monotonic() - begun
            with urllib.request.urlopen(f"{address}/api/state", timeout=10) as answer:
                status = json.load(answer)["camera"]["status"]
            memory = memory_mb(server.pid)
            server.terminate()
    camera.close()
    print(
        json.dumps(
            {
                "size": "1280x720",
                "frames_a_second": 15,
                "seconds": round(passed, 1),
                "camera": status,
                "percent_of_a_core": round(100 * used / passed, 1),
                "rss_mb": round(memory),
            }
        )
    )


if __name__ == "__main__":
    main()
