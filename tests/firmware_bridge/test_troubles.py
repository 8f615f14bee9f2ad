"""Every trouble with a port is told with what to do."""

import errno
import grp
import os
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.ports import Port
from firmware_bridge.transport import BoardAwayError, BoardError
from firmware_bridge.troubles import away, explain, running_programs
from tests.firmware_bridge.simulated.board import SimulatedBoard

PORT = Port("/dev/ttyUSB0", 0x1A86, 0x7523, None, "1-2")
NONE: frozenset[str] = frozenset()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a program as somebody else")
def test_who_may_not_open_a_port_is_told_the_group_and_the_command() -> None:
    board = SimulatedBoard()
    board.start()
    assert board.device is not None
    Path(board.device).chmod(0o660)
    os.chown(board.device, 0, grp.getgrnam("dialout").gr_gid)
    code = (
        "import grp, os, sys\n"
        "from firmware_bridge.bell import Bell\n"
        "from firmware_bridge.serial_transport import SerialTransport\n"
        "from firmware_bridge.ports import makers\n"
        "makers()\n"  # everything is loaded before root becomes nobody: Python may lie where only root may read
        "os.setgroups([]), os.setgid(65534), os.setuid(65534)\n"
        "try:\n    SerialTransport(sys.argv[1], lister=list).open(Bell())\n"
        "except OSError as why:\n    print(why)"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code, board.device],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    board.stop()
    assert "it belongs to the group dialout. Run `sudo usermod -aG dialout $USER`, then log out" in done.stdout, (
        done.stderr
    )


def test_a_port_of_nobodys_group_is_told_too() -> None:
    text = str(explain(OSError(errno.EACCES, "no"), Port("/proc/1/mem"), NONE))
    assert "You may not open the port /proc/1/mem: `ls -l /proc/1/mem`" in text


def test_a_port_in_use_names_the_modem_manager_where_it_runs() -> None:
    busy = OSError(errno.EAGAIN, "locked")
    assert "ModemManager" not in str(explain(busy, PORT, NONE))
    text = str(explain(busy, PORT, frozenset({"ModemManager"})))
    assert "ID_MM_DEVICE_IGNORE=1 (device 1a86:7523)" in text


def test_a_port_that_is_gone_names_brltty_where_it_runs() -> None:
    gone = explain(OSError(errno.ENOENT, "gone"), PORT, frozenset({"brltty"}))
    assert isinstance(gone, BoardAwayError)
    assert "systemctl mask --now brltty" in str(gone)
    assert "brltty" not in away("/dev/ttyUSB0", NONE)
    assert "into the same socket" in away("/dev/ttyUSB0", NONE, same_socket=True)
    assert "with a cable that carries data" in away(None, NONE)


def test_what_is_a_sentence_already_stays_as_it_is() -> None:
    stated = BoardError("It is broken.")
    assert explain(stated, PORT, NONE) is stated


def test_another_error_is_told_as_the_system_says_it() -> None:
    assert "cannot be opened: Input/output error." in str(explain(OSError(errno.EIO, "Input/output error"), PORT, NONE))


def test_programs_that_run_are_seen(tmp_path: Path) -> None:
    for number, name in enumerate(["brltty", "bash"]):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "comm").write_text(f"{name}\n")
    (tmp_path / "7").mkdir()  # one that has just ended
    assert running_programs(tmp_path) == {"brltty", "bash"}
