"""A laboratory before a drawn table, and what is asked of it."""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from companion.live.laboratory.laboratory import Laboratory
from companion.referee.readable import Dice
from companion.vision.mat import Mat
from companion.vision.readings import Frame
from tests.live.drawn import DrawnReader, DrawnSource, draw, joined

CUBES = ("1", "2", "3")


class Source(DrawnSource):
    """A drawn table that knows when all of its frames were dealt with."""

    def __init__(self) -> None:
        super().__init__()
        self._idle = threading.Event()

    def newest(self, after: int, timeout: float) -> Frame | None:
        if not self._waiting:
            self._idle.set()  # who asks has dealt with the frame before
        return super().newest(after, timeout)

    def dealt_with(self) -> None:
        self.seen()
        self._idle.clear()
        assert self._idle.wait(120)


class Drawn:
    """A laboratory that watches a drawn table on which letter dice are thrown."""

    def __init__(self, path: Path, dice: Sequence[str] = CUBES, **more: Any) -> None:
        self.source = Source()
        self.laboratory = Laboratory(
            path, source=self.source, mat=Mat(), reader=self._reader, combine=joined, seed=lambda: 7, **more
        )
        self.laboratory.start()
        self.source.empty()
        self.dice = tuple(dice)

    @staticmethod
    def _reader(dice: Dice) -> DrawnReader:
        return DrawnReader(dice[1])

    def begin(self, **more: Any) -> None:
        self.order("begin", dice=[{"set": "wibold", "die": die} for die in self.dice], **more)
        self.source.show(draw({}), 4)
        self.seen()

    def order(self, name: str, /, **data: Any) -> Any:
        reply = self.laboratory.command(name, data, "tests")
        assert reply.ok, str(reply.sentence)
        return reply.data

    def refused(self, name: str, /, **data: Any) -> str:
        reply = self.laboratory.command(name, data, "tests")
        assert not reply.ok
        return str(reply.sentence)

    def throw(self, faces: str, *, shift: float = 0.0, unsure: Sequence[str] = ()) -> None:
        """Throw the dice so that they show these faces, in their order, and wait until that was seen."""
        self.source.throw(self.lying(faces, shift), unsure)
        self.seen()

    def show(self, faces: str, *, shift: float = 0.0, unsure: Sequence[str] = ()) -> None:
        """Let dice lie there without their being thrown."""
        self.source.show(draw(self.lying(faces, shift), unsure))
        self.seen()

    def take_up(self) -> None:
        """Move the dice about for more than a second, as a person does who takes them up to throw them again."""
        for step in range(20):
            self.source.show(draw(self.lying("A E I", 90 + 60 * (step % 3))), 1)

    def hand(self) -> None:
        """Something passes over the dice."""
        self.source.show(draw(self.lying("A E I", 200)), 2)

    def lying(self, faces: str, shift: float) -> dict[str, tuple[str, float, float]]:
        places = {"1": 120.0, "2": 240.0, "3": 360.0}
        given = dict(zip(self.dice, faces.split(), strict=False))
        return {die: (face, places[die] + shift, 150.0 + shift / 3) for die, face in given.items() if face != "-"}

    def seen(self) -> None:
        """Wait until everything that was shown was judged."""
        self.source.dealt_with()
        self.laboratory.command("look", {}, "tests")  # is refused, but answered in its turn

    def state(self) -> Any:
        return self.laboratory.snapshot().data

    def counts(self) -> dict[str, list[int]]:
        return {die["name"]: die["counts"] for die in self.state()["series"]["dice"]}

    def until(self, true: Callable[[Any], bool], patience: float = 60) -> Any:
        end = time.monotonic() + patience
        while not true(self.state()):
            assert time.monotonic() < end, self.state()
            time.sleep(0.02)
        return self.state()

    def last(self) -> list[tuple[int, str, str | None]]:
        """Return number, die and outcome of the newest throws, the oldest first."""
        return [(one["number"], one["die"], one["outcome"]) for one in reversed(self.state()["series"]["last"])]

    def stop(self) -> None:
        self.laboratory.stop()
