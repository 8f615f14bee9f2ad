"""Faults of cameras, made on purpose at a running table: each is one sentence, and the next camera works at once."""

import http.server
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.vision import stillness
from companion.vision.images import load_image
from companion.vision.readings import Image
from tests.browser.filmed_match import picture, script
from tests.commands.test_serve_settings import Running
from tests.vision.mjpeg_server import MjpegServer

PATIENCE = 60.0  # seconds on a busy machine


@cache
def good() -> Image:
    """Return a picture that has no fault."""
    grain = np.random.default_rng(3).integers(60, 190, (480, 640, 3), np.uint8)
    return np.asarray(cv2.GaussianBlur(grain, (9, 9), 0), np.uint8)


def jpeg(image: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", image)[1])


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    made = Running(tmp_path_factory.mktemp("table"))
    yield made
    made.host.table.stop()


@pytest.fixture
def address() -> Iterator[Callable[[int, bytes], str]]:
    """Return a maker of addresses that answer everything with a status and a body."""
    made: list[http.server.ThreadingHTTPServer] = []

    def answering(status: int, body: bytes) -> str:
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        made.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/video"

    yield answering
    for server in made:
        server.shutdown()
        server.server_close()


def wait_for(running: Running, wanted: str, status: str | None = None) -> dict[str, Any]:
    """Wait until the camera's one sentence says this."""
    end = time.monotonic() + PATIENCE
    while True:
        camera: dict[str, Any] = running.state()["camera"]
        if wanted in camera["sentence"]["text"] and status in (None, camera["status"]):
            return camera
        assert time.monotonic() < end, camera["sentence"]["text"]
        time.sleep(0.1)


def recovers(running: Running) -> None:
    """A good camera is used in place of the faulty one, without a restart."""
    camera = MjpegServer(lambda: jpeg(good()))
    try:
        assert running.post("/api/cameras/use", camera=camera.address)[0] == 200
        wait_for(running, "sees the table", "LIVE")
    finally:
        camera.close()


@pytest.mark.parametrize(
    ("picture", "sentence"),
    [
        (lambda: np.zeros((480, 640, 3), np.uint8), "The picture is black: take the cover off"),
        (
            lambda: np.full((480, 640, 3), 128, np.uint8),
            "The picture is one even colour: check the camera and its cable.",
        ),
        (
            lambda: np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8),
            "The picture is nothing but noise: check the camera and its cable.",
        ),
        (lambda: good()[:100, :100], "set the camera to 640x480 or more"),
        (lambda: cv2.resize(good(), (8000, 6000)), "megapixel"),
    ],
)
def test_pictures_that_show_no_table_are_refused_by_network_and_by_page(
    running: Running, picture: Callable[[], Image], sentence: str
) -> None:
    assert running.post("/api/cameras/use", camera="push")[0] == 200
    refused = running.owner.post("/api/frames", data=jpeg(picture()), content_type="image/jpeg")
    assert refused.status_code == 409
    assert sentence in refused.get_json()["error"]
    wait_for(running, sentence)
    assert running.owner.post("/api/frames", data=jpeg(good()), content_type="image/jpeg").status_code == 204
    wait_for(running, "sees the table", "LIVE")
    if sentence == "megapixel":
        return
    camera = MjpegServer(lambda: jpeg(picture()))
    try:
        assert running.post("/api/cameras/use", camera=camera.address)[0] == 200
        wait_for(running, sentence)
    finally:
        camera.close()
    recovers(running)


@pytest.mark.parametrize(
    ("body", "kind", "status", "sentence"),
    [
        (jpeg(good())[:2000], "image/jpeg", 409, "damaged"),
        (b"<html>no picture</html>", "image/jpeg", 409, "picture"),
        (jpeg(good()), "text/plain", 415, "image/jpeg, but got text/plain."),
    ],
)
def test_what_is_no_picture_is_refused_and_the_next_one_is_taken(
    running: Running, body: bytes, kind: str, status: int, sentence: str
) -> None:
    assert running.post("/api/cameras/use", camera="push")[0] == 200
    refused = running.owner.post("/api/frames", data=body, content_type=kind)
    assert (refused.status_code, sentence in refused.get_json()["error"]) == (status, True), refused.get_json()
    assert running.owner.post("/api/frames", data=jpeg(good()), content_type="image/jpeg").status_code == 204


@pytest.mark.parametrize(("status", "body"), [(404, b"nothing"), (401, b"password"), (200, b"<html>a page</html>")])
def test_an_address_without_a_camera_says_so(
    running: Running, address: Callable[[int, bytes], str], status: int, body: bytes
) -> None:
    assert running.post("/api/cameras/use", camera=address(status, body))[0] == 200
    wait_for(running, "No camera answers at", "LOST")
    recovers(running)


def test_a_camera_that_goes_away_is_told_and_comes_back_by_itself(running: Running) -> None:
    camera = MjpegServer(lambda: jpeg(good()))
    port = int(camera.address.rsplit(":", 1)[1].split("/")[0])
    assert running.post("/api/cameras/use", camera=camera.address)[0] == 200
    wait_for(running, "sees the table", "LIVE")
    camera.close()
    wait_for(running, "check", "LOST")
    again = MjpegServer(lambda: jpeg(good()), port=port)
    try:
        wait_for(running, "sees the table", "LIVE")
    finally:
        again.close()


def test_a_page_that_stops_sending_is_told_and_comes_back_by_itself(running: Running) -> None:
    assert running.post("/api/cameras/use", camera="push")[0] == 200
    wait_for(running, "Waiting for the first picture", "STARTING")
    assert running.owner.post("/api/frames", data=jpeg(good()), content_type="image/jpeg").status_code == 204
    wait_for(running, "No new picture comes from", "STALE")
    assert running.owner.post("/api/frames", data=jpeg(good()), content_type="image/jpeg").status_code == 204
    wait_for(running, "sees the table", "LIVE")


@pytest.mark.parametrize("spec", ["/no/such/file.mp4", "rtsp://", "http://[broken", "camera one"])
def test_what_names_no_camera_is_refused_before_the_camera_in_use_is_let_go(running: Running, spec: str) -> None:
    recovers(running)
    before = running.state()["dice_camera"]
    status, error = running.post("/api/cameras/use", camera=spec)
    assert (status, error.startswith("Expected")) == (409, True), error
    assert running.state()["dice_camera"] == before


def test_files_without_pictures_say_so(running: Running, tmp_path: Path) -> None:
    empty, torn = tmp_path / "empty", tmp_path / "torn.mp4"
    empty.mkdir()
    torn.write_bytes(b"no video at all")
    for spec in (empty, torn):
        assert running.post("/api/cameras/use", camera=str(spec))[0] == 200
        camera = wait_for(running, ".", "LOST")
        assert camera["sentence"]["text"].count(". ") == 0, "one sentence"
    recovers(running)


def test_a_device_that_is_not_there_says_so(running: Running) -> None:
    assert running.post("/api/cameras/use", camera="/dev/video97")[0] == 200
    wait_for(running, "There is no camera at /dev/video97: plug it in, or name another.", "LOST")
    recovers(running)


def test_dice_are_read_upside_down_and_again_when_the_light_comes_back(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stillness, "ABSORB_SECONDS", 3600.0)  # a light that changes is not waited for as a hand is
    assert running.post("/api/cameras/use", camera="push")[0] == 200
    match = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "dice_by": "camera"}
    assert running.owner.post("/api/command/new_match", json=match).status_code == 200
    timeline = script("ludus-regularis")["timeline"]
    still = next(one["image"] for one in timeline if one["phase"] == "still")
    empty, dice = (load_image(picture("ludus-regularis", one))[::-1, ::-1] for one in (timeline[0]["image"], still))
    unread = "The picture is too dark to read the dice: switch on a light over the table."
    black = "The picture is black: take the cover off the camera, or switch on a light."
    for image, light, wanted in (
        (empty, 1.0, "sees the table"),
        (dice, 0.08, unread),
        (dice, 0.03, black),
        (dice, 0.08, unread),
        (dice, 1.0, "sees the table"),
    ):
        until_said(running, jpeg((image * light).astype(np.uint8)), wanted)
    faces = [die["face"] for die in running.state()["reading"]["dice"]]
    assert sorted(faces) == sorted(script("ludus-regularis")["casts"][0]["faces"].values())


def until_said(running: Running, picture: bytes, wanted: str) -> None:
    """Send this picture again and again, as a page does, until the table has looked and says this of its camera."""
    end = time.monotonic() + PATIENCE
    while True:
        taken = running.owner.post("/api/frames", data=picture, content_type="image/jpeg").status_code == 204
        state = running.state()
        if wanted in state["camera"]["sentence"]["text"] and (not taken or state["reading"] is not None):
            return
        assert time.monotonic() < end, state["camera"]["sentence"]["text"]
        time.sleep(0.15)
