"""Learning the faces of the dice while people play: what the writer tells, the watching thread learns.

The memories belong to the watching thread, because no two threads may use one. Others leave in a queue what is to be
done, and read a snapshot.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final

from companion.language.sentence import Sentence
from companion.live.dice_memory.folder import MemoryFolder
from companion.live.dice_memory.known import DiceRemembered, Remembered, dice_remembered
from companion.rules.dice import dice_sets
from companion.vision.dice.memory.glimpses import FaceLesson, Glimpse, teach
from companion.vision.dice.memory.store import MemoryFileError
from companion.vision.dice.memory.table import TableMemory

log = logging.getLogger(__name__)

READINGS_HELD: Final = 20
"""How many readings stay ready to be taught: a person may answer or correct a throw that long after it."""

MOST_KEPT: Final = 40
"""How many readings stay ready beyond that because a die of them was drawn for an audit."""

SAVE_EVERY: Final = 5.0
"""The least seconds between two writes of what was learnt."""

TRY_AGAIN: Final = 60.0
"""Seconds until the next try if the disk did not take it."""


@dataclass(frozen=True)
class DiceLesson:
    """What the dice of one reading turned out to show. ``interval`` names the reading, ``source`` the throw."""

    source: str
    interval: int
    lessons: tuple[FaceLesson, ...]


class Learning:
    """What the table remembers of its dice under the camera that looks at them now."""

    def __init__(self, folder: MemoryFolder, *, on: bool = True) -> None:
        """``on``: whether the table learns and uses what it learnt, from the beginning."""
        self._folder = folder
        self._camera = ""
        self._profile: TableMemory | None = None
        self._next: TableMemory | None = None
        self._tasks: SimpleQueue[tuple[Callable[[], None], Future[None]]] = SimpleQueue()
        self._on = on
        self._memories: dict[str, TableMemory] = {}
        self._held: OrderedDict[int, tuple[str, Sequence[Glimpse]]] = OrderedDict()
        self._kept: OrderedDict[int, tuple[str, Sequence[Glimpse]]] = OrderedDict()
        self._shown: dict[str, DiceRemembered] = {}
        self._unsaved: set[str] = set()
        self._save_after = 0.0
        self._saver: Thread | None = None
        self._trouble: Sentence | None = None
        self._unkept: Sentence | None = None
        self._changed = False
        self._remembered = Remembered(on)

    @property
    def remembered(self) -> Remembered:
        """What the table remembers now."""
        return self._remembered

    def tell(self, lesson: DiceLesson) -> Future[None]:
        """Teach what dice showed; whatever the same throw taught before is forgotten."""
        return self._ask(lambda: self._teach(lesson))

    def keep(self, interval: int) -> Future[None]:
        """Keep a reading ready for longer: somebody will say what a die of it shows."""
        return self._ask(lambda: self._keep(interval))

    def forget(self, source: str) -> Future[None]:
        """Forget what a throw taught."""
        return self._ask(lambda: self._forget(source))

    def clear(self) -> Future[None]:
        """Forget everything, on the disk too."""
        return self._ask(self._clear)

    def use(self, *, on: bool) -> Future[None]:
        """Learn from now on and use what was learnt, or neither; what was kept stays."""
        return self._ask(lambda: self._switch(on=on))

    def start_with(self, profile: TableMemory | None) -> None:
        """Start with what was learnt of somebody's dice when a camera opens next; new lessons stay separate."""
        self._next = profile

    def _ask(self, task: Callable[[], None]) -> Future[None]:
        answer: Future[None] = Future()
        self._tasks.put((task, answer))
        return answer

    # From here on everything is called by the watching thread.

    def open(self, camera: str) -> None:
        """Load what was kept of the dice under the camera of this name, and forget any other's. No error ends this."""
        self._camera, self._profile = camera, self._next
        for held in (self._memories, self._held, self._kept, self._shown):
            held.clear()
        for name in dice_sets():
            try:
                if self._folder.holds(name, self._key(name)) or self._start(name) is not None:
                    self._load(name)
            except Exception as error:
                log.exception("what the table remembers could not be loaded")
                self._failed(error)
        self._publish()

    def memory(self, set_name: str) -> TableMemory | None:
        """Return what is remembered of a set; None while nothing is to be used or learnt."""
        return self._load(set_name) if self._on else None

    def hold(self, interval: int, set_name: str, glimpses: Sequence[Glimpse]) -> None:
        """Keep what a reading saw until it is known what it showed."""
        if self._on and glimpses:
            self._held[interval] = (set_name, glimpses)
            while len(self._held) > READINGS_HELD:
                self._held.popitem(last=False)

    def work(self) -> bool:
        """Do what was asked for; return whether readers made before must be made again. No error ends this."""
        done: list[Future[None]] = []
        while True:
            try:
                task, answer = self._tasks.get_nowait()
            except Empty:
                break
            done.append(answer)
            try:
                task()
            except Exception as error:
                log.exception("the table could not learn from its dice")
                self._failed(error)
        if done:
            self._publish()
        for answer in done:  # the one who waited finds what it did in `remembered`
            answer.set_result(None)
        self._save_soon()
        changed, self._changed = self._changed, False
        return changed

    def close(self) -> None:
        """Do what was asked for, and write everything."""
        self.work()
        self._wait_for_saver()
        if self._unsaved:
            self._save(self._copies())

    def _load(self, set_name: str) -> TableMemory:
        known = self._memories.get(set_name)
        if known is None:
            known, trouble = self._folder.load(set_name, self._key(set_name), self._start(set_name))
            self._memories[set_name] = known
            self._trouble = trouble or self._trouble
            self._show(set_name)
            self._publish()
        return known

    def _start(self, set_name: str) -> TableMemory | None:
        """Return the profile if it is of this set."""
        origin = None if self._profile is None else self._profile.origin
        return self._profile if origin is not None and origin.set_name == set_name else None

    def _key(self, set_name: str) -> str:
        """Return what the memory of a set is kept by: the camera, and the profile with which it started."""
        start = self._start(set_name)
        if start is None or start.origin is None:
            return self._camera
        return f"{self._camera}\n{start.origin.name} {start.origin.made}"

    def _keep(self, interval: int) -> None:
        if interval in self._held:
            set_name, glimpses = self._held[interval]
            self._kept[interval] = set_name, [one.small() for one in glimpses]
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)

    def _teach(self, lesson: DiceLesson) -> None:
        held = self._held.get(lesson.interval) or self._kept.get(lesson.interval)
        if not self._on or held is None:
            return
        set_name, glimpses = held
        memory = self._load(set_name)
        memory.forget(lesson.source)
        teach(memory, glimpses, lesson.lessons, lesson.source)
        self._note(set_name)

    def _forget(self, source: str) -> None:
        for set_name, memory in self._memories.items():
            if memory.forget(source):
                self._note(set_name)

    def _clear(self) -> None:
        self._wait_for_saver()
        self._held.clear()
        self._kept.clear()
        self._trouble = self._unkept = None
        for set_name, memory in self._memories.items():
            memory.clear()
            self._show(set_name)
            try:
                self._folder.remove(set_name, self._key(set_name))
            except OSError as why:
                self._unkept = Sentence(
                    "What the table remembers of its dice cannot be deleted from the disk ({error}): delete the file.",
                    error=str(why.strerror),
                )
        self._unsaved.clear()

    def _switch(self, *, on: bool) -> None:
        self._on, self._changed = on, True
        self._held.clear()
        self._kept.clear()

    def _note(self, set_name: str) -> None:
        self._unsaved.add(set_name)
        self._show(set_name)

    def _show(self, set_name: str) -> None:
        self._shown[set_name] = dice_remembered(set_name, self._memories[set_name].exemplars)

    def _publish(self) -> None:
        dice = tuple(one for one in self._shown.values() if one.faces or one.doubts)
        self._remembered = Remembered(self._on, dice, self._unkept or self._trouble)

    def _failed(self, error: Exception) -> None:
        self._trouble = Sentence(
            "The table could not learn from its dice ({error}); they are read as before.", error=type(error).__name__
        )

    def _save_soon(self) -> None:
        """Write what is new in a thread of its own: a slow disk must not keep the dice waiting."""
        now = time.monotonic()
        if not self._unsaved or now < self._save_after or (self._saver is not None and self._saver.is_alive()):
            return
        self._save_after = now + SAVE_EVERY
        copies = self._copies()
        self._unsaved.clear()
        self._saver = Thread(target=self._save, args=(copies,), name="keep what the table remembers", daemon=True)
        self._saver.start()

    def _copies(self) -> dict[str, TableMemory]:
        return {name: self._memories[name].copy() for name in self._unsaved}

    def _save(self, copies: dict[str, TableMemory]) -> None:
        """Write copies of memories that no thread changes any more."""
        for set_name, memory in copies.items():
            try:
                self._folder.save(set_name, self._key(set_name), memory)
            except MemoryFileError as why:
                log.warning("%s", why)
                self._ask(partial(self._not_saved, set_name, why.sentence))
            except Exception as error:
                log.exception("what the table remembers could not be written")
                self._ask(partial(self._failed, error))
            else:
                if self._unkept is not None:
                    self._ask(self._saved)

    def _not_saved(self, set_name: str, why: Sentence) -> None:
        self._unsaved.add(set_name)
        self._unkept, self._save_after = why, time.monotonic() + TRY_AGAIN

    def _saved(self) -> None:
        self._unkept = None

    def _wait_for_saver(self) -> None:
        if self._saver is not None:
            self._saver.join()
