"""Whose request is answered next: known devices first, then the address that has fewest at work."""

from types import SimpleNamespace
from typing import Any

from companion.web.serving.turns import MOST_WAITING, OF_ADDRESS, OF_STRANGERS, FairQueue

THREADS = 24


def channel(address: str, *, known: bool = False) -> Any:
    asked = SimpleNamespace(address=address, counted=False)
    return SimpleNamespace(address=address, known=known, connected=True, requests=[asked])


def drawn(queue: FairQueue) -> list[Any]:
    found = []
    while queue:
        found.append(queue.popleft())
    return found


def test_one_address_holds_few_threads_and_strangers_leave_most_of_them() -> None:
    queue = FairQueue(THREADS)
    for number in range(40):
        queue.append(channel("10.0.0.1"))
        queue.append(channel(f"10.0.1.{number}"))
    first = drawn(queue)
    assert len(first) == THREADS // OF_STRANGERS
    assert len({one.address for one in first}) > 1
    assert [one.address for one in first].count("10.0.0.1") <= THREADS // OF_ADDRESS
    queue.append(channel("10.0.0.1", known=True))
    assert [one.known for one in drawn(queue)] == [True], "a known device needs none of the strangers' threads"
    for one in first:
        queue.done(one.requests[0])
    assert len(drawn(queue)) == len(first)


def test_an_address_that_asks_now_and_then_is_next() -> None:
    queue = FairQueue(THREADS)
    for _ in range(100):
        queue.append(channel("10.0.0.1"))
    held = drawn(queue)
    queue.append(channel("10.0.0.2"))
    assert [one.address for one in drawn(queue)] == ["10.0.0.2"]
    queue.done(held[0].requests[0])
    assert [one.address for one in drawn(queue)] == ["10.0.0.1"]


def test_the_next_request_of_a_line_may_begin_before_the_last_one_has_ended() -> None:
    """Each such moment once held a thread forever; six addresses shut all others out."""
    queue = FairQueue(2 * OF_ADDRESS)
    line = channel("10.0.0.1")
    (first,) = line.requests
    queue.append(line)
    assert queue.popleft() is line
    line.requests = [SimpleNamespace(address="10.0.0.1", counted=False)]
    queue.append(line)
    assert queue.popleft() is line
    for asked in (first, first, *line.requests):
        queue.done(asked)
    assert not queue._at_work


def test_requests_of_one_address_come_in_turn() -> None:
    queue = FairQueue(4)
    lines = [channel("10.0.0.1") for _ in range(3)]
    for one in lines:
        queue.append(one)
    for one in lines:
        assert drawn(queue) == [one]
        queue.done(one.requests[0])


def test_who_has_gone_is_not_kept() -> None:
    queue = FairQueue(THREADS)
    for _ in range(10 * MOST_WAITING):
        gone = channel("10.0.0.1")
        queue.append(gone)
        gone.connected = False
    assert len(queue) <= MOST_WAITING + 1
