"""A hall over a broker from one command: Mosquitto, desk and tables take what it writes, and are kept apart by it."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from companion.hall.acl import ASSISTANT, BOOK, OWNER
from companion.hall.beginning import INSTALLED, write_hall
from companion.hall.line import LineLostError, Waker
from companion.hall.mqtt import MqttLine
from companion.hall.settings import Broker, HallSettings, HallSettingsError, read_settings
from tests.commands.running import run
from tests.hall.listening import hashes, soon
from tests.hall.mosquitto import PROGRAM, free_port
from tests.hall.tables import MATCH, table_at, taking_part
from tests.hall.test_book import kept
from tests.hall.test_desk import collecting

USERS = ("north", "south", BOOK)


@contextmanager
def running(folder: Path) -> Iterator[int]:
    """Run Mosquitto with what was written, where it lies, at a port of its own; yield the port."""
    if PROGRAM is None:
        pytest.skip("Mosquitto is not installed.")
    port, broker = free_port(), folder / "broker"
    written = (broker / "hall.conf").read_text()
    assert f"password_file {INSTALLED}/passwords" in written
    there = written.replace("listener 8883", f"listener {port} 127.0.0.1").replace(INSTALLED, str(broker))
    (folder / "here.conf").write_text(f"{there}persistence_location {broker}/\nuser root\n")
    command = [str(PROGRAM), "-c", str(folder / "here.conf")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = iter(process.stderr.readline, "")
        assert "running" in next(line for line in lines if "running" in line or "Error" in line)
        try:
            yield port
        finally:
            process.kill()


def place(folder: Path, user: str, port: int) -> HallSettings:
    """Return the settings of a folder, with this port of the broker."""
    settings = read_settings(folder / user / "hall.toml", of_table=user not in (BOOK, OWNER))
    return replace(settings, broker=replace(settings.broker, port=port))


def test_tables_and_desk_speak_over_the_broker_of_what_one_command_wrote_and_another_adds_a_table(
    tmp_path: Path,
) -> None:
    folder, journal = tmp_path / "museum", tmp_path / "journal.db"
    begun = run("hall", "init", str(folder), "north", "--host", "127.0.0.1")
    assert begun.exit_code == 0, begun.output
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert {path.stat().st_mode & 0o077 for path in before} == {0}, "passwords and keys are their owner's alone"
    for given, wrong in (("--host", "the broker at 127.0.0.1, not 10.0.0.7"), ("--book", "change its url")):
        refused = run("hall", "init", str(folder), "north", given, "10.0.0.7")
        assert refused.exit_code == 1
        assert wrong in refused.output
        assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    added = run("hall", "init", str(folder), "south")
    assert "2 tables reach the hall museum over the broker at 127.0.0.1" in added.output
    assert "install -o mosquitto" in added.output
    again = ("passwords", "access.list")
    assert all(path.read_bytes() == data for path, data in before.items() if path.name not in again)
    with running(folder) as port:
        desk = place(folder, BOOK, port)
        with collecting(desk) as collector:
            for name in ("north", "south"):
                _play(folder, name, port, desk.book, journal.with_stem(name))
            assert collector.trouble is None


def _play(folder: Path, name: str, port: int, book: str, journal: Path) -> None:
    """Begin a match at a table, and wait until the book has it."""
    with table_at(journal) as table:
        assert table.command("new_match", MATCH, "tests").ok
        known = hashes(journal)
        with taking_part(table, journal, place(folder, name, port)):
            soon(lambda: [row[3] for row in kept(book) if row[0] == name] == known)


def test_a_name_belongs_to_who_has_its_password(tmp_path: Path) -> None:
    folder = tmp_path / "museum"
    write_hall(folder, ("north", "south"), host=None, own="127.0.0.1")
    with running(folder) as port:
        _a_thief_gets_nothing({user: place(folder, user, port).broker for user in USERS})
        for user, password in (("north", ""), ("north", "swordfish"), ("nobody", "swordfish"), ("", "")):
            waker, wrong = Waker(), replace(place(folder, "north", port).broker, user=user, password=password)
            with pytest.raises(LineLostError):
                MqttLine(wrong, "north", waker)
            waker.close()


def _a_thief_gets_nothing(signed_in: dict[str, Broker]) -> None:
    south, book, north = Waker(), Waker(), Waker()
    lines = [
        MqttLine(signed_in["south"], "alea-museum-south", south),
        MqttLine(signed_in[BOOK], "alea-museum-book", book, kept_seconds=600),
    ]
    for name in ("alea-museum-south", "alea-museum-book", "south"):
        thief = MqttLine(signed_in["north"], name, north)
        thief.turn(0.2)
        thief.close()
    for line in lines:
        line.turn(0.2)
        line.publish("alea/museum/south/answer", b"{}", qos=0)
        line.turn(0.2)
        line.close()
    for waker in (south, book, north):
        waker.close()


@pytest.mark.parametrize(
    ("folder", "table", "host", "wrong"),
    [
        ("My Hall", "north", "10.0.0.5", "'My Hall'"),
        ("museum", "a/b", "10.0.0.5", "'a/b'"),
        *(("museum", name, "10.0.0.5", repr(name)) for name in (BOOK, OWNER, ASSISTANT, "broker")),
        ("museum", "north", "10.0.0.5:8883", "'10.0.0.5:8883'"),
        ("museum", "north", 'x"y', "'x\"y'"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_before_anything_is_written(
    folder: str, table: str, host: str, wrong: str, tmp_path: Path
) -> None:
    with pytest.raises(HallSettingsError) as refused:
        write_hall(tmp_path / folder, (table,), host=host, own="127.0.0.1")
    assert wrong in str(refused.value)
    assert not (tmp_path / folder).exists()


@pytest.mark.parametrize("book", ["postgresql:///hall", 'a"b.db', "/srv/hall.db"])
def test_the_desk_and_who_watches_have_the_book_that_was_named(book: str, tmp_path: Path) -> None:
    folder = tmp_path / "museum"
    write_hall(folder, ("north",), host=None, own="127.0.0.1", book=book)
    for user in (BOOK, OWNER):
        read = read_settings(folder / user / "hall.toml", of_table=False)
        assert read.broker.user == user
        expected = folder / BOOK / book
        assert read.book == book if "://" in book else Path(read.book).resolve() == expected.resolve()
