"""One command to many tables of a hall over the broker, and what each of them answers."""

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.hall.line import Line, Received, Waker
from companion.hall.settings import HallSettings
from companion.hall.topics import ROOT, Answer, MessageError, Topics, read_message, table_in

ANSWER_WAIT: Final = 4.0
"""Seconds that tables have to answer; one that has not answered by then is silent."""


@dataclass(frozen=True)
class Answered:
    """Which tables carried a command out, which refused it, by name with their sentences, and which were silent."""

    done: Sequence[str]
    refused: Mapping[str, str]
    silent: Sequence[str]


def ask_all(settings: HallSettings, command: str, tables: Sequence[str], wait: float = ANSWER_WAIT) -> Answered:
    """Give a command to tables, and wait until all have answered, at most ``wait`` seconds.

    Raises:
        LineLostError: the broker is away, or does not let the desk's user write commands.
    """
    got: list[Received] = []
    answers: dict[str, Answer] = {}
    waker = Waker()
    try:
        name = f"alea-{settings.hall}-desk-{secrets.token_hex(4)}"  # two desks of a hall must not end each other's line
        line = Line(settings.broker, name, waker, on_message=got.append)
        try:
            line.subscribe(f"{ROOT}/{settings.hall}/+/answer")
            for table in tables:
                line.publish(Topics(settings.hall, table).command, json.dumps({"command": command}).encode())
            end = time.monotonic() + wait
            while len(answers) < len(tables) and (left := end - time.monotonic()) > 0:
                line.turn(left)
                for message in got:
                    line.received(message)
                answers |= {table: one for table, one in _read(settings, got, command) if table in tables}
                got.clear()
        finally:
            line.close()
    finally:
        waker.close()
    return Answered(
        [table for table in tables if table in answers and answers[table].ok],
        {table: answers[table].sentence for table in tables if table in answers and not answers[table].ok},
        [table for table in tables if table not in answers],
    )


def _read(settings: HallSettings, got: Sequence[Received], command: str) -> list[tuple[str, Answer]]:
    read = []
    for message in got:
        found = table_in(message.topic, settings.hall)
        try:
            answer = read_message(message.payload, Answer)
        except MessageError:
            continue
        if found is not None and answer.command == command:
            read.append((found[0], answer))
    return read
