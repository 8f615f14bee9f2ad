"""A table tells a real broker what its journal holds: in order, at least once, whatever happens to either."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from companion.hall import publisher
from companion.hall.line import LineLostError
from companion.hall.mqtt import MqttLine
from companion.hall.outbox import AcknowledgedFile, JournalPlace, Outbox
from companion.hall.settings import Broker
from companion.hall.topics import EventMessage, Topics, read_message
from companion.ledger.entries import chained
from companion.referee.journal import Journal
from tests.hall.killed_table import STARTED, publisher_of, write
from tests.hall.listening import Listener, following, hashes, say, soon
from tests.hall.mosquitto import Mosquitto
from tests.hall.tables import MATCH, roll, settings_for, table_at, taking_part

ROOT = Path(__file__).resolve().parents[2]


def test_every_event_of_the_journal_comes_once_and_in_its_order(mosquitto: Mosquitto, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    settings = settings_for(mosquitto.open, names=True)
    with Listener(mosquitto.open, "everyone", "alea/museum/north/#") as heard, table_at(journal) as table:
        assert table.command("new_match", MATCH, "tests").ok
        with taking_part(table, journal, settings):
            roll(table, 30)
            last = hashes(journal)[-1]
            soon(lambda: [heard.bodies("state")[-1].get(name) for name in ("last", "throws")] == [last, 30])
            state = heard.bodies("state")[-1]
        soon(lambda: heard.of("status")[-1].payload == b"offline")
    events = [read_message(message.payload, EventMessage) for message in heard.of("event")]
    assert [event.hash for event in events] == hashes(journal)
    assert [event.after for event in events] == ["", *hashes(journal)[:-1]]
    digest = "0" * 64
    for event in events:  # what was sent is what was chained
        body = json.dumps(event.event, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        digest = chained(digest, event.number, event.at, event.actor, body)
        assert digest == event.hash
    assert (state["game"], state["throws"]) == ("ludus-regularis", 30)
    with following(journal) as follower:
        recasts = [event.event.get("awaited") == "recast" for event in events]
        assert follower.since(0.0, 1000) == (30, 0)
        assert follower.since(0.0, 10) == (10 - sum(recasts[-10:]), 0)
        assert follower.since(time.time() + 60, 1000) == (0, 0)
    assert state["players"] == ["Anna", "Berno"]
    assert {message.payload for message in heard.of("status")} == {b"online", b"offline"}


def test_names_stay_at_the_table_unless_the_owner_says_otherwise(mosquitto: Mosquitto, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    named = {**MATCH, "players": ["Adalbero", "Brunhilde"]}
    topics = ("alea/museum/north/#", "homeassistant/#")
    with Listener(mosquitto.open, "curious", *topics) as heard, table_at(journal) as table:
        assert table.command("new_match", named, "tests").ok
        with taking_part(table, journal, settings_for(mosquitto.open)):
            roll(table, 3)
            assert table.command("finish", {"reason": "Brunhilde is tired"}, "tests").ok
            soon(lambda: len(heard.events()) == len(hashes(journal)))
            soon(lambda: heard.bodies("state")[-1]["over"])
    everything = b"".join(message.payload for message in heard.messages)
    assert b"Adalbero" not in everything
    assert b"Brunhilde" not in everything


def test_a_killed_broker_holds_nobody_up_and_loses_nothing(mosquitto: Mosquitto, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with Listener(mosquitto.open, "patient", "alea/museum/north/event") as heard, table_at(journal) as table:
        assert table.command("new_match", MATCH, "tests").ok
        with taking_part(table, journal, settings_for(mosquitto.open)) as member:
            for _ in range(3):
                roll(table, 8)
                heard.wait_for_event(hashes(journal)[-1])  # what it takes along unheard, only the book asks for
                mosquitto.kill()
                roll(table, 8)  # answered while nobody is there
                soon(lambda: member.publisher.trouble)
                mosquitto.start()
                soon(lambda: member.publisher.trouble is None)
            last = hashes(journal)[-1]
            heard.wait_for_event(last)
            soon(lambda: AcknowledgedFile(journal, f"127.0.0.1:{mosquitto.port} museum/north").read().hash == last)
    assert heard.events() == hashes(journal)


def test_two_tables_of_one_name_are_told_to_each_other(
    mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(publisher, "FIRST_WAIT", 0.05)
    monkeypatch.setattr(publisher, "STEADY_LINE_SECONDS", 3600)  # a busy machine may take long to end a line
    settings = settings_for(mosquitto.open)
    both = []
    for name in ("one", "other"):
        with Journal(tmp_path / name) as journal:
            write(journal, journal.begin(STARTED, 1000.0, "tests"))
        both.append(publisher_of(tmp_path / name, settings))
    for one in both:
        one.start()
    for one in both:
        soon(lambda one=one: "give every table of the hall its own" in (one.trouble or ""))  # type: ignore[misc]
    for one in both:
        one.stop()
    stated: dict[int | None, list[str]] = {}
    for record in caplog.records:
        if (line := record.getMessage()).startswith("the hall is away"):
            stated.setdefault(record.thread, []).append(line)
    assert len(stated) == 2
    for lines in stated.values():
        named = ["'north'" in line for line in lines]
        assert all(named[named.index(True) :]), "from then on nothing else is said"
        # a line ends in one way or another; what was said last is not said again
        assert not any(one == after for one, after in pairwise(lines))


def test_another_fault_than_a_lost_line_is_said_as_it_is(
    mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "SOON_LOST", 0)
    one = publisher_of(tmp_path / "missing.db", settings_for(mosquitto.open))
    one.start()
    assert soon(lambda: one.trouble) == "unable to open database file"
    one.stop()


def test_a_line_that_was_steady_and_ends_like_the_one_before_is_said_again(
    mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Lost(MqttLine):
        def turn(self, seconds: float) -> None:
            if turns.pop():
                super().turn(seconds / 100)
            else:
                self.close()
                raise LineLostError("the line ended (as before)")

    turns = [True, True, False] * 20
    monkeypatch.setattr("companion.hall.mqtt.MqttLine", Lost)
    monkeypatch.setattr(publisher, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(publisher, "STEADY_LINE_SECONDS", 0.0)
    with Journal(tmp_path / "journal.db"):
        one = publisher_of(tmp_path / "journal.db", settings_for(mosquitto.open))
        one.start()
        soon(lambda: [line for line in caplog.messages if "(as before)" in line][2:])
        one.stop()


def test_a_match_that_still_comes_in_waits_with_what_follows_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal, following(path) as follower:
        match = journal.begin(STARTED, 1000.0, "tests")
        before = hashes(path)
        for number in (2, 3):
            journal.arrive(number, journal.events(match))
            write(journal, match)
            assert hashes(path) == before, "nothing of it, and nothing that was written after it"
            assert Outbox(follower, JournalPlace()).due()
            if number == 2:
                journal.abandon(2)
                before = hashes(path)
                assert len(before) == 2
        journal.arrived(3)
        assert [one.message.match for one in follower.after(0, 10)] == [1, 1, 3, 3, 1]


def test_a_killed_table_goes_on_where_the_acknowledgements_ended(mosquitto: Mosquitto, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    command = [sys.executable, "-m", "tests.hall.killed_table", str(journal), str(mosquitto.port), "north"]
    settings = settings_for(mosquitto.open)
    with Listener(mosquitto.open, "witness", "alea/museum/north/#") as heard:
        for kill in range(3):
            with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
                try:
                    heard.wait_for_more(30)
                finally:
                    process.kill()
            heard.wait_for_status(b"offline", kill + 1)
        before = len(heard.of("event"))
        for _ in range(2):
            publisher = publisher_of(journal, settings)
            with Journal(journal) as writable:
                write(writable, 3)
            publisher.start()
            soon(lambda: hashes(journal)[-1] in heard.events())
            publisher.stop()
    assert heard.events() == hashes(journal)
    assert len(heard.of("event")) > before


@contextmanager
def liar(answers: tuple[bytes, ...]) -> Iterator[tuple[Broker, threading.Event]]:
    """Answer each packet on a port with the next of some bytes, and after them with silence.

    The event is set when somebody has heard all of them.
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        ending, asked = threading.Event(), threading.Event()
        server.settimeout(0.05)

        def lie() -> None:
            lines = []
            while not ending.is_set():
                try:
                    line, _ = server.accept()
                    lines.append(line)
                    for answer in answers:
                        if not line.recv(65536):
                            break
                        line.sendall(answer)
                    asked.set()
                except OSError:
                    continue
            for line in lines:
                line.close()

        thread = threading.Thread(target=lie)
        thread.start()
        try:
            yield Broker(port=server.getsockname()[1]), asked
        finally:
            ending.set()
            thread.join()


WELCOME = bytes([0x20, 3, 0, 0, 0])  # CONNACK of MQTT 5
LIES = {
    "silence": (),
    "another protocol": (b"HTTP/1.1 400 Bad Request\r\n\r\n",),
    "a welcome that is cut off": (WELCOME[:2],),
    "acknowledgements of what was never sent": (WELCOME, b"".join(bytes([0x40, 2, 99, n]) for n in range(40))),
    "a refusal": (bytes([0x20, 3, 0, 0x87, 0]),),
    "a refused message": (WELCOME, bytes([0x40, 4, 0, 2, 0x97, 0])),
    "a length without an end": (WELCOME, b"\x30\xff\xff\xff\xff\xff"),
    "a message that is no text": (WELCOME, bytes([0x30, 6, 0, 2, 0xFF, 0xFE, 0, 1])),
}


@pytest.mark.parametrize("answers", LIES.values(), ids=LIES.keys())
def test_a_lying_broker_is_given_nothing_that_counts(answers: tuple[bytes, ...], tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with liar(answers) as (broker, asked), Journal(journal) as writable:
        match = writable.begin(STARTED, 1000.0, "tests")
        publisher = publisher_of(journal, settings_for(broker))
        publisher.start()
        for _ in range(10):
            write(writable, match)
        soon(asked.is_set)
        publisher.wake()
        publisher.stop()
        to = f"127.0.0.1:{broker.port} museum/north"
    assert AcknowledgedFile(journal, to).read() == JournalPlace()


def test_what_a_broker_has_lost_is_told_again_when_the_book_asks(mosquitto: Mosquitto, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    topics = Topics("museum", "north")
    with table_at(journal) as table:
        assert table.command("new_match", MATCH, "tests").ok
        with taking_part(table, journal, settings_for(mosquitto.open)) as member:
            roll(table, 10)
            everything = hashes(journal)
            read = AcknowledgedFile(journal, f"127.0.0.1:{mosquitto.port} museum/north").read
            soon(lambda: read().hash == everything[-1])  # nobody listened
            assert member.publisher.trouble is None
            with Listener(mosquitto.open, "late", topics.event) as heard:
                say(mosquitto.open, topics.again, json.dumps({"after": everything[4]}).encode())
                soon(lambda: everything[-1] in heard.events())
                assert heard.events() == everything[5:]
                for nonsense in (b"", b"{}", b'{"after": 1}', b"\xff"):
                    say(mosquitto.open, topics.again, nonsense)
                roll(table, 1)
                soon(lambda: hashes(journal)[-1] in heard.events())
                assert heard.events() == hashes(journal)[5:]


def test_a_journal_that_lost_its_end_is_told_from_the_start(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with table_at(journal) as table:
        assert table.command("new_match", MATCH, "tests").ok
        roll(table, 20)
        assert table.command("new_match", MATCH, "tests").ok
    everything = hashes(journal)
    with following(journal) as follower:
        row, digest = follower.newest()
        at_the_end = Outbox(follower, JournalPlace(row, digest))
        assert at_the_end.due() is None
        assert at_the_end.idle
        elsewhere = Outbox(follower, JournalPlace(row, "f" * 64))
        assert elsewhere.acknowledged == JournalPlace()
        with Journal(journal) as writable:
            assert writable.forget(2, digest)
        at_the_end = Outbox(follower, at_the_end.acknowledged)
        first = at_the_end.due()
        assert first is not None
        assert first.message.hash == everything[0]


def test_acknowledgements_count_only_without_a_gap(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with table_at(journal) as table:
        assert table.command("new_match", MATCH, "tests").ok
        roll(table, 30)
    with following(journal) as follower:
        outbox = Outbox(follower, JournalPlace())
        sent: list[str] = []
        while (written := outbox.due()) is not None:
            outbox.published(100 + len(sent))
            sent.append(written.message.hash)
        assert len(sent) == 16
        for message in (101, 102, 115, 99):
            outbox.acknowledge(message)
            assert outbox.acknowledged == JournalPlace()
        outbox.acknowledge(100)
        assert outbox.acknowledged.hash == sent[2]
        assert outbox.due() is not None
        outbox = Outbox(follower, outbox.acknowledged)
        again = outbox.due()
        assert again is not None
        assert again.message.hash == hashes(journal)[3]


def test_a_gap_is_repeated_alone_and_the_outbox_goes_on_where_it_was(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with table_at(journal) as table:
        assert table.command("new_match", MATCH, "tests").ok
        roll(table, 40)
    everything = hashes(journal)
    with following(journal) as follower:
        outbox, numbers = Outbox(follower, JournalPlace()), iter(range(1000))

        def sent(most: int) -> list[str]:
            """Publish what is due, at most so many, and let the broker have it."""
            found: list[str] = []
            while len(found) < most and (written := outbox.due()) is not None:
                number = next(numbers)
                outbox.published(number)
                outbox.acknowledge(number)
                found.append(written.message.hash)
            return found

        assert sent(20) == everything[:20]
        before = outbox.acknowledged
        for after, until in (
            (everything[4], "f" * 64),
            ("f" * 64, everything[8]),
            (everything[8], everything[4]),
            (everything[4], ""),
            (everything[4], everything[20]),  # it is not sent yet
        ):
            assert not outbox.repeat(after, until)
        assert outbox.repeat(everything[4], everything[8])
        assert not outbox.idle
        assert sent(3) == everything[5:8]
        assert outbox.acknowledged == before
        assert sent(3) == [everything[8], *everything[20:22]]
        assert outbox.repeat("", everything[1])
        assert sent(2) == everything[:2]
        assert outbox.repeat("", everything[1])
        outbox = Outbox(follower, outbox.acknowledged)
        assert sent(1000) == everything[22:], "a line that is lost takes repeats along"
