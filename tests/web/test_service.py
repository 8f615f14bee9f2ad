"""Being a service: what systemd is told over a real socket, and when it is told nothing more."""

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.live.running import Vitals
from companion.web import create_app
from companion.web.serving.service import FRESH_WITHIN, Notifier, Watchdog, watchdog_seconds, watched
from companion.web.serving.units import browser_unit, hall_unit, plain_unit, quoted, table_unit
from tests.commands.running import run
from tests.web.fake_table import FakeTable
from tests.web.serving import served


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(60)
        yield listening
        for thread in threading.enumerate():  # a watchdog lives as long as its program: here it would outlive its test
            if isinstance(thread, Watchdog):
                thread.end()
                thread.join()


def notices_of(systemd: socket.socket) -> dict[str, str]:
    return dict(line.split("=", 1) for line in systemd.recv(4096).decode().splitlines())


def silent(systemd: socket.socket) -> bool:
    systemd.settimeout(0)
    try:
        return not systemd.recv(4096)
    except BlockingIOError:
        return True


def test_lines_go_out_as_they_are(systemd: socket.socket) -> None:
    notifier = Notifier(systemd.getsockname())
    assert notifier.notify(READY="1", STATUS="two\nlines")
    assert notices_of(systemd) == {"READY": "1", "STATUS": "two lines"}


def test_a_socket_without_a_file_is_reached_too() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        name = f"alea-test-of-notify-{os.getpid()}"
        listening.bind(f"\0{name}")
        listening.settimeout(60)
        assert Notifier(f"@{name}").notify(WATCHDOG="1")
        assert listening.recv(100) == b"WATCHDOG=1"


def test_without_systemd_nothing_is_told_and_nothing_fails(tmp_path: Path) -> None:
    assert not Notifier.of_environment({})
    assert not Notifier(None).notify(READY="1")
    assert not Notifier(str(tmp_path / "gone")).notify(READY="1")
    watched(FakeTable, Notifier(None))("http://127.0.0.1:1/")


def test_the_watchdogs_time_is_that_of_this_process() -> None:
    assert watchdog_seconds({"WATCHDOG_USEC": "60000000"}) == 60
    assert watchdog_seconds({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"}) is None
    assert watchdog_seconds({}) is None
    assert watchdog_seconds({"WATCHDOG_USEC": "soon"}) is None


def test_readiness_is_told_once_the_page_answers_and_life_from_then_on(systemd: socket.socket) -> None:
    table = FakeTable()
    with served(create_app(table, trusted_hosts=["127.0.0.1"])) as address:
        watched(lambda: table, Notifier(systemd.getsockname()))(f"{address}/")
        assert notices_of(systemd)["READY"] == "1"
        alive = notices_of(systemd)
        assert alive["WATCHDOG"] == "1"
        assert alive["STATUS"] == "Camera NONE; match 1"


@pytest.mark.parametrize(
    ("vitals", "wrong"),
    [
        (Vitals(writer=True), None),
        (Vitals(writer=True, frame_age=FRESH_WITHIN - 1), None),
        (Vitals(writer=True, frame_age=FRESH_WITHIN + 1), "picture of the camera is 21 seconds old"),
        (Vitals(writer=False), "writer of the journal does not answer"),
    ],
)
def test_no_sign_of_life_is_given_while_a_part_does_not_live(
    systemd: socket.socket, vitals: Vitals, wrong: str | None
) -> None:
    table = FakeTable()
    with served(create_app(table, trusted_hosts=["127.0.0.1"])) as address:
        watchdog = Watchdog(Notifier(systemd.getsockname()), lambda: table, address)
        table.lives = replace(vitals)
        found = watchdog.check()
        stated = notices_of(systemd)
    assert ("WATCHDOG" in stated) is (wrong is None)
    if wrong is not None:
        assert found is not None
        assert wrong in found
        assert wrong in stated["STATUS"]


def test_a_server_that_does_not_answer_is_no_sign_of_life(systemd: socket.socket) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:  # it listens and says nothing
        port = taken.getsockname()[1]
    watchdog = Watchdog(Notifier(systemd.getsockname()), FakeTable, f"http://127.0.0.1:{port}/")
    assert watchdog.check() == "the web server does not answer"
    assert "WATCHDOG" not in notices_of(systemd)
    assert silent(systemd)


def test_a_word_of_a_command_line_is_not_expanded_by_systemd() -> None:
    assert quoted("/opt/alea/bin/companion") == "/opt/alea/bin/companion"
    assert quoted("/home/hall 1/50%$x") == '"/home/hall 1/50%%$$x"'


def lines(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith("#"))


def test_the_unit_is_one_that_systemd_watches_and_starts_again(tmp_path: Path) -> None:
    unit = lines(table_unit(Path("/bin/true"), tmp_path / "hall", 8000, "root", ["--camera", "/dev/video0"]))
    assert (unit["Type"], unit["Restart"], unit["StartLimitIntervalSec"]) == ("notify", "always", "0")
    assert int(unit["WatchdogSec"]) > FRESH_WITHIN
    assert unit["ExecStart"].endswith("--camera /dev/video0")
    assert str(tmp_path / "hall") in unit["ReadWritePaths"]


@pytest.mark.parametrize("options", [["--journal", "/srv/a.db"], ["--journal=/srv/a.db"]])
def test_the_unit_of_a_kiosk_names_one_journal(tmp_path: Path, options: list[str]) -> None:
    unit = lines(table_unit(Path("/bin/true"), tmp_path, 8000, "root", options))
    assert unit["ExecStart"].count("--journal") == 1
    assert '"-/srv"' in unit["ReadWritePaths"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd on this machine")
@pytest.mark.parametrize("kind", ["plain", "table", "desk", "book", "browser"])
def test_systemd_finds_no_fault_with_the_units(tmp_path: Path, kind: str) -> None:
    if kind == "table":
        text = table_unit(Path("/bin/true"), tmp_path / "the hall", 8000, "root", ["--camera", "http://a/50%"])
    elif kind == "plain":
        text = plain_unit(Path("/bin/true"), 8000, "root", ["--camera", "http://a/50%"])
    elif kind in ("desk", "book"):
        text = hall_unit(Path("/bin/true"), tmp_path / "the hall" / "b.toml", "root", [], serves=kind == "desk")
    else:
        text = browser_unit(8000, "root").replace("/usr/bin/cage", "/bin/true")
    unit = tmp_path / f"alea-{kind}.service"
    unit.write_text(text, encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    named = [line for line in done.stderr.splitlines() if unit.name in line]
    assert [line for line in named if "alea-kiosk.service" not in line] == [], done.stderr
    if kind != "browser":
        asked = ["systemd-analyze", "security", "--offline=true", "--threshold=25", str(unit)]
        weighed = subprocess.run(asked, capture_output=True, text=True, check=False)
        assert weighed.returncode == 0, weighed.stdout


def test_a_table_has_its_devices_and_its_files_and_a_desk_no_device(tmp_path: Path) -> None:
    options = ["--journal", "/srv/games/j.db", "--settings=/srv/s.json", "--book", "postgresql://alea@h/d"]
    plain = plain_unit(Path("/bin/true"), 8000, "root", options)
    assert [line for line in plain.splitlines() if line.startswith("DeviceAllow=")] == [
        "DeviceAllow=char-video4linux rw",
        "DeviceAllow=char-tty* rw",
    ]
    home = Path("~root").expanduser()
    assert lines(plain)["ReadWritePaths"] == f'"-{home}" "-/srv/games" "-/srv"'
    assert (lines(plain)["PrivateDevices"], lines(plain)["Type"]) == ("no", "notify")
    nobody = lines(plain_unit(Path("/bin/true"), 8000, "no-such-account", []))
    assert nobody["ReadWritePaths"] == '"-/home/no-such-account"'
    for serves, command in ((True, "serve"), (False, "collect")):
        desk = lines(hall_unit(Path("/bin/true"), tmp_path / "book.toml", "alea", ["--x"], serves=serves))
        assert (desk["PrivateDevices"], desk["Type"], desk["WatchdogSec"]) == ("yes", "exec", "0")
        assert desk["ExecStart"] == f"/bin/true hall {command} {tmp_path}/book.toml --x"
        assert desk["ReadWritePaths"] == f'"-{tmp_path}"'


def test_the_command_prints_both_units(tmp_path: Path) -> None:
    table = run("kiosk", "unit", str(tmp_path), "--", "--camera", "0")
    assert table.exit_code == 0
    assert f"--kiosk {tmp_path}" in table.output
    assert table.output.count("ExecStart=") == 1
    browser = run("kiosk", "unit", str(tmp_path), "--browser", "--port", "8123")
    assert "http://127.0.0.1:8123/" in browser.output
    assert "--kiosk" in lines(browser.output)["ExecStart"]


def test_the_command_prints_the_units_of_a_hall(tmp_path: Path) -> None:
    (tmp_path / "book.toml").write_text('hall = "museum"\n')
    desk = run("hall", "service", str(tmp_path / "book.toml"), "--", "--host", "0.0.0.0")
    assert desk.exit_code == 0
    assert lines(desk.output)["ExecStart"].endswith(f"hall serve {tmp_path}/book.toml --host 0.0.0.0")
    book = run("hall", "service", "--collect", str(tmp_path / "book.toml"))
    assert lines(book.output)["ExecStart"].endswith(f"hall collect {tmp_path}/book.toml")


def test_the_command_prints_the_unit_of_a_plain_table_with_its_options() -> None:
    unit = run("service", "--user", "berno", "--port", "8123", "--", "--camera", "0", "--host", "0.0.0.0")
    assert unit.exit_code == 0
    output = lines(unit.output)
    assert output["ExecStart"].endswith("serve --port 8123 --camera 0 --host 0.0.0.0")
    assert (output["User"], output["Type"], output["SupplementaryGroups"]) == ("berno", "notify", "video dialout")
