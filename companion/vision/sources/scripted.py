"""The sample table: a script of pictures, played like frames from a camera."""

import itertools
import json
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from companion.language.sentence import Sentence
from companion.vision.images import load_image
from companion.vision.picture_header import BadFrameError
from companion.vision.readings import Image
from companion.vision.sources.grabbed import GrabbedSource, Pace, Waiter
from companion.vision.sources.source import SourceBrokenError, UnknownSourceError

FRAME_SECONDS = 1 / 15
STILL = "still"  # the phase in which dice lie on the table and nobody's hand is there
IN_MOTION = frozenset({"moving", "hand"})  # phases of which a script has one picture and a camera would see many
# Pixels by which a picture of movement is shifted, in turn: if it stood for a quarter second, it would count as a still
# interval. No two within a second are alike, because a busy machine sees only some of them.
SHAKE = tuple(range(-48, 48, 6))
BEFORE_THROW = 0.45  # seconds that a camera which has just been started sees before the first dice roll
SAMPLES = Path(__file__).resolve().parents[3] / "sample_images"
THROWS = SAMPLES / "laboratory"


@dataclass(frozen=True)
class ScriptStep:
    """One picture of a script: how long it is shown, and which throw and phase it belongs to.

    ``made``: on a board, how many choices were made when the men stood like this; of dice, how many casts were shown by
    then.
    """

    image: Path
    seconds: float
    throw: int | None
    phase: str
    made: int = 0


def load_script(folder: Path) -> tuple[ScriptStep, ...]:
    """Read ``folder``/script.json; raises `UnknownSourceError` with what is wrong with it."""
    path = folder / "script.json"
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        rows = data.get("timeline") or data["frames"] if isinstance(data, dict) else data
        steps = tuple(
            ScriptStep(
                folder / str(row["image"]),
                float(row["seconds"]),
                row.get("throw"),
                str(row.get("phase", STILL)),
                int(row.get("made", 0)),
            )
            for row in rows
        )
    except OSError as error:
        raise UnknownSourceError(_no_sample(folder)) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnknownSourceError(
            Sentence("{path} is not the script of a sample table ({reason}).", path=str(path), reason=str(error))
        ) from error
    if not steps:
        raise UnknownSourceError(Sentence("{path} holds no frames: make it again.", path=str(path)))
    return steps if any(step.made for step in steps) else _with_casts(steps)


def samples() -> list[str]:
    """Return the names of the sample tables that are here."""
    return sorted(path.parent.name for path in SAMPLES.glob("*/script.json"))


def sample_dice() -> list[str]:
    """Return the names of the dice of which sample throws are here, for the laboratory."""
    return sorted(path.parent.name for path in THROWS.glob("*/script.json"))


def _no_sample(folder: Path) -> Sentence:
    known = samples()
    if folder.parent != SAMPLES or not known:
        return Sentence("There is no sample table at {folder}: install the program again.", folder=str(folder))
    return Sentence("There is no sample table {name}: there are {known}.", name=folder.name, known=", ".join(known))


def _with_casts(steps: tuple[ScriptStep, ...]) -> tuple[ScriptStep, ...]:
    """Return the steps of a script of dice, each with how often dice had rolled and come to rest by then."""
    counted, casts = [steps[0]], 0
    for before, step in itertools.pairwise(steps):
        casts += (before.phase, step.phase) == ("moving", STILL)
        counted.append(replace(step, made=casts))
    return tuple(counted)


class _ScriptGrabber:
    frozen_after: float | None = None

    def __init__(self, source: "ScriptedSource") -> None:
        self._source = source
        self._pace = Pace(FRAME_SECONDS)
        self._shown: tuple[Path, Image] | None = None
        self._first = True
        self._shake = itertools.cycle(SHAKE)

    def open(self) -> None:
        self._shown, self._first = None, True

    def grab(self, wait: Waiter) -> Image | None:
        if self._pace.step(wait):
            return None
        step = self._source.step if self._first else self._source.advance(FRAME_SECONDS)
        self._first = False
        if self._shown is None or self._shown[0] != step.image:
            try:
                self._shown = (step.image, load_image(step.image))
            except BadFrameError as error:
                raise SourceBrokenError(error.sentence) from error
        if step.phase in IN_MOTION:
            return np.roll(self._shown[1], next(self._shake), axis=1)
        return self._shown[1]

    def close(self) -> None:
        self._shown = None


class ScriptedSource(GrabbedSource):
    """A `FrameSource` that plays a script. At its end the last picture stays, or it begins again (``loop``).

    The playing thread and the live table share the position in the script, which ``_moving`` guards.
    """

    def __init__(self, folder: Path, *, pace: float = 1.0, loop: bool = False, waits: bool = False) -> None:
        """``waits``: the first picture stays until `begin`."""
        super().__init__("The sample camera", lambda: _ScriptGrabber(self), recorded=True)
        self._steps = load_script(folder)
        self._waits = waits
        self._loop = loop
        self._moving = Lock()
        self._at = 0
        self._spent = 0.0
        self._held = False
        self._followed: int | None = None  # choices or casts that somebody has followed; None: nobody follows
        self.pace = pace
        """How fast the script's seconds pass: 2.0 is twice as fast. The frames still come at 15 a second."""

    @property
    def step(self) -> ScriptStep:
        """Return the current step."""
        return self._steps[self._at]

    @property
    def ended(self) -> bool:
        """Return whether the last picture has been shown for its time."""
        with self._moving:
            return not self._loop and self._at == len(self._steps) - 1 and self._spent >= self._steps[-1].seconds

    def begin(self) -> None:
        """Play from the first picture on, if the source waits with it."""
        with self._moving:
            self._waits = False

    def hold(self) -> None:
        """Stay at the current picture, or, if that shows movement, at the next still one, until `release`."""
        with self._moving:
            self._held = True

    def release(self) -> None:
        """Play on."""
        with self._moving:
            self._held = False

    def follow(self, made: int | None) -> None:
        """Stay at a still picture until its choices or casts were followed.

        ``made``: how many were followed; None: never wait.
        """
        with self._moving:
            self._followed = made

    def skip(self, casts: int) -> None:
        """Go to what follows this many casts, 0 to begin again: each is dice that rolled and came to rest."""
        with self._moving:
            self._at, self._spent = self._after(casts), 0.0

    def skip_to_throw(self) -> None:
        """Go to shortly before the next dice roll, if any do."""
        with self._moving:
            moving = (at for at in range(self._at + 1, len(self._steps)) if self._steps[at].phase == "moving")
            if (at := next(moving, None)) is not None:
                self._at, self._spent = at - 1, self._steps[at - 1].seconds - BEFORE_THROW

    def skip_to(self, made: int) -> None:
        """Go to where the men of a board stand still after this many choices."""
        with self._moving:
            still = (at for at, step in enumerate(self._steps) if step.phase == STILL and step.made >= made)
            self._at, self._spent = next(still, len(self._steps) - 1), 0.0

    def advance(self, seconds: float) -> ScriptStep:
        """Let ``seconds`` of the script pass, unless it is held at a still picture, and return the current step."""
        with self._moving:
            if not self._stays():
                self._spent += seconds * self.pace
                if self._spent >= self._steps[self._at].seconds:
                    if self._at + 1 < len(self._steps):
                        self._at, self._spent = self._at + 1, 0.0
                    elif self._loop:
                        self._at, self._spent = 0, 0.0
            return self._steps[self._at]

    def _stays(self) -> bool:
        step = self._steps[self._at]
        behind = self._followed is not None and step.made > self._followed
        return self._waits or (step.phase == STILL and (self._held or behind))

    def _after(self, casts: int) -> int:
        """Return the first step after this many casts: dice that rolled and came to rest."""
        for at, (before, step) in enumerate(itertools.pairwise(self._steps), start=1):
            if casts == 0 and (at == 1 or step.phase != STILL):
                return at if at > 1 else 0
            casts -= (before.phase, step.phase) == ("moving", STILL)
        return len(self._steps) - 1


def open_sample(name: str, *, pace: float = 1.0) -> ScriptedSource:
    """Return the sample table of that name; raises `UnknownSourceError` if the samples are not here."""
    folder = SAMPLES / name
    if not name or Path(name).is_absolute() or ".." in Path(name).parts:
        raise UnknownSourceError(
            Sentence("There is no sample table '{name}': there are {known}.", name=name, known=", ".join(samples()))
        )
    return ScriptedSource(folder, pace=pace)


def open_sample_throws(name: str) -> tuple[ScriptedSource, str]:
    """Return the sample throws of a die, which wait with the empty table, and which die of which set it is, as SET/DIE.

    Raises:
        UnknownSourceError: there are none of that name.
    """
    known = sample_dice()
    if name not in known:
        raise UnknownSourceError(
            Sentence("There are no sample throws {name}: there are {known}.", name=name, known=", ".join(known) or "-")
        )
    script = json.loads((THROWS / name / "script.json").read_text(encoding="utf-8"))
    return ScriptedSource(THROWS / name, waits=True), f"{script['set']}/{script['die']}"
