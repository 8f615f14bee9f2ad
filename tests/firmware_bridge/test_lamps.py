"""Two lamps: strips that take WLED's JSON by HTTP, strips that fail, and words that name no lamps."""

import threading
from collections.abc import Iterator

import pytest

from firmware_bridge.lamps import BOTH, Lamp, LampError, Lamps, UnknownLampsError, lamps_of
from tests.firmware_bridge.test_ddp import nobody
from tests.firmware_bridge.waiting import until
from tests.firmware_bridge.wled_strip import WledStrip

LONG = 20.0  # seconds: an answer by loopback comes at once, but the machine may be busy


@pytest.fixture
def strips() -> Iterator[tuple[WledStrip, WledStrip]]:
    pair = WledStrip(), WledStrip(2)
    yield pair
    for strip in pair:
        strip.close()


@pytest.fixture
def lamps(strips: tuple[WledStrip, WledStrip]) -> Iterator[Lamps]:
    made = lamps_of(",".join(f"wled://127.0.0.1:{strip.port}" for strip in strips))
    yield made
    made.stop()


def test_each_strip_shines_alone_and_then_both(strips: tuple[WledStrip, WledStrip], lamps: Lamps) -> None:
    lamps.start()
    for lit in ((True, False), (False, True), BOTH):
        lamps.light(lit, LONG)
        assert tuple(strip.shines() for strip in strips) == lit
    assert all(entry["tt"] == 0 for strip in strips for entry in strip.asked), "a crossfade would be seen by the camera"
    assert not any("seg" in entry or "col" in entry or "bri" in entry for strip in strips for entry in strip.asked)


def test_two_segments_of_one_strip_are_switched_by_one_request(strips: tuple[WledStrip, WledStrip]) -> None:
    strip = strips[1]
    lamps = lamps_of(f"wled://127.0.0.1:{strip.port}")
    lamps.start()
    lamps.light(BOTH, LONG)
    asked = len(strip.asked)
    lamps.light((False, True), LONG)
    lamps.stop()
    assert (strip.shines(0), strip.shines(1)) == (False, True)
    assert len(strip.asked) == asked + 1


def test_both_shine_from_the_start(strips: tuple[WledStrip, WledStrip], lamps: Lamps) -> None:
    lamps.start()
    until(lambda: all(strip.shines() for strip in strips))


@pytest.mark.parametrize("answer", [b"", b"<html>a printer</html>", b"[]", b'{"error":9}'])
def test_what_is_no_wled_is_told_so(strips: tuple[WledStrip, WledStrip], lamps: Lamps, answer: bytes) -> None:
    strips[1].answers = lambda: answer
    lamps.start()
    with pytest.raises(LampError, match=r"^The device at 127\.0\.0\.1 is not a WLED strip"):
        lamps.light((True, False), LONG)


def test_a_strip_that_is_not_there_is_told_so(strips: tuple[WledStrip, WledStrip]) -> None:
    lamps = Lamps(Lamp("127.0.0.1", strips[0].port), Lamp("127.0.0.1", nobody()))
    lamps.start()
    with pytest.raises(LampError, match="does not answer"):
        lamps.light((True, False), LONG)
    lamps.stop()


def test_nobody_waits_for_a_strip_that_hangs(strips: tuple[WledStrip, WledStrip], lamps: Lamps) -> None:
    free = threading.Event()
    strips[1].answers = lambda: b'{"success":true}' if free.wait(LONG) else None
    lamps.start()
    with pytest.raises(LampError, match="does not answer"):
        lamps.light((True, False), 0.0)
    free.set()
    lamps.light(BOTH, LONG)
    assert all(strip.shines() for strip in strips)


def test_a_lost_answer_leaves_no_lamp_dark(strips: tuple[WledStrip, WledStrip], lamps: Lamps) -> None:
    lamps.start()
    lamps.light((True, False), LONG)
    answers = iter([None])
    strips[1].answers = lambda: next(answers, b'{"success":true}')
    with pytest.raises(LampError):
        lamps.light(BOTH, LONG)
    until(strips[1].shines)


@pytest.mark.parametrize(
    "words",
    [
        *("", "192.168.1.7", "http://192.168.1.7", "wled://", "wled://h/x", "wled://h/0", "wled://h:99999"),
        *("wled://a,", "wled://a,wled://b,wled://c", "wled://a,wled://a", "wled://a/0,wled://a/0"),
        "wled://a,wled://a/1",
    ],
)
def test_words_that_name_no_pair_are_refused(words: str) -> None:
    with pytest.raises(UnknownLampsError, match="Expected"):
        lamps_of(words)


def test_two_strips_and_two_segments_are_named() -> None:
    assert lamps_of("wled://a, wled://b:81").pair == (Lamp("a"), Lamp("b", 81))
    assert lamps_of("wled://a").pair == (Lamp("a", 80, 0), Lamp("a", 80, 1))
    assert lamps_of("wled://a/2,wled://b").pair == (Lamp("a", 80, 2), Lamp("b"))
