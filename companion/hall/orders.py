"""One command to many tables of a hall over the broker, and what each of them answers."""

import json
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.hall.line import HallLine, LineLostError, Received, Waker
from companion.hall.settings import HallSettings
from companion.hall.topics import ROOT, CommandAnswer, MessageError, Topics, read_message, table_in
from companion.hall.ways import line_opener

ANSWER_WAIT: Final = 4.0
"""Seconds that tables have to answer; one that has not answered by then is silent."""


@dataclass(frozen=True)
class OrderAnswers:
    """Which tables carried a command out, which refused it, by name with their sentences, and which were silent."""

    done: Sequence[str]
    refused: Mapping[str, str]
    silent: Sequence[str]


class Order:
    """A command to tables on its way: the thread of a line sends it and takes answers, another one may wait."""

    def __init__(self, hall: str, command: str, tables: Sequence[str]) -> None:
        self._hall, self._command, self._tables = hall, command, tables
        self._answers: dict[str, CommandAnswer] = {}
        self._ended = threading.Event()
        self._lost: str | None = None

    def send(self, line: HallLine) -> None:
        """Give the command to all tables.

        Raises:
            LineLostError: the line is lost.
        """
        for table in self._tables:
            line.publish(Topics(self._hall, table).command, json.dumps({"command": self._command}).encode())

    def take(self, message: Received) -> None:
        """Take a table's answer; any other message is left out."""
        found = table_in(message.topic, self._hall)
        if found is None or found[0] not in self._tables or found[1] != "answer":
            return
        try:
            answer = read_message(message.payload, CommandAnswer)
        except MessageError:
            return
        if answer.command == self._command:
            self._answers[found[0]] = answer

    @property
    def complete(self) -> bool:
        """Whether every table has answered."""
        return len(self._answers) == len(self._tables)

    @property
    def over(self) -> bool:
        """Whether nobody waits any more."""
        return self._ended.is_set()

    def answered(self) -> OrderAnswers:
        """Return what has come until now."""
        answers = self._answers.copy()
        return OrderAnswers(
            [table for table in self._tables if table in answers and answers[table].ok],
            {table: answers[table].sentence for table in self._tables if table in answers and not answers[table].ok},
            [table for table in self._tables if table not in answers],
        )

    def end(self, lost: str | None = None) -> None:
        """End the waiting; ``lost``: why the line over which it goes is lost."""
        self._lost = lost
        self._ended.set()

    def wait(self, seconds: float) -> OrderAnswers:
        """Wait in another thread until it has ended, at most so long; return what has come.

        Raises:
            LineLostError: the line was lost.
        """
        self._ended.wait(seconds)
        if self._lost is not None:
            raise LineLostError(self._lost)
        return self.answered()


def ask_all(settings: HallSettings, command: str, tables: Sequence[str], wait: float = ANSWER_WAIT) -> OrderAnswers:
    """Give a command to tables over a line of its own, for a desk that has none; wait at most ``wait`` seconds.

    Raises:
        LineLostError: the broker is away, or does not let the desk's user write commands.
    """
    got: list[Received] = []
    waker = Waker()
    order = Order(settings.hall, command, tables)
    try:
        name = f"alea-{settings.hall}-desk-{secrets.token_hex(4)}"  # two desks of a hall must not end each other's line
        line = line_opener(settings)(name, waker, on_message=got.append)
        try:
            line.subscribe(f"{ROOT}/{settings.hall}/+/answer")
            order.send(line)
            end = time.monotonic() + wait
            while not order.complete and (left := end - time.monotonic()) > 0:
                line.turn(left)
                for message in got:
                    line.received(message)
                    order.take(message)
                got.clear()
        finally:
            line.close()
    finally:
        waker.close()
    return order.answered()
