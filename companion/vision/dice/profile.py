"""The profile of one owner's dice: flat crops of their faces with their names, and the light of the learnt throws.

A profile is one file: a ZIP of ``profile.json`` and one PNG for each face. Users copy, send and replace it as a whole.
It keeps the crops without loss, any archive program opens it, and its checksums reveal a torn file.
"""

import io
import json
import math
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.rules.strict_json import read_json
from companion.vision.dice.geometry import PATCH
from companion.vision.dice.likeness import Outline
from companion.vision.dice.score_calibration import ScoreCalibration
from companion.vision.images import decode_image
from companion.vision.readings import Image
from companion.whole_file import write_whole

KIND: Final = "Alea dice profile"
VERSION: Final = 1
ENDING: Final = ".dice"
MOST_FACES: Final = 4000
MOST_BYTES: Final = 64 * 1024
"""A crop of 64 x 64 pixels is far smaller; a larger entry is no crop."""
MOST_HEAD_BYTES: Final = 4 * 1024 * 1024
"""The largest size of ``profile.json``. With `MOST_FACES` faces it has about one megabyte."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,59}")
_BRIGHT = 1.0  # keeps the logarithm of black finite


class ProfileError(ValueError):
    """A profile cannot be read, written or found; the text is one sentence."""


@dataclass(frozen=True, eq=False)
class LearntFace:
    """One look at a face: the flat patch (PATCH x PATCH, BGR, uint8), its shape, its text and its throw.

    ``die`` is None where several dice bear the same marks and learning did not distinguish them. ``twin``: which of the
    faces with this text it is, by grain and wear. The number has no other meaning; None where it was not learnt.
    """

    patch: Image
    outline: Outline
    text: str
    die: str | None
    throw: int
    twin: int | None = None


@dataclass(frozen=True)
class Light:
    """Light and focus of the learnt throws: for each figure the mean and deviation of its logarithm over the throws."""

    figures: tuple[tuple[str, float, float], ...]


@dataclass(frozen=True, eq=False)
class Profile:
    """Everything learnt about one owner's dice.

    ``made``: date and time of day (ISO 8601). ``camera``: the source of the pictures, as far as known. ``picture``:
    width and height. ``axis``: how much blue, green and red each count for these marks.
    """

    name: str
    set_name: str
    made: str
    camera: str
    picture: tuple[int, int]
    axis: tuple[float, float, float]
    faces: tuple[LearntFace, ...]
    squares: ScoreCalibration | None
    sides: ScoreCalibration | None
    light: Light


def check_name(name: str) -> str:
    """Return the name if it is valid for a profile.

    Raises:
        ProfileError: it is not valid.
    """
    if not _NAME.fullmatch(name):
        raise ProfileError(
            f"Expected a name of letters, digits, spaces, dots and hyphens for the profile, but got {name!r}: "
            "choose another."
        )
    return name


def save(path: Path, profile: Profile) -> None:
    """Write a profile atomically: a failed write leaves the old file as it was.

    Raises:
        ProfileError: the file cannot be written there.
    """
    data = {
        "kind": KIND,
        "version": VERSION,
        "name": profile.name,
        "set": profile.set_name,
        "made": profile.made,
        "camera": profile.camera,
        "picture": list(profile.picture),
        "axis": list(profile.axis),
        "faces": [
            {
                "file": _file(n),
                "outline": one.outline,
                "text": one.text,
                "die": one.die,
                "throw": one.throw,
                "twin": one.twin,
            }
            for n, one in enumerate(profile.faces)
        ],
        "squares": profile.squares.to_json() if profile.squares else None,
        "sides": profile.sides.to_json() if profile.sides else None,
        "light": [list(figure) for figure in profile.light.figures],
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:  # a PNG is packed already
        archive.writestr("profile.json", json.dumps(data, ensure_ascii=False, indent=1))
        for n, one in enumerate(profile.faces):
            ok, png = cv2.imencode(".png", one.patch)
            assert ok
            archive.writestr(_file(n), png.tobytes())
    try:
        write_whole(path, packed.getvalue(), folders=True)
    except OSError as error:
        raise ProfileError(str(error)) from error


def load(path: Path) -> Profile:
    """Read a profile.

    Raises:
        ProfileError: the file is missing, torn, not a profile, or of another version of the program.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if archive.getinfo("profile.json").file_size > MOST_HEAD_BYTES:
                raise ProfileError(f"{path} is not a whole profile of dice: its head is far too large; learn again.")
            data = read_json(archive.read("profile.json"))
            if not isinstance(data, dict) or data.get("kind") != KIND:
                raise ProfileError(f"{path} is no profile of dice: name a file that 'companion learn' wrote.")
            if data.get("version") != VERSION:
                raise ProfileError(
                    f"{path} is a profile of version {data.get('version')}, but this program reads version {VERSION}: "
                    "update the program, or learn the dice again."
                )
            return _profile(data, archive)
    except FileNotFoundError as error:
        raise ProfileError(f"Expected a profile of dice at {path}, but there is none: learn the dice first.") from error
    except OSError as error:
        raise ProfileError(f"The profile {path} cannot be read ({error.strerror}): check the file.") from error
    except (zipfile.BadZipFile, EOFError, KeyError, TypeError, ValueError, RuntimeError, NotImplementedError) as error:
        if isinstance(error, ProfileError):
            raise
        raise ProfileError(
            f"{path} is not a whole profile of dice: it is damaged or another file; learn again."
        ) from error


def _profile(data: dict[str, Any], archive: zipfile.ZipFile) -> Profile:
    if len(data["faces"]) > MOST_FACES:
        raise ValueError("too many faces")
    width, height = data["picture"]
    blue, green, red = (_finite(value) for value in data["axis"])
    faces = tuple(_face(entry, archive) for entry in data["faces"])
    figures = tuple((str(name), _finite(mean), _finite(off)) for name, mean, off in data["light"])
    squares, sides = data["squares"], data["sides"]
    return Profile(
        str(data["name"]),
        str(data["set"]),
        str(data["made"]),
        str(data["camera"]),
        (int(width), int(height)),
        (blue, green, red),
        faces,
        ScoreCalibration.from_json(squares) if squares else None,
        ScoreCalibration.from_json(sides) if sides else None,
        Light(figures),
    )


def _face(entry: dict[str, Any], archive: zipfile.ZipFile) -> LearntFace:
    outline = entry["outline"]
    if outline not in ("square", "side"):
        raise ValueError("an unknown shape")
    if archive.getinfo(entry["file"]).file_size > MOST_BYTES:
        raise ValueError("no crop of a face")
    patch = decode_image(archive.read(entry["file"]), live=True)
    if patch.shape != (PATCH, PATCH, 3):
        raise ValueError("no crop of a face")
    die = entry["die"]
    twin = entry["twin"]
    return LearntFace(
        patch,
        outline,
        str(entry["text"]),
        None if die is None else str(die),
        int(entry["throw"]),
        None if twin is None else int(twin),
    )


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError("a figure that is none")
    return number


def _file(number: int) -> str:
    return f"faces/{number:04d}.png"


def light_figures(patches: Sequence[Image]) -> tuple[tuple[str, float], ...]:
    """Return the figures that describe light and focus of one throw's flat faces: pairs of name and logarithm.

    ``brightness`` of the faces, ``contrast`` of their marks, ``sharpness`` (fine detail for the same contrast) and
    ``colour`` (red over blue). Each is the median over the faces.
    """
    found = np.array([_figures(patch) for patch in patches])
    middle = np.median(found, axis=0)
    return tuple(zip(("brightness", "contrast", "sharpness", "colour"), map(float, middle), strict=True))


def _figures(patch: Image) -> tuple[float, float, float, float]:
    inner = patch[10:-10, 10:-10].astype(np.float32)  # the light differs at the edges of a face
    grey = inner.mean(axis=2)
    blue, _, red = inner.mean(axis=(0, 1)) + _BRIGHT
    fast = grey - cv2.GaussianBlur(grey, (0, 0), 8)
    contrast = float(fast.std()) + 0.5
    # remove noise and JPEG artefacts, which are finer than this blur
    soft = cv2.GaussianBlur(grey, (0, 0), 1.0)
    detail = float(cv2.Laplacian(soft, cv2.CV_32F, ksize=3).std()) + 0.05
    return (
        math.log(float(grey.mean()) + _BRIGHT),
        math.log(contrast),
        math.log(detail / contrast),
        math.log(float(red) / float(blue)),
    )


def learn_light(throws: Sequence[Sequence[Image]]) -> Light:
    """Return the light of some throws, measured on the flat faces of each.

    Raises:
        ValueError: no throw has a face.
    """
    told = [light_figures(patches) for patches in throws if len(patches)]
    if not told:
        raise ValueError("Expected at least one face to learn the light from, but there is none.")
    names = [name for name, _ in told[0]]
    values = np.array([[value for _, value in one] for one in told])
    means, offs = values.mean(axis=0), values.std(axis=0)
    return Light(tuple((name, float(mean), float(off)) for name, mean, off in zip(names, means, offs, strict=True)))
