"""Frames as bytes: Adalight, Awa and DDP."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocols import adalight, awa, ddp
from firmware_bridge.protocols.adalight import PixelsError

PIXELS = st.integers(1, 700).flatmap(lambda leds: st.binary(min_size=3 * leds, max_size=3 * leds))


def test_the_header_of_128_leds_counts_127() -> None:
    frame = adalight.encode(bytes(384))
    assert frame[:6] == bytes.fromhex("41 64 61 00 7F 2A")
    assert len(frame) == 390


def test_the_header_of_300_leds_has_a_high_byte() -> None:
    assert adalight.encode(bytes(900))[:6] == bytes.fromhex("41 64 61 01 2B 7F")


@given(PIXELS)
def test_a_device_reads_from_adalight_what_was_sent(pixels: bytes) -> None:
    frame = adalight.encode(pixels)
    high, low, check = frame[3:6]
    assert check == high ^ low ^ 0x55
    count = 256 * high + low + 1
    assert frame[6 : 6 + 3 * count] == pixels
    assert len(frame) == 6 + 3 * count


@given(PIXELS)
def test_a_device_finds_the_checks_of_awa_right(pixels: bytes) -> None:
    frame = awa.encode(pixels)
    assert frame[:3] == b"Awa"
    assert frame[3:-3] == adalight.encode(pixels)[3:]
    assert frame[-3:] == bytes(checks_as_a_device_sums_them(pixels))


@given(PIXELS, st.data())
def test_awa_notices_every_byte_that_is_changed_by_one_bit(pixels: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(pixels) - 1))
    damaged = bytearray(pixels)
    damaged[place] ^= 1 << data.draw(st.integers(0, 7))
    assert awa.checks(bytes(damaged)) != awa.checks(pixels)


def test_the_last_check_of_awa_is_never_the_letter_that_begins_a_frame() -> None:
    pixels = next(bytes([0, 0, third]) for third in range(256) if (0 + 1 + (third ^ 2)) % 255 == ord("A"))
    assert awa.checks(pixels)[2] == 0xAA


def test_the_hello_of_awa_begins_no_frame() -> None:
    high, low, check = awa.HELLO[3:]
    assert check != high ^ low ^ 0x55


@pytest.mark.parametrize("pixels", [b"", b"ab", bytes(3 * 65537)])
def test_pixels_that_are_no_frame_are_refused(pixels: bytes) -> None:
    for encode in (adalight.encode, awa.encode):
        with pytest.raises(PixelsError, match=f"but got {len(pixels)} bytes"):
            encode(pixels)


@given(PIXELS, st.integers(0, 1000))
def test_ddp_packets_join_to_the_frame_and_only_the_last_shows_it(pixels: bytes, sequence: int) -> None:
    sent = list(ddp.packets(pixels, sequence))
    buffer = bytearray(len(pixels))
    for packet in sent:
        flags, number, kind, to, offset, length = struct.unpack(">BBBBIH", packet[:10])
        assert flags == (0x41 if packet is sent[-1] else 0x40)
        assert 1 <= number <= 15
        assert (kind, to) == (0x0B, 1)
        assert length == len(packet) - 10 <= 1440
        buffer[offset : offset + length] = packet[10:]
    assert buffer == pixels


def test_a_late_ddp_frame_is_told_from_the_next_by_its_number() -> None:
    numbers = [next(ddp.packets(b"rgb", frame))[1] for frame in range(16)]
    assert numbers == [*range(1, 16), 1]


def checks_as_a_device_sums_them(pixels: bytes) -> tuple[int, int, int]:
    """Sum byte by byte, with the small numbers that a small chip has."""
    first = second = mixed = position = 0
    for byte in pixels:
        first = (first + byte) % 255
        second = (second + first) % 255
        mixed = (mixed + (byte ^ position)) % 255
        position = (position + 1) % 256
    return first, second, 0xAA if mixed == ord("A") else mixed
