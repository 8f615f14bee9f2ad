"""The lines that a board sends: every message arrives, and rubbish is no message."""

from functools import reduce
from operator import xor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocols.uplink import (
    LONGEST_LINE,
    Button,
    Hello,
    LineReader,
    Message,
    Refused,
    Shown,
    Squares,
    answer,
)
from tests.firmware_bridge.simulated.firmware import encode

BYTE = st.integers(0, 255)
MESSAGES: st.SearchStrategy[Message] = st.one_of(
    st.builds(
        Hello,
        st.from_regex(r"[a-z][a-z0-9-]{0,15}", fullmatch=True),
        st.integers(0, 999),
        st.integers(0, 65535),
        st.integers(0, 99),
        st.integers(0, 64),
    ),
    st.builds(Shown, BYTE),
    st.builds(Refused, st.sampled_from("CLTO")),
    st.builds(Button, BYTE, st.integers(0, 99), st.booleans()),
    st.builds(Squares, BYTE, st.integers(0, (1 << 64) - 1)),
)
RUBBISH = st.binary(max_size=40).map(lambda data: data.replace(b"$", b"").replace(b"*", b""))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"$HI,alea,1,128,1,64*1D\n", Hello("alea", 1, 128, 1, 64)),
        (b"$OK,17*2E\n", Shown(17)),
        (b"$NO,C*6E\n", Refused("C")),
        (b"$BT,5,0,1*0E\n", Button(5, 0, pressed=True)),
        (b"$SQ,9,ff*3B\r\n", Squares(9, 255)),
    ],
)
def test_lines_as_boards_write_them_are_understood(line: bytes, message: Message) -> None:
    assert LineReader().feed(line) == [message]


@given(st.lists(MESSAGES, max_size=8), st.data())
def test_every_message_arrives_however_the_bytes_are_cut_and_whatever_stands_between(
    messages: list[Message], data: st.DataObject
) -> None:
    wire = b"".join(data.draw(RUBBISH) + encode(message) for message in messages)
    reader, heard = LineReader(), []
    while wire:
        cut = data.draw(st.integers(1, len(wire)))
        heard += reader.feed(wire[:cut])
        wire = wire[cut:]
    assert heard == messages


@given(MESSAGES, st.data())
def test_a_line_with_one_bit_changed_is_never_another_message(message: Message, data: st.DataObject) -> None:
    damaged = bytearray(encode(message))
    damaged[data.draw(st.integers(0, len(damaged) - 2))] ^= 1 << data.draw(st.integers(0, 7))
    assert LineReader().feed(bytes(damaged)) in ([], [message])  # the case of a hex digit says nothing


@given(st.binary(max_size=3000))
def test_random_bytes_say_nothing(rubbish: bytes) -> None:
    reader = LineReader()
    assert reader.feed(rubbish) == []
    assert reader.feed(b"\n" + encode(Shown(3))) == [Shown(3)]


def test_a_line_that_never_ends_takes_no_memory() -> None:
    reader = LineReader()
    for _ in range(100):
        assert reader.feed(b"$" + b"x" * 1000) == []
    assert len(reader._open) <= LONGEST_LINE


@pytest.mark.parametrize("content", ["OK,256", "NO,X", "BT,1,0,2", "SQ,1,", "HI,Ludus,1,1,1,1", "BA,1", "OK,1,1"])
def test_a_right_checksum_does_not_make_a_message_of_wrong_fields(content: str) -> None:
    body = content.encode()
    assert LineReader().feed(b"$%b*%02X\n" % (body, reduce(xor, body))) == []


def test_the_answer_to_a_press_names_it() -> None:
    body = b"BA,200"
    assert answer(Button(200, 3, pressed=False)) == b"$%b*%02X\n" % (body, reduce(xor, body))
