"""Chromium's fake camera with our own pictures: a film of one frame that it loops, replaced in place."""

from pathlib import Path
from typing import Any

import cv2
from playwright.sync_api import Browser

from companion.vision.images import load_image
from companion.vision.readings import Image
from tests.browser.conftest import ARGUMENTS

RATE = 10  # pictures per second; the page sends four or five of them


class ChromiumCamera:
    """The film (YUV4MPEG2) with which a browser starts, as its only camera."""

    def __init__(self, path: Path, first: Image) -> None:
        height, width = first.shape[:2]
        self._path = path
        self._head = f"YUV4MPEG2 W{width} H{height} F{RATE}:1 Ip A1:1 C420\nFRAME\n".encode()
        path.write_bytes(self._head + _planes(first))

    def show(self, image: Image) -> None:
        """Show another picture of the same size from now on: Chromium reads the file again for each frame."""
        with self._path.open("r+b") as film:
            film.seek(len(self._head))
            film.write(_planes(image))

    def film(self, path: Path) -> None:
        """Show the picture in this file."""
        self.show(load_image(path))

    def launch(self, browser: Browser, chromium: str) -> Browser:
        """Start another browser of the same kind with this camera."""
        arguments = [*ARGUMENTS, f"--use-file-for-fake-video-capture={self._path}"]
        return browser.browser_type.launch(executable_path=chromium, args=arguments)


def _planes(image: Image) -> bytes:
    planes: Any = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)
    return bytes(planes.tobytes())
