"""A board on the network: frames by UDP, and by HTTP what it is."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random

from firmware_bridge.brightness import Brightness
from firmware_bridge.ddp_transport import DdpTransport
from firmware_bridge.driver import Driver, State
from firmware_bridge.frame import LedFrame
from tests.firmware_bridge.rig import frame
from tests.firmware_bridge.waiting import until

INFO = {"ver": "0.15.1", "leds": {"count": 600}, "name": "Wall"}


class Receiver:
    """Takes DDP as WLED does: packets fill a buffer, the push flag shows it."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(0.05)
        self.port = int(self.socket.getsockname()[1])
        self.shown = b""
        self.frames = 0
        self._buffer = bytearray(1800)
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                packet = self.socket.recv(2000)
            except TimeoutError:
                continue
            offset, length = int.from_bytes(packet[4:8]), int.from_bytes(packet[8:10])
            self._buffer[offset : offset + length] = packet[10:]
            if packet[0] & 1:
                self.shown = bytes(self._buffer[: offset + length])
                self.frames += 1

    def close(self) -> None:
        self._ending.set()
        self._thread.join()
        self.socket.close()


@contextmanager
def http(port: int = 0, count: int = 600) -> Iterator[int]:
    """Serve what a WLED board with ``count`` LEDs says of itself."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(INFO | {"leds": {"count": count}}).encode()
            self.send_response(200 if self.path == "/json/info" else 404)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def nobody() -> int:
    """Return a port at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def test_frames_of_several_packets_are_shown_and_kept_and_dark_at_the_end() -> None:
    receiver = Receiver()
    with http() as web:
        driver = Driver(DdpTransport("127.0.0.1", receiver.port, http_port=web))
        driver.start()
        shown = frame(Random(1), 600)
        driver.show(shown)
        wanted = Brightness().applied(shown.pixels())
        until(lambda: receiver.shown == wanted)
        assert str(driver.board) == "Wall (WLED 0.15.1), 600 LEDs"
        before = receiver.frames
        until(lambda: receiver.frames > before)
        driver.stop()
        until(lambda: receiver.shown == bytes(1800))
    receiver.close()


def test_a_receiver_without_http_is_taken_as_it_is() -> None:
    receiver = Receiver()
    driver = Driver(DdpTransport("127.0.0.1", receiver.port, http_port=nobody()))
    driver.start()
    shown = frame(Random(2), 10)
    driver.show(shown)
    until(lambda: receiver.shown == Brightness().applied(shown.pixels()))
    assert driver.board is None
    assert "Nothing at 127.0.0.1 says that it is an LED board" in str(driver.notice)
    driver.stop()
    receiver.close()


def test_a_board_that_left_the_network_is_told_and_waited_for() -> None:
    receiver = Receiver()
    shown = frame(Random(3), 10)
    with http() as web:
        driver = Driver(DdpTransport("127.0.0.1", receiver.port, http_port=web, check_every=0.1))
        driver.start()
        until(lambda: driver.state is State.LIVE)
    for _ in range(3000):  # it is asked while frames are sent
        driver.show(shown)
        if driver.state is State.LOST:
            break
        driver.show(LedFrame(()))
        threading.Event().wait(0.02)
    assert driver.trouble == "The LED board at 127.0.0.1 does not answer; the program keeps waiting for it."
    with http(web):
        until(lambda: driver.state is State.LIVE)
        driver.show(shown)
        until(lambda: receiver.shown == Brightness().applied(shown.pixels()))
        driver.stop()
    receiver.close()


def test_a_host_that_nobody_knows_is_told() -> None:
    driver = Driver(DdpTransport("no-such-board.invalid", http_port=nobody()))
    driver.start()
    until(lambda: driver.trouble)
    assert "The network knows no LED board no-such-board.invalid" in str(driver.trouble)
    driver.stop(60)
