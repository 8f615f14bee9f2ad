"""Somebody who listens to a hall, and a table that takes part in it."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from companion.hall.follower import JournalFollower
from companion.hall.line import LineLostError, Received, Waker
from companion.hall.mqtt import MqttLine
from companion.hall.settings import Broker

PATIENCE = 300.0  # seconds; no test fails because a machine is slow


def soon(true: Callable[[], Any]) -> Any:
    """Wait until something is true, and return it; what has not come yet is not true."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(IndexError):
            if found := true():
                return found
        time.sleep(0.01)
    raise AssertionError("It did not come true.")


class Listener:
    """Takes every message of some topics, over new lines when one is lost, as long as it listens."""

    def __init__(self, broker: Broker, name: str, *topics: str) -> None:
        self.messages: list[Received] = []
        self.here = threading.Event()
        self._broker = broker
        self._name = name
        self._topics = topics
        self._waker = Waker()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self.here.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._waker.wake()
        self._thread.join(PATIENCE)
        self._waker.close()

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                got: list[Received] = []
                line = MqttLine(self._broker, self._name, self._waker, on_message=got.append, kept_seconds=600)
                line.subscribe(*self._topics)
                line.turn(0.2)
                self.here.set()
                while not self._ending.is_set():
                    line.turn(0.1)
                    for message in got:
                        self.messages.append(message)
                        line.received(message)
                    got.clear()
                line.close()
            except LineLostError:
                time.sleep(0.02)

    def of(self, last: str) -> list[Received]:
        """Return the messages whose topic ends so."""
        return [message for message in self.messages if message.topic.endswith(f"/{last}")]

    def bodies(self, last: str) -> list[dict[str, Any]]:
        """Return the JSON of the messages whose topic ends so."""
        return [json.loads(message.payload) for message in self.of(last)]

    def wait_for_more(self, count: int) -> None:
        """Wait for so many more events."""
        before = len(self.of("event"))
        soon(lambda: len(self.of("event")) >= before + count)

    def wait_for_event(self, digest: str) -> None:
        """Wait for the event with this hash."""
        soon(lambda: digest in self.events())

    def wait_for_status(self, status: bytes, times: int) -> None:
        """Wait until a status was told so often."""
        soon(lambda: [message.payload for message in self.of("status")].count(status) >= times)

    def events(self) -> list[str]:
        """Return the hash of each event when it first came."""
        return list(dict.fromkeys(event["hash"] for event in self.bodies("event")))


def say(broker: Broker, topic: str, payload: bytes, *, retain: bool = False) -> None:
    """Publish one message, and wait until the broker has it."""
    done: list[int] = []
    waker = Waker()
    try:
        line = MqttLine(broker, "speaker", waker, on_acknowledged=done.append)
        number = line.publish(topic, payload, retain=retain)
        while number not in done:
            line.turn(1.0)
        line.close()
    finally:
        waker.close()


def hashes(journal: Path) -> list[str]:
    """Return the hashes of a journal's events, in its order."""
    with following(journal) as follower:
        return [written.message.hash for written in follower.after(0, 1_000_000)]


@contextmanager
def following(journal: Path, *, names: bool = True) -> Iterator[JournalFollower]:
    follower = JournalFollower(journal, names=names)
    try:
        yield follower
    finally:
        follower.close()
