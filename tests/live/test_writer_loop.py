"""The writer's loop: what was done is shown before it is answered, whatever fails is told, and the loop goes on."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import pytest

from companion.desk.sight import BoardSight, Sight
from companion.desk.table.match_desk import Reply
from companion.language.sentence import Sentence
from companion.live.inbox import Inbox
from companion.live.writer_loop import WriterLoop

Runs = Callable[["Scribe"], tuple[Inbox, WriterLoop]]

DONE = Reply(ok=True, sentence=Sentence("Done."))


class Scribe:
    """A desk that writes down what is asked of it; ``breaks``: what fails, by name, once."""

    def __init__(self, *breaks: str) -> None:
        self.lines: list[str] = []
        self.breaks = list(breaks)
        self.often: float | None = None

    def _write(self, line: str) -> None:
        self.lines.append(line)
        if line in self.breaks:
            self.breaks.remove(line)
            raise ValueError(line)

    @contextmanager
    def open(self) -> Iterator[None]:
        self._write("open")
        try:
            yield
        finally:
            self._write("close")

    def waits(self) -> Iterable[float | None]:
        return None, self.often

    def check(self, sight: Sight | None, board: BoardSight | None) -> None:
        assert board is None
        self._write("look" if sight is None else f"look at {sight.source}")

    def go_on(self) -> None:
        self._write("go on")

    def publish(self, *, hurried: bool) -> None:
        self._write("publish hurriedly" if hurried else "publish")

    def failed(self, error: Exception) -> None:
        self._write(f"failed: {error}")

    def task(self) -> Reply:
        self._write("task")
        return DONE


@pytest.fixture
def running() -> Iterator[Runs]:
    loops: list[WriterLoop] = []

    def run(scribe: Scribe) -> tuple[Inbox, WriterLoop]:
        inbox = Inbox()
        loops.append(WriterLoop("tests", inbox, scribe))
        loops[-1].start()
        return inbox, loops[-1]

    yield run
    for loop in loops:
        loop.stop()


def wait_for(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not true():
        assert time.monotonic() < until, "it does not come"
        time.sleep(0.01)


def test_a_task_is_shown_before_it_is_answered(running: Runs) -> None:
    scribe = Scribe()
    inbox, loop = running(scribe)
    assert scribe.lines == ["open", "publish"]
    inbox.put_sight(Sight(source="0"))
    shown: list[list[str]] = []
    answer = inbox.ask(scribe.task)
    assert answer is not None
    answer.add_done_callback(lambda _: shown.append(scribe.lines[:]))
    assert answer.result(10) == DONE
    loop.stop()
    assert shown[0][-3:] == ["task", "go on", "publish"]
    assert "look at 0" in scribe.lines
    assert scribe.lines[-1] == "close"
    assert not loop.answers()
    assert not loop.ask(scribe.task).ok


@pytest.mark.parametrize("breaks", ["look", "go on", "publish hurriedly"])
def test_what_fails_is_told_and_the_loop_goes_on(running: Runs, breaks: str) -> None:
    scribe = Scribe(breaks)
    inbox, loop = running(scribe)
    inbox.nudge()
    wait_for(lambda: f"failed: {breaks}" in scribe.lines)
    assert loop.ask(scribe.task) == DONE


def test_a_task_that_fails_is_answered_so(running: Runs) -> None:
    scribe = Scribe("task")
    _, loop = running(scribe)
    reply = loop.ask(scribe.task)
    assert not reply.ok
    assert "ValueError" in str(reply.sentence)
    assert not any(line.startswith("failed") for line in scribe.lines)
    assert loop.answers()


def test_a_task_is_answered_though_its_snapshot_fails(running: Runs) -> None:
    scribe = Scribe()
    _, loop = running(scribe)
    scribe.breaks.append("publish")
    assert loop.ask(scribe.task) == DONE
    assert "failed: publish" in scribe.lines


def test_what_is_due_by_itself_is_done_without_a_task(running: Runs) -> None:
    scribe = Scribe()
    scribe.often = 0.01
    running(scribe)
    wait_for(lambda: scribe.lines.count("go on") > 2)


@pytest.mark.parametrize("breaks", ["open", "publish"])
def test_what_is_in_the_way_of_the_beginning_is_raised_where_it_is_started(breaks: str) -> None:
    scribe = Scribe(breaks)
    loop = WriterLoop("tests", Inbox(), scribe)
    with pytest.raises(ValueError, match=breaks):
        loop.start()
    loop.stop()
    assert scribe.lines == (["open"] if breaks == "open" else ["open", "publish", "close"])
