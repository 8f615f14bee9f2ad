"""Hold exposure, white balance and focus as far as a camera allows it, and read them back to be sure."""

from dataclasses import dataclass
from typing import Any, Final

import cv2

from companion.language.sentence import N_, Sentence, Template
from companion.vision.sources.capture import Capture


@dataclass(frozen=True)
class Control:
    """One setting that a camera changes by itself: the property that stops this, and the one that then holds a value.

    ``manual``: what stops it; more than one where drivers differ.
    """

    name: Template
    automatic: int
    manual: tuple[float, ...]
    value: int
    advice: Template


CONTROLS: Final = (
    # V4L2 knows 1 for manual and 3 for automatic; older builds of OpenCV on other systems took 0.25.
    Control(
        N_("exposure"),
        cv2.CAP_PROP_AUTO_EXPOSURE,
        (1.0, 0.25),
        cv2.CAP_PROP_EXPOSURE,
        N_("light the table evenly, so that the camera has no reason to change it"),
    ),
    Control(
        N_("white balance"),
        cv2.CAP_PROP_AUTO_WB,
        (0.0,),
        cv2.CAP_PROP_WB_TEMPERATURE,
        N_("use lamps of one colour and keep daylight off"),
    ),
    Control(
        N_("focus"),
        cv2.CAP_PROP_AUTOFOCUS,
        (0.0,),
        cv2.CAP_PROP_FOCUS,
        N_("focus by hand if the camera has a ring, or keep hands off the board while it reads"),
    ),
)

READ_BACK_SHARE: Final = 0.02
"""The share by which a value that is read back may differ: drivers round."""


@dataclass(frozen=True)
class Held:
    """What became of one control. ``value``: as read back; None where the camera gives none."""

    name: str
    held: bool
    value: float | None
    sentence: Sentence


@dataclass(frozen=True)
class Lock:
    """What became of all controls."""

    controls: tuple[Held, ...]

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences for the player, one for each control."""
        return tuple(one.sentence for one in self.controls)

    def settings(self) -> dict[str, Any]:
        """Return the values that held, by name, as a profile keeps them and `apply` takes them."""
        return {one.name: one.value for one in self.controls if one.held}


def lock(capture: Capture) -> Lock:
    """Hold exposure, white balance and focus as they are now. Let the camera see the table for two seconds before."""
    return Lock(tuple(_hold(capture, control, _read(capture, control.value)) for control in CONTROLS))


def apply(capture: Capture, settings: dict[str, Any]) -> Lock:
    """Set what a profile kept: many cameras forget it when they are opened again. Leave all other settings free."""
    return Lock(
        tuple(
            _hold(capture, control, float(settings[control.name])) for control in CONTROLS if control.name in settings
        )
    )


def unlock(capture: Capture) -> None:
    """Let the camera set everything by itself again."""
    for control in CONTROLS:
        capture.set(control.automatic, 3.0 if control.automatic == cv2.CAP_PROP_AUTO_EXPOSURE else 1.0)


def _hold(capture: Capture, control: Control, wanted: float | None) -> Held:
    switched = any(
        capture.set(control.automatic, manual) and _same(_read(capture, control.automatic, low=0.0), manual)
        for manual in control.manual
    )
    if not switched:
        return Held(
            control.name,
            held=False,
            value=None,
            sentence=Sentence(
                "The camera's {control} cannot be locked: {advice}.",
                control=Sentence.of(control.name),
                advice=Sentence.of(control.advice),
            ),
        )
    if wanted is None:
        return _unsure(control, None)
    capture.set(control.value, wanted)
    got = _read(capture, control.value)
    if got is None or not _same(got, wanted):
        return _unsure(control, got)
    return Held(
        control.name,
        held=True,
        value=got,
        sentence=Sentence(
            "The {control} is locked at {value}.",
            control=Sentence.of(control.name),
            value=int(got) if got.is_integer() else float(f"{got:g}"),
        ),
    )


def _unsure(control: Control, got: float | None) -> Held:
    return Held(
        control.name,
        held=False,
        value=got,
        sentence=Sentence(
            "The camera no longer sets its {control} by itself, but does not keep the given value either: check "
            "whether the picture is still good; if not, {advice}.",
            control=Sentence.of(control.name),
            advice=Sentence.of(control.advice),
        ),
    )


def _read(capture: Capture, property_id: int, low: float | None = None) -> float | None:
    """Return a property; None where the camera has none, for which OpenCV gives -1 (an exposure may be below zero)."""
    value = float(capture.get(property_id))
    if value == -1.0 or value != value or (low is not None and value < low):  # noqa: PLR0124  a value that is no number
        return None
    return value


def _same(one: float | None, other: float) -> bool:
    return one is not None and abs(one - other) <= READ_BACK_SHARE * max(abs(other), 1.0)
