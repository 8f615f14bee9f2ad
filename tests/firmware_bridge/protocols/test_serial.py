"""Every protocol is one record."""

import pytest

from firmware_bridge.protocols.serial import BY_NAME, SERIAL, SerialProtocol

GREETINGS = {
    "own": b"$HI,alea,1,128,1,64*1D\n",
    "awa": b"\r\nWelcome!\r\nAwa driver 9.\r\n",
    "wled": b"WLED 2505262\r\n",
    "adalight": b"Ada\n",
}


def test_what_every_kind_of_board_says_is_known_to_its_own_protocol_alone() -> None:
    assert set(GREETINGS) == {protocol.name for protocol in SERIAL}
    for name, sentence in GREETINGS.items():
        assert [protocol.name for protocol in SERIAL if protocol.recognise(b"noise\n" + sentence)] == [name]


@pytest.mark.parametrize("protocol", SERIAL, ids=lambda protocol: protocol.name)
def test_every_protocol_has_a_name_of_its_own_and_frames(protocol: SerialProtocol) -> None:
    assert BY_NAME[protocol.name] is protocol
    assert len(protocol.encode(bytes(30))) > 30, "more than the colours: where a frame begins, at the least"
