"""A computer that takes too few of a camera's pictures says so; a slow camera, a reading, a recording do not count."""

import logging
from collections.abc import Iterable

import numpy as np
import pytest

from companion.desk.page.camera import camera_part
from companion.desk.sight import BoardSight, Sight
from companion.language.sentence import Sentence
from companion.live.watching.keeping_up import KeepingUp
from companion.live.watching.thread import WatchingThread
from companion.vision.readings import Frame, GrabbingEffort
from companion.vision.sources.scripted import open_sample
from companion.vision.sources.source import FrameSource, SourceState
from tests.live.drawn import DrawnSource, draw
from tests.live.watching.test_thread import CountingSteps

IMAGE = np.zeros((2, 2, 3), np.uint8)


def taken(numbers: Iterable[int], sent: float) -> list[str | None]:
    """Take these of the pictures that a camera sends, ``sent`` a second; return what is to be said after each."""
    keeping_up, said = KeepingUp("a camera"), list[str | None]()
    for number in numbers:
        keeping_up.take(Frame(IMAGE, 100 + number / sent, "a camera", number))
        said.append(None if keeping_up.warning is None else str(keeping_up.warning))
    return said


def test_whoever_takes_every_fifth_of_fifteen_pictures_says_so_and_logs_it_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        said = taken(range(1, 15 * 60, 5), 15.0)
    first = "This computer is too slow for a camera: it takes only 3 of its pictures a second."
    assert said[-1] == f"{first} Close other programs, or set the camera to smaller pictures."
    assert said.index(said[-1]) == 30, "ten seconds are counted"
    assert [record.getMessage() for record in caplog.records] == [said[-1]]


@pytest.mark.parametrize(
    ("numbers", "sent"),
    [
        (range(1, 900), 15.0),
        (range(1, 900, 2), 15.0),  # 7.5 a second are enough
        (range(1, 900), 3.0),  # the camera is slow, and the computer takes all
        ([number for number in range(1, 900) if number % 150 > 30], 15.0),  # two seconds of reading in ten
    ],
)
def test_other_reasons_are_not_called_slow(numbers: Iterable[int], sent: float) -> None:
    assert set(taken(numbers, sent)) == {None}


def effort(second: float, share: float, waits: float) -> GrabbingEffort:
    """Return what a thread has done by then that computes for a share of the time, and waits so many times as long."""
    part = 0.1 * share * second
    return GrabbingEffort(share * second, part, part * (1 + waits))


def judged(sent: float, share: float, waits: float) -> str | None:
    """Take all pictures of a camera on a computer where the thread that takes them makes this effort."""
    keeping_up = KeepingUp("a camera")
    for number in range(1, 200):
        second = number / sent
        keeping_up.take(Frame(IMAGE, second, "a camera", number, effort=effort(second, share, waits)))
    return None if keeping_up.warning is None else str(keeping_up.warning)


@pytest.mark.parametrize(("share", "waits"), [(0.013, 140.0), (0.6, 0.0), (0.1, 5.0)])
def test_a_computer_that_gets_few_pictures_because_it_is_slow_says_so_although_it_passes_none_over(
    share: float, waits: float
) -> None:
    said = judged(2.7, share, waits)
    assert said is not None
    assert "it takes only 3 of its pictures a second" in said
    assert judged(6.9, share, waits) is None, "so many are enough"


@pytest.mark.parametrize(("share", "waits"), [(0.06, 0.1), (0.06, 5.0), (0.4, 0.0), (0.0, 0.0)])
def test_a_slow_camera_is_not_this_computer_s_fault(share: float, waits: float) -> None:
    assert judged(2.7, share, waits) is None


def test_a_thread_that_took_over_from_another_has_done_nothing_yet() -> None:
    assert GrabbingEffort(0.1, 0.01, 5.0).share_since(GrabbingEffort(90.0, 9.0, 99.0), 10.0) == 0.0


def test_a_camera_that_was_away_is_not_this_computer_s_fault() -> None:
    keeping_up = KeepingUp("a camera")
    for number in range(1, 300):
        keeping_up.take(Frame(IMAGE, number / 15 + 60 * (number > 100), "a camera", number))
        assert keeping_up.warning is None


def test_a_computer_that_keeps_up_again_takes_it_back() -> None:
    said = taken([*range(1, 600, 5), *range(601, 1200)], 15.0)
    assert said[119] is not None
    assert said[-1] is None


class Hasty(DrawnSource):
    """A camera whose pictures are numbered and timed as if ``passed_over`` of 15 a second were missed each time."""

    def __init__(self, passed_over: int) -> None:
        super().__init__()
        self.step = passed_over + 1
        self.state = SourceState.LIVE

    def newest(self, after: int, timeout: float) -> Frame | None:
        del timeout
        number = after + self.step
        return Frame(draw({}), 100 + number / 15, self.name, number)


def watched(source: FrameSource) -> list[Sight]:
    found = list[Sight]()
    watching = WatchingThread("watch", source, CountingSteps(), found.append)
    for _ in range(100):
        watching.turn()
    return found


def test_the_thread_that_watches_passes_it_to_the_page() -> None:
    *_, last = watched(Hasty(passed_over=4))
    assert last.slow is not None
    part = camera_part(last)
    assert part["warning"] == part["sentence"] == last.slow.to_json()
    assert all(sight.slow is None for sight in watched(Hasty(passed_over=0)))


def test_a_recording_waits_for_a_slow_computer() -> None:
    sample = open_sample("ludus-regularis")
    sample.newest = Hasty(passed_over=4).newest  # type: ignore[method-assign]
    assert all(sight.slow is None for sight in watched(sample))


def test_a_board_camera_says_so_too_unless_it_is_lost() -> None:
    slow = Sentence("This computer is too slow.")
    board = BoardSight("a camera", "LIVE", Sentence("It sees the board."), slow=slow)
    assert camera_part(Sight(board=board))["warning"] == slow.to_json()
    lost = BoardSight("a camera", "LOST", Sentence("It is gone."), slow=slow)
    assert camera_part(Sight(board=lost))["warning"] is None
    assert camera_part(Sight("a camera", "LOST", Sentence("It is gone."), slow=slow))["warning"] is None
