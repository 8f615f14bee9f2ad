"""Every protocol is one record, and a board that speaks another one is refused."""

import pytest

from firmware_bridge import serial_transport
from firmware_bridge.bell import Bell
from firmware_bridge.protocols import adalight
from firmware_bridge.protocols.serial import SERIAL, SerialProtocol, UnknownProtocolError, serial_protocol
from firmware_bridge.serial_transport import SerialTransport
from firmware_bridge.simulated.board import SimulatedBoard
from firmware_bridge.transport import Board, BoardError

SAID = {
    "own": b"$HI,alea,1,128,1,64*1D\n",
    "awa": b"\r\nWelcome!\r\nAwa driver 9.\r\n",
    "wled": b"WLED 2505262\r\n",
    "adalight": b"Ada\n",
}


def test_what_every_kind_of_board_says_is_known_to_its_own_protocol_alone() -> None:
    assert set(SAID) == {protocol.name for protocol in SERIAL}
    for name, said in SAID.items():
        assert [protocol.name for protocol in SERIAL if protocol.recognise(b"noise\n" + said)] == [name]


@pytest.mark.parametrize("protocol", SERIAL, ids=lambda protocol: protocol.name)
def test_every_protocol_has_a_name_of_its_own_and_frames(protocol: SerialProtocol) -> None:
    assert serial_protocol(protocol.name) is protocol
    assert len(protocol.encode(bytes(30))) >= adalight.HEADER + 30


def test_a_protocol_that_nobody_knows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownProtocolError, match=r"Expected a protocol of LED boards \(own, .*\), but got 'morse'"):
        serial_protocol("morse")
    board = SimulatedBoard(leds=8)
    board.start()
    monkeypatch.setattr(serial_transport, "identify", lambda *_: Board("morse", "a lamp"))
    transport, bell = SerialTransport(board.device, lister=board.lister), Bell()
    with pytest.raises(BoardError, match="but got 'morse'"):
        transport.open(bell)
    assert transport.device is None
    bell.close()
    board.stop()
