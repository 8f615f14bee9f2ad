"""A source with a thread of its own: it opens, reads, notices a frozen or hung camera, and opens again."""

import contextlib
import logging
import threading
import time
import zlib
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Protocol, runtime_checkable

import numpy as np

from companion.language.sentence import Sentence
from companion.vision.images import check_live
from companion.vision.readings import Frame, GrabbingEffort, Image
from companion.vision.sources.capture import Thinning
from companion.vision.sources.locking import Lock
from companion.vision.sources.source import (
    CannotHoldError,
    NewestFrame,
    SourceBrokenError,
    SourceClosedError,
    SourceEndedError,
    SourceError,
    SourceState,
)

log = logging.getLogger(__name__)

STALE_AFTER = 2.0  # seconds without a fresh frame
MOST_PASSED_OVER = 2  # frames in a row that the reader of a recording may miss: every movement has more
AGAIN_EVERY = 1 / 15  # seconds after which a recording that waits for its reader shows the same picture again
SLOW_ABOVE, SLOWEST = 1.0, 10.0  # seconds between two frames of a slow camera; longer ones are an interruption
PATIENCE_FACTOR = 2.5  # times as long as between its last two frames: a slow camera is not stale before
LOG_AGAIN, MOST_LOGGED = 600.0, 8  # seconds in which a source logs a trouble once, and at most so many of them
FIRST_BACK_OFF, LONGEST_BACK_OFF = 0.5, 5.0  # seconds between two attempts to open
STUCK_SECONDS = 12.0  # seconds in one call of the driver; V4L2's own select() gives up after 10
MOST_STUCK = 3  # threads that may be left behind in a driver; then no more are started
HOLD_WAIT = 5.0  # seconds that a camera has to do what it is asked between two frames
CLOSE_WAIT = 0.5  # seconds that closing waits for the thread before it is left behind


NOT_OURS = Sentence(
    "This camera's exposure, white balance and focus cannot be locked from here: light the table evenly, and keep "
    "daylight off."
)


Waiter = Callable[[float], bool]
"""How a paced grabber waits for some seconds: True at once if the source is being closed, which never waits for it."""


class Grabber(Protocol):
    """One kind of camera or file, used by one thread only. All its errors are `SourceError`."""

    frozen_after: float | None  # seconds of the very same picture that show a frozen driver; None: it may stand still

    def open(self) -> None:
        """Open or reopen."""

    def grab(self, wait: Waiter) -> Image | None:
        """Return the next picture, blocking until it is due; None if there is none worth showing yet."""

    def close(self) -> None:
        """Let go of the device or file."""


@runtime_checkable
class Holds(Protocol):
    """A grabber whose camera lets exposure, white balance and focus be held; used by the grabbing thread only."""

    def lock(self) -> Lock:
        """Hold them as they are now; return what held, as read back."""

    def unlock(self) -> None:
        """Let the camera set them by itself again."""


class _Worker(threading.Thread):
    """One thread with one grabber. If the driver hangs, both are left behind and a new pair is made."""

    def __init__(
        self,
        grabber: Grabber,
        name: str,
        slot: NewestFrame,
        logged: dict[str, float],
        *,
        recorded: bool,
        thinning: Thinning,
    ) -> None:
        """``logged``: the troubles that the source has logged, and when; those of a thread left behind count too."""
        super().__init__(name=f"camera {name}", daemon=True)
        self.grabber = grabber
        self._slot = slot
        self._recorded = recorded
        self._thinning = thinning
        self._label = name
        self.closing = threading.Event()
        self.entered: float | None = None  # when the driver was called; None while it is not in the driver
        self.fresh: float | None = None  # when the last frame that counts came
        self.trouble: SourceError | None = None  # why it is lost; None while it is open
        self.doubt: Sentence | None = None  # why its frames do not count
        self.asked: SimpleQueue[tuple[Callable[[Grabber], Lock | None], Future[Lock | None]]] = SimpleQueue()
        self.gap = 0.0  # seconds between the last two frames that count; 0 after an interruption
        self._mark = 0
        self._warned: str | None = None  # the trouble logged last: each is logged once, not at every attempt
        self._logged = logged
        self._changed_at = 0.0
        self._part = self._passed = 0.0  # seconds of judging pictures, as in `GrabbingEffort`

    def run(self) -> None:
        """Open, read, and after trouble open again, until closing."""
        back_off = FIRST_BACK_OFF
        while not self.closing.is_set():
            before = self.fresh
            try:
                self._call(self.grabber.open)
                self._changed_at = time.monotonic()
                while not self.closing.is_set():
                    self._do_asked()
                    self._take()
            except SourceEndedError as end:
                self.trouble = end
                break
            except SourceError as error:
                self.trouble = error
                self._warn(error)
            except Exception as error:  # noqa: BLE001  a driver's surprise must not end the thread
                self.trouble = SourceBrokenError(
                    Sentence("{name} broke ({reason}): check its cable.", name=self._label, reason=type(error).__name__)
                )
                self._warn(self.trouble)
            finally:
                self.grabber.close()
            if self.fresh != before:  # it worked for a while: begin again with short waits
                back_off = FIRST_BACK_OFF
            if self.closing.wait(back_off):
                break
            back_off = min(back_off * 2, LONGEST_BACK_OFF)

    def _warn(self, trouble: SourceError) -> None:
        """Log why there is no picture: people who start the program look at the console first.

        A source that comes and goes logs little, because a log may lie on a memory card.
        """
        message, now = str(trouble.sentence), time.monotonic()
        for old in [text for text, when in self._logged.items() if now - when > LOG_AGAIN]:
            del self._logged[old]
        if message != self._warned and message not in self._logged and len(self._logged) < MOST_LOGGED:
            self._logged[message] = now
            log.warning("%s", message)
        self._warned = message

    def _do_asked(self) -> None:
        """Do what other threads ask of the camera: a device takes one thread only."""
        with contextlib.suppress(Empty):
            while True:
                task, answer = self.asked.get_nowait()
                if not answer.set_running_or_notify_cancel():  # nobody waits for it any more
                    continue
                self.entered = time.monotonic()
                try:
                    answer.set_result(task(self.grabber))
                except Exception as error:  # noqa: BLE001  whoever asked gets it
                    answer.set_exception(error)
                finally:
                    self.entered = None

    def _call(self, of_driver: Callable[[], None]) -> None:
        self.entered = time.monotonic()
        try:
            of_driver()
        finally:
            self.entered = None

    def _wait(self, seconds: float) -> bool:
        """Wait for the pace of a file: this is not in the driver, so it never counts as hanging."""
        entered, self.entered = self.entered, None
        ended = self.closing.wait(max(0.0, seconds))
        self.entered = time.monotonic() if entered is not None else None
        return ended

    def _take(self) -> None:
        shown = self._slot.frame
        if self._recorded and shown is not None and not self._slot.followed(MOST_PASSED_OVER, AGAIN_EVERY):
            self._slot.put(shown.image, again=True)
            return
        self.entered = time.monotonic()
        try:
            image = self.grabber.grab(self._wait)
        finally:
            self.entered = None
        if image is None or self.closing.is_set():
            return
        self.doubt = effort = None
        if self.grabber.frozen_after is not None:
            began, computed = time.monotonic(), time.thread_time()
            self.doubt = self._doubt_of(image)
            self._passed += time.monotonic() - began
            self._part += time.thread_time() - computed
            effort = GrabbingEffort(time.thread_time(), self._part, self._passed)
        if self.doubt is None:
            self.trouble = self._warned = None
            now = time.monotonic()
            gap = now - (self.fresh or now)
            self.fresh, self.gap = now, gap if gap < SLOWEST else 0.0
            self._slot.put(image, effort=effort, passed_over=self._thinning.passed_over())

    def _doubt_of(self, image: Image) -> Sentence | None:
        """Return why a real camera's picture does not count, or None. No sensor gives exactly the same bytes twice."""
        now, limit = time.monotonic(), self.grabber.frozen_after or 0.0
        mark = zlib.crc32(np.ascontiguousarray(image[::8, ::8]).data)
        if mark != self._mark:
            self._mark, self._changed_at = mark, now
        elif now - self._changed_at > 3 * limit:
            raise SourceBrokenError(Sentence("{name} is frozen: unplug it and plug it in again.", name=self._label))
        elif now - self._changed_at > limit:
            return Sentence("{name} sends the same picture again and again: check the camera.", name=self._label)
        return check_live(image)


class GrabbedSource:
    """A `FrameSource` around a `Grabber`; ``make`` gives a fresh grabber, so that a hung one can be left behind."""

    def __init__(
        self,
        name: str,
        make: Callable[[], Grabber],
        *,
        may_repeat: bool = False,
        recorded: bool = False,
        thinning: Thinning | None = None,
    ) -> None:
        """``may_repeat``: whether it may deliver a picture again, as in `Frame`. ``thinning``: the grabbers' own.

        ``recorded``: the pictures are a file's. They wait for a reader that is busy, so none of their throws is lost on
        a slow machine, and the source is never stale.
        """
        self.name = name
        """What a player would call this source."""
        self._recorded = recorded
        self._thinning = Thinning() if thinning is None else thinning
        self._make = make
        self._slot = NewestFrame(name, may_repeat=may_repeat)
        self._lock = threading.Lock()
        self._worker: _Worker | None = None
        self._stuck: list[_Worker] = []
        self._logged: dict[str, float] = {}
        self._started = self._suspended = self._closed = False

    @property
    def state(self) -> SourceState:
        """Return its state now."""
        return self._report()[0]

    @property
    def sentence(self) -> Sentence:
        """Return the sentence for the state."""
        return self._report()[1]

    def mirror(self) -> None:
        """Turn back every picture from now on: the source mirrors them."""
        self._slot.mirrored = True

    def hurry(self) -> None:
        """Give as many frames as a table needs on which something moves, from now on for some seconds."""
        self._thinning.hurry()

    def start(self) -> None:
        """Begin; raises `SourceClosedError` after `close`."""
        with self._lock:
            if self._closed:
                raise SourceClosedError(Sentence("{name} was closed: open it again.", name=self.name))
            self._started = True
            self._run()

    def _run(self) -> None:
        """Start a thread unless there is one; only with the lock."""
        if self._worker is None and not self._suspended:
            self._worker = self._new_worker()
            self._worker.start()

    @property
    def suspended(self) -> bool:
        """Whether the camera is closed until `wake`."""
        return self._suspended

    def suspend(self) -> None:
        """Close the camera until `wake`, such as overnight: nobody gets a frame in between."""
        with self._lock:
            self._suspended = True
            worker, self._worker = self._worker, None
        _end(worker)
        self._slot.empty()

    def wake(self) -> None:
        """Open the camera again. Frame numbers go on, so that no watcher takes an old frame for a new one."""
        with self._lock:
            self._slot.empty()  # a thread that was left behind may have put one more frame there
            self._suspended = False
            if self._started and not self._closed:
                self._run()

    def _new_worker(self) -> _Worker:
        return _Worker(
            self._make(), self.name, self._slot, self._logged, recorded=self._recorded, thinning=self._thinning
        )

    def close(self) -> None:
        """End for good. A thread that hangs in the driver is left behind; it closes the device when it wakes."""
        with self._lock:
            self._closed = True
            worker = self._worker
        self._slot.shut()
        _end(worker)

    @property
    def can_hold(self) -> bool:
        """Whether exposure, white balance and focus may be held with a source of this kind."""
        return self._worker is not None and isinstance(self._worker.grabber, Holds)

    def hold_settings(self, *, still: bool = True, timeout: float = HOLD_WAIT) -> Lock | None:
        """Hold exposure, white balance and focus as they are now and return what held; or release them: None.

        The thread that grabs does it, between two frames.

        Raises:
            CannotHoldError: a source of this kind cannot hold them.
            SourceBrokenError: the camera does not answer.
        """
        with self._lock:
            worker = self._worker
        if worker is None or worker.closing.is_set():
            raise SourceClosedError(Sentence("{name} is closed.", name=self.name))
        answer: Future[Lock | None] = Future()
        worker.asked.put((_holding if still else _letting_go, answer))
        try:
            return answer.result(timeout)
        except TimeoutError:
            answer.cancel()
            raise SourceBrokenError(
                Sentence("{name} does not answer: check the camera and its cable.", name=self.name)
            ) from None

    def newest(self, after: int, timeout: float) -> Frame | None:
        """Return the newest frame with a number above ``after``, waiting up to ``timeout`` seconds, or None."""
        frame = self._slot.newer(after, timeout)
        if frame is None:
            self._replace_stuck()
        else:
            self._thinning.take()
        return frame

    def _replace_stuck(self) -> None:
        with self._lock:
            worker = self._worker
            if worker is None or self._closed:
                return
            entered = worker.entered
            if entered is None or time.monotonic() - entered < STUCK_SECONDS:
                return
            self._stuck = [left for left in self._stuck if left.is_alive()]
            if len(self._stuck) >= MOST_STUCK:
                return
            worker.closing.set()
            self._stuck.append(worker)
            self._worker = self._new_worker()
            self._worker.fresh = worker.fresh
            self._worker.start()

    def _report(self) -> tuple[SourceState, Sentence]:
        worker = self._worker
        if self._closed or self._suspended:
            closed = Sentence("{name} is closed.", name=self.name)
            return SourceState.LOST, closed if self._closed else Sentence("{name} is resting.", name=self.name)
        if worker is None:
            return SourceState.STARTING, Sentence("{name} has not been started.", name=self.name)
        if worker.trouble is not None:
            return SourceState.LOST, worker.trouble.sentence
        if worker.fresh is None:
            return SourceState.STARTING, worker.doubt or Sentence(
                "Waiting for the first picture from {name}.", name=self.name
            )
        patience = max(STALE_AFTER, PATIENCE_FACTOR * worker.gap)
        if not self._recorded and time.monotonic() - worker.fresh > patience:
            return SourceState.STALE, worker.doubt or Sentence(
                "No new picture comes from {name}: check the camera.", name=self.name
            )
        sees = Sentence("{name} sees the table.", name=self.name)
        if not self._recorded and worker.gap > SLOW_ABOVE:
            sees = Sentence(
                "{name} sees the table, but sends a picture only every {seconds} s: set it to 5 or more a second.",
                name=self.name,
                seconds=round(worker.gap),
            )
        return SourceState.LIVE, sees


def _end(worker: _Worker | None) -> None:
    """End a thread; if it hangs in the driver, leave it behind."""
    if worker is not None:
        worker.closing.set()
        worker.join(CLOSE_WAIT)


def _holding(grabber: Grabber) -> Lock:
    if not isinstance(grabber, Holds):
        raise CannotHoldError(NOT_OURS)
    return grabber.lock()


def _letting_go(grabber: Grabber) -> None:
    if isinstance(grabber, Holds):
        grabber.unlock()


class Pace:
    """Lets one frame pass every ``seconds``. After a delay by the reader, it does not catch up."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._due: float | None = None

    def step(self, wait: Waiter) -> bool:
        """Wait until the next frame is due; True if the source is being closed."""
        now = time.monotonic()
        if self._due is None or now - self._due > self.seconds:
            self._due = now
        ended = wait(self._due - now)
        self._due += self.seconds
        return ended
