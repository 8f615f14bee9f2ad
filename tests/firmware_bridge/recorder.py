"""A transport that keeps every frame."""

from firmware_bridge.frame import LedFrame
from firmware_bridge.transport import Transport


class Recorder(Transport):
    name = "recorder"

    def __init__(self) -> None:
        self.frames: list[LedFrame] = []
        self.closed = False

    def send(self, frame: LedFrame) -> None:
        self.frames.append(frame)

    def close(self) -> None:
        self.closed = True
