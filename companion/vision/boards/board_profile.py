"""The profile of one board under one camera: where it lies, its markers, the lens, colours, and a picture of it.

A profile is one file, a ZIP of ``profile.json`` and ``picture.jpg``: copied, sent and replaced as a whole. The picture
shows the board and a little around it; the rest of the room is black.
"""

import io
import json
import math
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.language.sentence import Sentence
from companion.rules.strict_json import read_json
from companion.vision.boards.layout import NUMBERS
from companion.vision.boards.lens import Lens, LensError
from companion.vision.boards.likeness import LEAST_SIDES, BoardPicture
from companion.vision.boards.pose import BoardPose, How, Places, Points, PoseError, pose_from_corners
from companion.vision.images import decode_image
from companion.vision.picture_header import BadFrameError
from companion.vision.readings import Image
from companion.whole_file import write_whole

KIND: Final = "Alea board profile"
PROFILE_VERSION: Final = 1
ENDING: Final = ".board"
MOST_BYTES: Final = {"profile.json": 1 << 20, "picture.jpg": 12 << 20}

PROFILE_DAYS: Final = 30
"""Days after which the program calls a profile old: lamps, windows and camera arms have moved by then."""

MOST_BRIGHTER: Final = 1.6
"""The factor by which the board may be brighter or darker than when it was calibrated."""

MOST_TINTED: Final = 1.3
"""The factor by which its ratio of red to blue may differ."""

LEAST_ALIKE_SHARE: Final = 0.3
"""The share of the border's tiles that must look as before. Below it, the board has moved."""

KEPT_RIM_SHARE: Final = 0.12
"""How much around the board the picture keeps, as a share of the board. No more: a profile must not keep faces."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,59}")
_HOWS: Final[tuple[How, ...]] = ("markers", "hand", "finder", "picture")


class BoardProfileError(ValueError):
    """A profile cannot be read, written or found; the text is one sentence."""


@dataclass(frozen=True, eq=False)
class BoardProfile:
    """The result of a calibration.

    ``board``: what the board is called, as in `layout`. ``made``: date, time and zone (ISO 8601). ``picture``: BGR.
    ``corners``: the field's, (4, 2), in pixels of the picture. ``places``: where the markers lie as fractions of the
    field, empty if it has none. ``field_mm``: width and height where they are known. ``colours``: of the two sides and
    the empty board, plain data. ``camera``: its settings, as read back from it. ``quality``: the judgement of the
    picture.
    """

    name: str
    board: str
    made: str
    picture: Image
    corners: Points
    how: How
    places: Places = field(default_factory=dict)
    lens: Lens | None = None
    field_mm: tuple[float, float] | None = None
    colours: Mapping[str, Any] = field(default_factory=dict)
    camera: Mapping[str, Any] = field(default_factory=dict)
    quality: Mapping[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the camera's pictures."""
        return self.picture.shape[1], self.picture.shape[0]

    @property
    def pose(self) -> BoardPose:
        """Where the board lay when it was calibrated."""
        return pose_from_corners(self.corners, self.size, self.how, self.lens)

    def to_json(self) -> dict[str, Any]:
        """Return all but the picture as plain data."""
        return {
            "kind": KIND,
            "version": PROFILE_VERSION,
            "name": self.name,
            "board": self.board,
            "made": self.made,
            "size": list(self.size),
            "corners": np.asarray(self.corners).tolist(),
            "how": self.how,
            "markers": {str(number): np.asarray(places).tolist() for number, places in sorted(self.places.items())},
            "lens": None if self.lens is None else self.lens.to_json(),
            "field_mm": None if self.field_mm is None else list(self.field_mm),
            "colours": dict(self.colours),
            "camera": dict(self.camera),
            "quality": dict(self.quality),
        }


def check_name(name: str) -> str:
    """Return the name if it is valid for a profile.

    Raises:
        BoardProfileError: it is not.
    """
    if not _NAME.fullmatch(name):
        raise BoardProfileError(
            f"Expected a name of letters, digits, spaces, dots and hyphens for the profile, but got {name!r}: "
            "choose another."
        )
    return name


def only_board(image: Image, pose: BoardPose, places: Places) -> Image:
    """Return the picture with everything black except the board, its markers and what is close to them."""
    outer = [
        np.array(
            [
                [-KEPT_RIM_SHARE, -KEPT_RIM_SHARE],
                [1 + KEPT_RIM_SHARE, -KEPT_RIM_SHARE],
                [1 + KEPT_RIM_SHARE, 1 + KEPT_RIM_SHARE],
                [-KEPT_RIM_SHARE, 1 + KEPT_RIM_SHARE],
            ]
        )
    ]
    for corners in places.values():
        middle = corners.mean(axis=0)
        outer.append(middle + (corners - middle) * 1.6)
    hull = cv2.convexHull(np.round(pose.pixels(np.concatenate(outer))).astype(np.int32))
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, hull, 255)
    return np.asarray(cv2.bitwise_and(image, image, mask=mask), np.uint8)


def save(path: Path, profile: BoardProfile) -> None:
    """Write a profile completely or leave the old file unchanged.

    Raises:
        BoardProfileError: it cannot be written there.
    """
    check_name(profile.name)
    ok, jpeg = cv2.imencode(".jpg", profile.picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
    assert ok
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("profile.json", json.dumps(profile.to_json(), ensure_ascii=False, indent=1))
        archive.writestr("picture.jpg", jpeg.tobytes())
    try:
        write_whole(path, packed.getvalue(), folders=True)
    except OSError as error:
        raise BoardProfileError(str(error)) from error


def load(path: Path) -> BoardProfile:
    """Read a profile.

    Raises:
        BoardProfileError: the file is missing, damaged, not a profile, or of another version of the program.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            data = _of_this_version(read_json(_entry(archive, "profile.json")), path)
            return _profile(data, decode_image(_entry(archive, "picture.jpg"), live=True))
    except FileNotFoundError as error:
        raise BoardProfileError(
            f"Expected a profile of a board at {path}, but there is none: calibrate the board first."
        ) from error
    except OSError as error:
        raise BoardProfileError(f"The profile {path} cannot be read ({error.strerror}): check the file.") from error
    except BoardProfileError:
        raise
    except (
        zipfile.BadZipFile,
        BadFrameError,
        PoseError,
        LensError,
        AttributeError,
        EOFError,
        KeyError,
        NotImplementedError,
        OverflowError,
        RecursionError,
        RuntimeError,
        TypeError,
        ValueError,
    ) as error:
        raise BoardProfileError(
            f"{path} is not a whole profile of a board: it is damaged or is another file; calibrate again."
        ) from error


def stale(
    profile: BoardProfile, now: datetime, image: Image | None = None, days: int = PROFILE_DAYS
) -> tuple[Sentence, ...]:
    """Return what no longer fits: a profile's age, or the size, place, light or tint in a picture of today."""
    sentences = []
    age = (now - datetime.fromisoformat(profile.made)).total_seconds() / 86400
    if age > days:
        sentences.append(
            Sentence(
                "The profile {name} is {age} days old: check that camera and lamps are where they were, or calibrate "
                "again.",
                name=profile.name,
                age=int(age),
            )
        )
    if image is None:
        return tuple(sentences)
    size = (image.shape[1], image.shape[0])
    if size != profile.size:
        sentences.append(
            Sentence(
                "The profile {name} is for pictures of {expected}, but they are {came}: set the camera to that size, "
                "or calibrate again.",
                name=profile.name,
                expected=f"{profile.size[0]}x{profile.size[1]}",
                came=f"{size[0]}x{size[1]}",
            )
        )
        return tuple(sentences)
    picture = BoardPicture(profile.picture, profile.pose)
    alike, sides = picture.as_it_was(picture.small(image), np.eye(3))
    if alike < LEAST_ALIKE_SHARE or sides < LEAST_SIDES:
        sentences.append(
            Sentence(
                "The board is not where it was when the profile {name} was made: put camera and board back, or "
                "calibrate again.",
                name=profile.name,
            )
        )
        return tuple(sentences)  # the measured light would be that of something else
    (was, was_tint), (is_now, tint) = _light(profile.picture, profile.pose), _light(image, profile.pose)
    if not 1 / MOST_BRIGHTER <= is_now / was <= MOST_BRIGHTER:
        sentences.append(
            Sentence(
                "The board is {how} than when the profile {name} was made: set the light as it was, or calibrate "
                "again.",
                how=Sentence("much brighter") if is_now > was else Sentence("much darker"),
                name=profile.name,
            )
        )
    if not 1 / MOST_TINTED <= tint / was_tint <= MOST_TINTED:
        sentences.append(
            Sentence(
                "The light has a different colour from when the profile {name} was made: use the same lamps, lock "
                "the camera's white balance, or calibrate again.",
                name=profile.name,
            )
        )
    return tuple(sentences)


def _light(image: Image, pose: BoardPose) -> tuple[float, float]:
    """Return the board's brightness and its ratio of red to blue."""
    blue, green, red = (np.asarray(pose.flat(image, 96, 96), np.float64).reshape(-1, 3).mean(axis=0) + 1).tolist()
    return (blue + green + red) / 3, red / blue


def _of_this_version(data: Any, path: Path) -> dict[str, Any]:
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise BoardProfileError(f"{path} is no profile of a board: name a file that 'companion calibrate' wrote.")
    if data.get("version") != PROFILE_VERSION:
        raise BoardProfileError(
            f"{path} is a profile of version {data.get('version')}, but this program reads version {PROFILE_VERSION}: "
            "update the program, or calibrate the board again."
        )
    return data


def _entry(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > MOST_BYTES[name]:
        raise ValueError(f"{name} is too large")
    return archive.read(name)


def _profile(data: Mapping[str, Any], picture: Image) -> BoardProfile:
    made = str(data["made"])
    if datetime.fromisoformat(made).tzinfo is None:
        raise ValueError("a time without a zone")
    if tuple(data["size"]) != (picture.shape[1], picture.shape[0]):
        raise ValueError("a picture of another size")
    how = next(known for known in _HOWS if known == data["how"]) if data["how"] in _HOWS else None
    if how is None:
        raise ValueError("an unknown way")
    places = {int(number): _points(corners) for number, corners in data["markers"].items()}
    if not set(places) <= set(NUMBERS):
        raise ValueError("unknown markers")
    millimetres = data["field_mm"]
    if millimetres is not None:
        width, height = (float(value) for value in millimetres)
        if not (0 < width < math.inf and 0 < height < math.inf):
            raise ValueError("no lengths")
        millimetres = (width, height)
    profile = BoardProfile(
        check_name(str(data["name"])),
        str(data["board"]),
        made,
        picture,
        _points(data["corners"]),
        how,
        places,
        None if data["lens"] is None else Lens.from_json(data["lens"]),
        millimetres,
        dict(data["colours"]),
        {str(name): float(value) for name, value in data["camera"].items()},
        dict(data["quality"]),
    )
    assert profile.pose is not None  # raises if these are not the corners of a board
    return profile


def _points(data: Any) -> Points:
    points = np.array(data, np.float64)
    if points.shape != (4, 2) or not np.isfinite(points).all() or np.abs(points).max() > 1e5:  # noqa: PLR2004
        raise ValueError("no four points")
    return points
