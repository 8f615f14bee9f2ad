"""A camera's address: what is refused, what is never shown, and cameras that are slow or give single pictures."""

import itertools
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.commands import doctor
from companion.language.sentence import Sentence
from companion.vision import sources
from companion.vision.images import decode_image
from companion.vision.readings import Image
from companion.vision.sources import address, first_picture, grabbed, open_source
from companion.vision.sources.address import AddressGrabber, shown_address
from companion.vision.sources.capture import Thinning
from companion.vision.sources.grabbed import GrabbedSource, Waiter
from companion.vision.sources.retrieve import MOST_REUSED
from companion.vision.sources.source import SourceBrokenError, SourceError, SourceState, UnknownSourceError

from .mjpeg_server import MjpegServer
from .test_sources import Camera, drawn_pictures, jpeg, running, until

LARGE = np.full((960, 1280, 3), 90, np.uint8)
LARGE[300:500, 400:700] = (20, 160, 220)
SECRETS = ("geheim", "p#ss", "p/ss", "p?ss", "p@ss", "12?34", "1#2@3", "[", "a b")


@contextmanager
def camera(*, fps: float = 20.0, single: bool = False, always: bytes | None = None) -> Iterator[MjpegServer]:
    sent = itertools.cycle([jpeg(picture) for picture in drawn_pictures()] if always is None else [always])
    server = MjpegServer(lambda: next(sent), fps, single=single)
    try:
        yield server
    finally:
        server.close()


def taken(number: int, sent: bytes | None = None) -> Iterator[Image]:
    """Yield so many pictures of a camera on the network, which sends always the same JPEG if one is given."""
    with camera(fps=200, always=sent) as server:
        thinning = Thinning()
        grabber = AddressGrabber(server.address, thinning=thinning)
        while number:
            picture = grabber.grab(lambda _: False)
            number -= picture is not None
            if picture is not None:
                thinning.take()
                yield picture
            del picture
        grabber.close()


@pytest.mark.parametrize("large", [False, True])
def test_the_picture_is_that_of_the_same_jpeg_in_a_file(*, large: bool) -> None:
    sent = jpeg(LARGE if large else drawn_pictures()[0])
    assert all(np.array_equal(shown, decode_image(sent)) for shown in taken(5, sent))


def test_a_camera_whose_jpeg_has_no_end_mark_is_seen_all_the_same() -> None:
    sent = jpeg(drawn_pictures()[0])
    assert sent.endswith(b"\xff\xd9")
    pictures = list(taken(3, sent[:-2]))
    assert np.abs(pictures[-1].astype(int) - drawn_pictures()[0]).mean() < 3


def place(picture: Image) -> int:
    return int(picture.__array_interface__["data"][0])


def test_a_picture_of_which_somebody_has_a_part_is_not_painted_over() -> None:
    parts, as_they_came = [], []
    for picture in taken(3 * MOST_REUSED):
        parts.append(picture[::2, 5:])
        as_they_came.append(picture[::2, 5:].copy())
        del picture
    assert len({*map(place, parts)}) == len(parts)
    assert all(np.array_equal(one, other) for one, other in zip(parts, as_they_came, strict=True))
    assert len({one.tobytes() for one in parts}) > 1


def test_the_memory_of_a_picture_that_nobody_has_gets_the_next_one() -> None:
    places = []
    for picture in taken(30):
        places.append(place(picture))
        del picture
    assert len({*places}) <= 2


@pytest.mark.parametrize("scheme", ["rtsp", "http", "RTSPS"])
@pytest.mark.parametrize("secret", SECRETS[1:])
def test_an_address_whose_password_needs_escaping_is_refused_without_it(scheme: str, secret: str) -> None:
    with pytest.raises(UnknownSourceError, match="%23 %2F %3F %40") as refused:
        open_source(f"{scheme}://admin:{secret}@127.0.0.1:554/stream")
    assert secret not in str(refused.value)


@pytest.mark.parametrize("host", ["127.0.0.1:99999", "127.0.0.1:x", "[::1", "", ":80", "a\tb", "\0", "a b"])
def test_an_address_that_cannot_be_parsed_is_refused_in_one_sentence(host: str) -> None:
    with pytest.raises(UnknownSourceError, match="cannot be parsed"):
        open_source(f"http://{host}/video")


@pytest.mark.parametrize("spec", ["~nobody-has-this-name/a", "x" * 5000, "a\0b"])
def test_a_path_that_no_system_takes_is_refused_in_one_sentence(spec: str) -> None:
    with pytest.raises(UnknownSourceError, match="Expected a camera such as 0"):
        open_source(spec)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize(
    "spec",
    [
        "rtsp://admin:{}@127.0.0.1:554/stream",
        "http://127.0.0.1/video?user=admin&password={}",
        "http://127.0.0.1/user=admin&password={}&channel=1.sdp",
        "rtsp:/admin:{}@127.0.0.1/stream",
        "admin:{}@127.0.0.1",
        "http://{}@[::1/",
    ],
)
def test_no_password_is_shown_whatever_the_address(spec: str, secret: str) -> None:
    assert secret not in shown_address(spec.format(secret))


@given(st.text(), st.sampled_from(["", "http://", "rtsp://", "rtsp://u:p@", "http://["]))
def test_any_text_can_be_shown(text: str, before: str) -> None:
    assert isinstance(shown_address(before + text), str)


@pytest.mark.parametrize(
    "spec", ["0", "/dev/video0", "video@2x.mp4", "C:/a.mp4", "http://camera:81/a/b.jpg", "http://[::1]:8080/v"]
)
def test_what_is_no_secret_is_shown(spec: str) -> None:
    assert shown_address(spec) == spec


def test_doctor_says_why_a_camera_is_dark_and_shows_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "FIRST_PICTURE_WAIT", 1.0)
    found = doctor.picture("http://admin:geheim@127.0.0.1:1/s?token=abc")
    assert "No camera answers at http://127.0.0.1:1/s" in found.message
    assert "geheim" not in str(found)
    assert "abc" not in str(found)
    assert "There is no camera at /dev/video77: plug it in" in doctor.picture("/dev/video77").message
    assert "p#ss" not in str(doctor.picture("rtsp://admin:p#ss@127.0.0.1:554/stream"))


def test_a_camera_of_single_pictures_is_asked_again_and_again(caplog: pytest.LogCaptureFixture) -> None:
    with camera(single=True) as server, running(open_source(server.address)) as source:
        number = 0
        for _ in range(5):
            frame = source.newest(number, 60)
            assert frame is not None
            assert source.state is SourceState.LIVE
            number = frame.number
        assert server.opened >= 5
        assert not caplog.records
        assert first_picture(server.address).shape == drawn_pictures()[0].shape
        assert doctor.picture(server.address).well


def test_a_camera_slower_than_the_time_out_is_slow_and_not_lost(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(address, "PATIENCE", (300, 60_000))
    monkeypatch.setattr(grabbed, "STALE_AFTER", 0.2)
    monkeypatch.setattr(grabbed, "PATIENCE_FACTOR", 100.0)
    with camera(fps=0.8) as server, running(open_source(server.address)) as source:
        slow = "sends a picture only every 1 s"
        assert until(lambda: source.state is SourceState.LIVE and slow in str(source.sentence))
        number = 0
        for _ in range(2):
            frame = source.newest(number, 60)
            assert frame is not None
            number = frame.number
            assert source.state is SourceState.LIVE
        assert server.opened <= 3
        assert not caplog.records


def test_a_camera_that_comes_and_goes_fills_no_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Flapping(Camera):
        def grab(self, wait: Waiter) -> Image | None:
            if self.number % 2:
                self.number += 1
                raise SourceBrokenError(Sentence("Trouble {number}.", number=self.number % 24))
            return super().grab(wait)

    monkeypatch.setattr(grabbed, "FIRST_BACK_OFF", 0.005)
    monkeypatch.setattr(grabbed, "LONGEST_BACK_OFF", 0.01)
    flapping = Flapping()
    with caplog.at_level(logging.WARNING), running(GrabbedSource("test", lambda: flapping)):
        assert until(lambda: flapping.number > 60)
    assert len(caplog.records) == grabbed.MOST_LOGGED


def test_a_first_picture_that_does_not_come_is_told_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "FIRST_PICTURE_WAIT", 0.5)
    with pytest.raises(SourceError, match="There is no camera at /dev/video77"):
        first_picture("/dev/video77")
