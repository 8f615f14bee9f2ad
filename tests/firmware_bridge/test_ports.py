"""Which ports are asked, and how the same board is known again."""

from pathlib import Path

import pytest

from firmware_bridge.ports import Port, PortFinder, list_ports, makers

CH340 = Port("/dev/ttyUSB0", 0x1A86, 0x7523, None, "1-2")
UNO = Port("/dev/ttyACM0", 0x2341, 0x0043, "A1", "1-3")
GPS = Port("/dev/ttyUSB9", 0x067B, 0x2303, None, "1-4")
MODEM = Port("/dev/ttyS0")


def test_only_ports_of_known_makers_are_asked_unnamed() -> None:
    assert PortFinder(lister=lambda: [MODEM, GPS, CH340, UNO]).candidates() == [CH340, UNO]
    assert len(makers()) == 8


def test_a_port_that_a_person_names_is_asked_whatever_it_is() -> None:
    assert PortFinder("/dev/ttyUSB9", lambda: [CH340, GPS]).candidates() == [GPS]
    assert PortFinder("/dev/ttyXX", lambda: [CH340]).candidates() == [Port("/dev/ttyXX")]


def test_a_link_to_a_port_names_the_port(tmp_path: Path) -> None:
    device = tmp_path / "ttyUSB3"
    device.touch()
    link = tmp_path / "by-id"
    link.symlink_to(device)
    port = Port(str(device), 0x1A86, 0x7523, None, "2-1")
    assert PortFinder(str(link), lambda: [CH340, port]).candidates() == [port]


@pytest.mark.parametrize("wanted", [None, "/dev/ttyUSB0"])
def test_a_board_is_known_by_its_socket_or_number_not_by_its_name(wanted: str | None) -> None:
    listed = [CH340]
    finder = PortFinder(wanted, lambda: listed)
    finder.found(finder.candidates()[0])
    listed[:] = [Port("/dev/ttyUSB0", 0x1A86, 0x7523, None, "1-7"), Port("/dev/ttyUSB1", 0x1A86, 0x7523, None, "1-2")]
    assert finder.candidates()[0] == listed[1]
    if wanted is not None:  # another device with its old name is not it
        assert finder.candidates() == [listed[1]]


def test_a_serial_number_is_followed_to_another_socket() -> None:
    listed = [UNO]
    finder = PortFinder("/dev/ttyACM0", lambda: listed)
    finder.found(UNO)
    listed[:] = [Port("/dev/ttyACM5", 0x2341, 0x0043, "A1", "9-9")]
    assert finder.candidates() == listed


def test_a_named_board_that_is_away_is_not_looked_for_elsewhere() -> None:
    listed = [UNO]
    finder = PortFinder("/dev/ttyACM0", lambda: listed)
    finder.found(UNO)
    listed[:] = [CH340]
    assert finder.candidates() == []


def test_a_silent_port_is_asked_again_only_after_it_was_plugged_out() -> None:
    listed = [CH340]
    finder = PortFinder(lister=lambda: listed)
    finder.silent(CH340)
    assert finder.candidates() == []
    assert finder.asked == [CH340]
    listed.clear()
    assert finder.candidates() == []
    listed.append(CH340)
    assert finder.candidates() == [CH340]


def test_a_port_says_what_it_is() -> None:
    assert str(CH340) == "/dev/ttyUSB0 (WCH (CH340, CH9102), socket 1-2)"
    assert str(MODEM) == "/dev/ttyS0"


def test_the_ports_of_this_computer_can_be_listed() -> None:
    assert all(port.device for port in list_ports())
