"""What ``companion fairness watch --no-page`` prints: a line for each throw, and one for what stops a throw."""

import json
import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from companion.live.laboratory.laboratory import Laboratory

NEXT_THROW_WAIT: Final = 0.5
"""The most seconds that one wait for the next throw takes."""

LASTING_SECONDS: Final = 3.0
"""A hand, rolling dice and a camera that starts are reported after so many seconds: before, every throw has them."""

UNANSWERED: Final = "Nobody can answer here: the next throw marks this one as not read. A page asks."
ONCE_EACH: Final = "To count alike dice together, name --die once for each of them."


class SeriesPrinter:
    """Prints what happens in a laboratory, until it is interrupted or ``ended`` says so."""

    def __init__(self, laboratory: "Laboratory", clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with what the open series has now.

        Raises:
            click.ClickException: no series is open.
        """
        series = laboratory.snapshot().data["series"]
        if series is None:
            raise click.ClickException("Expected --die beside --no-page: there is no open series to continue.")
        self._laboratory, self._clock = laboratory, clock
        self.series: int = series["id"]
        self._printed: int = series["throws"]
        self._open: set[int] = set()  # throws printed without a face, which a row may name later
        self._counts: list[list[int]] = []
        self._now: tuple[str, float] = "", 0.0  # the sentence and since when it stands
        self._sentences: set[str] = set()
        self._last = self._warned = ""

    def follow(self, ended: Callable[[], bool] = lambda: False) -> None:
        """Print one JSON line per throw, and to standard error, once each, why a throw does not count."""
        version = 0
        while not ended():
            snapshot = self._laboratory.wait(version, NEXT_THROW_WAIT)
            if snapshot is None:
                self.tell(self._laboratory.snapshot().data)
                time.sleep(0)
                continue
            version = snapshot.version
            self.tell(snapshot.data)
            self.throws(snapshot.data["series"])

    def throws(self, now: dict[str, Any] | None) -> None:
        """Print the throws that are new, and those that have got a face since they were printed."""
        if now is None or now["id"] != self.series:
            return
        counts = [[now["throws"], *die["counts"]] for die in now["dice"]]
        if counts == self._counts:
            return
        self._counts = counts
        for throw in self._laboratory.throws(self.series) or []:
            number = throw["number"]
            if number <= self._printed and (number not in self._open or throw["outcome"] is None):
                continue
            line = {"series": self.series} | throw | _verdict(now, throw["die"])
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
            sys.stdout.flush()
            self._printed = max(self._printed, number)
            (self._open.add if throw["outcome"] is None else self._open.discard)(number)
            self._last = ""

    def tell(self, data: Mapping[str, Any]) -> None:
        """Print to standard error what a person has to know."""
        camera = data.get("camera") or {}
        warning = str((camera.get("warning") or {}).get("text", ""))
        if warning and warning != self._warned:
            click.echo(warning, err=True)
        self._warned = warning or self._warned
        sentence, sign = str(data["sentence"]["text"]), data["sign"]
        if sentence != self._now[0]:
            self._now = sentence, self._clock()
        passing = camera.get("phase") not in ("still", None) or camera.get("hand") or camera.get("status") == "STARTING"
        trouble = sign == "blind" and camera.get("status") != "STARTING"
        if sentence == self._last or (passing and not trouble and self._clock() - self._now[1] < LASTING_SECONDS):
            return
        if sign in ("throw", "none"):
            news = data["series"] is not None and data["series"]["throws"] == self._printed
            if not news or sentence in self._sentences:
                return
            self._sentences.add(sentence)
        self._last = sentence
        click.echo(sentence, err=True)
        if sign == "ask":
            click.echo(UNANSWERED, err=True)
        elif sign == "wait" and camera.get("phase") == "still" and ONCE_EACH not in self._sentences:
            self._sentences.add(ONCE_EACH)
            click.echo(ONCE_EACH, err=True)


def _verdict(series: dict[str, Any], die: str) -> dict[str, Any]:
    """Return the current verdict on a die, for the readers of the lines."""
    one = next(known for known in series["dice"] if known["name"] == die)
    return {"said": one["verdict"]["said"], "p": one["verdict"]["p"], "throws": one["throws"]}
