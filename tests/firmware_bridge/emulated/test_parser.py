"""The firmware's parser, the very source compiled for this computer: what must hold for all bytes that can come."""

import ctypes
import re
import subprocess
from collections.abc import Callable, Iterator
from enum import IntEnum
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from firmware_bridge.protocols import adalight, awa
from firmware_bridge.protocols.uplink import Button, answer
from tests.firmware_bridge.emulated import damage
from tests.firmware_bridge.emulated.workshop import Workshop

LEDS = 6
Encode = Callable[[bytes], bytes]


class AuditAnswers(IntEnum):
    """The events of frame.h, in its order."""

    NOTHING = 0
    READY = 1
    HELLO = 2
    ANSWER = 3
    BAD_CHECKSUM = 4
    TOO_LONG = 5


class Parser:
    """frame.c, at its beginning."""

    def __init__(self, workshop: Workshop) -> None:
        self._library = ctypes.CDLL(str(workshop.parser(LEDS)))
        self._library.frame_take.restype = ctypes.c_uint8
        self._library.frame_take_colours.restype = ctypes.c_uint8
        self._library.frame_silence.restype = ctypes.c_bool
        self._library.frame_lost.restype = ctypes.c_bool
        self._colours = (ctypes.c_uint8 * (3 * LEDS)).in_dll(self._library, "frame_colours")
        self._answered = ctypes.c_uint8.in_dll(self._library, "frame_answered")

    def restart(self) -> "Parser":
        self.silence()
        return self

    def silence(self) -> bool:
        return bool(self._library.frame_silence())

    def lost(self) -> bool:
        return bool(self._library.frame_lost())

    def take(self, data: bytes) -> Iterator[tuple[AuditAnswers, bytes | int | None]]:
        """Take bytes one by one; yield what comes of them."""
        for byte in data:
            yield from self._one(byte)

    def take_at_once(self, data: bytes, most: int) -> Iterator[tuple[AuditAnswers, bytes | int | None]]:
        """Take bytes as the firmware does: as many colours at once as there are, ``most`` at the most."""
        while data:
            piece = data[:most]
            taken = self._library.frame_take_colours(piece, len(piece))
            if not taken:
                yield from self._one(data[0])
            data = data[taken or 1 :]

    def _one(self, byte: int) -> Iterator[tuple[AuditAnswers, bytes | int | None]]:
        stated = AuditAnswers(self._library.frame_take(byte))
        if stated is AuditAnswers.READY:
            grb = bytes(self._colours)
            yield stated, bytes(grb[3 * led + part] for led in range(LEDS) for part in (1, 0, 2))
        elif stated is AuditAnswers.ANSWER:
            yield stated, self._answered.value
        elif stated is not AuditAnswers.NOTHING:
            yield stated, None


@pytest.fixture(scope="module")
def parser(workshop: Workshop) -> Parser:
    return Parser(workshop)


encoders = st.sampled_from([adalight.encode, awa.encode])
pictures = st.binary(min_size=1, max_size=LEDS).map(lambda some: (some * 3)[: 3 * len(some)])
whole = st.binary(min_size=3 * LEDS, max_size=3 * LEDS)
# pieces of all that it understands, so that what is nearly right comes often
pieces = st.sampled_from(
    [b"A", b"d", b"w", b"a", b"Ada", b"Awa\x00", b"$", b"BA,", b"*", b"\n", b"\x00\x05P", awa.HELLO]
)
rubbish = st.lists(pieces | st.binary(max_size=8), max_size=20).map(b"".join)


@given(rubbish=rubbish, pixels=pictures, encode=encoders)
def test_after_any_rubbish_and_a_silence_a_frame_is_understood(
    parser: Parser, rubbish: bytes, pixels: bytes, encode: Encode
) -> None:
    list(parser.restart().take(rubbish))
    parser.silence()
    assert list(parser.take(encode(pixels))) == [(AuditAnswers.READY, pixels + bytes(3 * LEDS - len(pixels)))]


@given(rubbish=rubbish, pixels=whole, encode=encoders)
def test_rubbish_that_holds_no_header_hides_none(parser: Parser, rubbish: bytes, pixels: bytes, encode: Encode) -> None:
    sent = rubbish + encode(pixels)
    assume(not re.search(b"A[dw]a", sent[: len(rubbish) + 2]))
    stated = list(parser.restart().take(sent))
    assert stated[-1] == (AuditAnswers.READY, pixels)
    assert all(what is AuditAnswers.ANSWER for what, _ in stated[:-1])


@given(pixels=whole, bit=st.integers(0, 8 * (3 * LEDS + 9) - 1))
def test_an_awa_frame_with_a_flipped_bit_is_never_ready(parser: Parser, pixels: bytes, bit: int) -> None:
    frame = bytearray(awa.encode(pixels))
    frame[bit // 8] ^= 1 << bit % 8
    assert AuditAnswers.READY not in [what for what, _ in parser.restart().take(bytes(frame))]


@given(frames=st.lists(st.tuples(encoders, whole) | rubbish, max_size=6), most=st.integers(1, 60))
def test_taking_many_colours_at_once_is_taking_them_one_by_one(
    parser: Parser, frames: list[tuple[Encode, bytes] | bytes], most: int
) -> None:
    sent = b"".join(frame if isinstance(frame, bytes) else frame[0](frame[1]) for frame in frames)
    one_by_one = list(parser.restart().take(sent))
    assert list(parser.restart().take_at_once(sent, most)) == one_by_one


@given(number=st.integers(0, 255), place=st.integers(0, 10), flip=st.integers(0, 255))
def test_an_answer_is_heard_and_a_damaged_one_is_not(parser: Parser, number: int, place: int, flip: int) -> None:
    right = answer(Button(number, 0, pressed=True))
    assert list(parser.restart().take(right)) == [(AuditAnswers.ANSWER, number)]
    place %= len(right)
    wrong = right[:place] + bytes((right[place] ^ flip,)) + right[place + 1 :]
    assume(wrong.upper() != right)  # hexadecimal digits may be small
    assert not list(parser.restart().take(wrong))


@given(leds=st.integers(LEDS + 1, 1024), encode=encoders, following=whole)
def test_a_frame_that_is_too_long_is_passed_over_whole(
    parser: Parser, leds: int, encode: Encode, following: bytes
) -> None:
    inside = (adalight.encode(following) * 200)[: 3 * leds]
    stated = list(parser.restart().take(encode(inside) + encode(following)))
    assert stated == [(AuditAnswers.TOO_LONG, None), (AuditAnswers.READY, following)]


@given(leds=st.integers(1025, 65536), following=whole)
def test_a_header_beyond_belief_skips_nothing(parser: Parser, leds: int, following: bytes) -> None:
    header = adalight.header(b"Ada", bytes(3 * leds))
    stated = list(parser.restart().take(header + adalight.encode(following)))
    assert stated == [(AuditAnswers.TOO_LONG, None), (AuditAnswers.READY, following)]


@given(pixels=whole, encode=encoders, place=st.integers(6, 3 * LEDS + 5))
def test_a_frame_cut_short_is_given_up_in_silence_and_only_then(
    parser: Parser, pixels: bytes, encode: Encode, place: int
) -> None:
    frame = encode(pixels)
    assert not list(parser.restart().take(frame[:place]))
    assert parser.silence()
    assert not parser.silence()
    assert list(parser.take(frame)) == [(AuditAnswers.READY, pixels)]


@given(pixels=whole, encode=encoders, place=st.integers(0, 3 * LEDS + 5))
def test_lost_bytes_are_told_once_until_a_header_comes(
    parser: Parser, pixels: bytes, encode: Encode, place: int
) -> None:
    frame = encode(pixels)
    list(parser.restart().take(frame[:place]))
    assert parser.lost()
    assert not parser.lost()
    assert list(parser.take(frame)) == [(AuditAnswers.READY, pixels)]
    assert parser.lost()


@pytest.mark.parametrize("leds", [1, LEDS, 200])
def test_no_bytes_make_it_touch_what_is_not_its_own(workshop: Workshop, leds: int) -> None:
    chance = Random(leds)
    made = [adalight.encode, awa.encode]
    sent = b"".join(
        damage.rubbish(chance, chance.randrange(1, 200))
        + chance.choice(made)(chance.randbytes(3 * chance.randrange(1, 2 * leds + 2)))
        for _ in range(1500)
    )
    done = subprocess.run([workshop.guarded_parser(leds)], input=sent, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert int(done.stdout.split()[AuditAnswers.READY]) > 300
