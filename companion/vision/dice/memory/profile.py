"""A person's own dice as one file: the memory that ``companion learn`` makes, with which a table starts.

Profiles of earlier programs are ZIP files of another form, `profile.json` and a PNG of each face: they are taken over.
"""

import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.rules.dice import DiceSet, dice_set
from companion.rules.strict_json import read_json
from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import OUTLINES, FaceReader, Outline, Texts, Vectors, rotations
from companion.vision.dice.geometry import PATCH_PIXELS, SQUARE
from companion.vision.dice.memory.exemplars import LEARNT, SIDE_OUTLINE, View
from companion.vision.dice.memory.light import Light
from companion.vision.dice.memory.store import TORN, MemoryFileError, load
from companion.vision.dice.memory.table import Origin, Shown, TableMemory
from companion.vision.dice.nets import settings
from companion.vision.images import decode_image
from companion.vision.readings import Image

ENDING: Final = ".dice"
EARLIER_HEAD: Final = "profile.json"
EARLIER_KIND: Final = "Alea dice profile"
EARLIER_VERSION: Final = 1
MOST_FACES: Final = 4000
MOST_BYTES: Final = 64 * 1024
"""A crop of 64 x 64 pixels is far smaller; a larger entry is no crop."""
MOST_HEAD_BYTES: Final = 4 * 1024 * 1024
"""The largest size of `EARLIER_HEAD`. With `MOST_FACES` faces it has about one megabyte."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,59}")


class ProfileError(ValueError):
    """A profile cannot be read or found, or its name is not allowed; the text is one sentence."""


@dataclass(frozen=True, eq=False)
class LearntFace:
    """One view of a face: the flat patch (PATCH x PATCH, BGR, uint8), its shape, its text and its throw."""

    patch: Image
    outline: Outline
    text: str
    throw: int


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


def memory_of(faces: Sequence[LearntFace], dice: DiceSet, name: str, made: str) -> TableMemory:
    """Return what a table knows once somebody named these faces of a set, throw by throw."""
    squares = [face for face in faces if face.outline == "square"] or faces
    throws = sorted({face.throw for face in faces})
    light = Light.of([[face.patch for face in squares if face.throw == throw] for throw in throws])
    memory = TableMemory(origin=Origin(name, dice.name, made, light))
    reader = FaceReader(dice, settings().temperature)
    shown = Shown([text for _, text in reader.texts.upper])
    for face in sorted(faces, key=lambda face: face.throw):
        turned = rotations(face.patch, face.outline)
        (net_view,) = reader.views([turned])
        outline, recalled = SIDE_OUTLINE, None
        if face.outline == "square":
            outline = len(SQUARE)
            general = reader.judge(reader.opinions([net_view]), [outline])
            recalled = memory.recall(outline, net_view.descriptors, general, shown)
        view = View(net_view.descriptors, turned)
        source = f"{LEARNT}{face.throw}"
        memory.learn(outline, bag_of(face.text), view, source, named=True, recalled=recalled)
    return memory


def open_profile(path: Path) -> TableMemory:
    """Read the memory of somebody's dice, which names its `Origin`; also a profile of an earlier program.

    Raises:
        ProfileError: the file is missing, torn, no profile, or of another version of the program.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if EARLIER_HEAD in archive.namelist():
                return _taken_over(archive)
        return load(path, None, _described)
    except FileNotFoundError as error:
        raise ProfileError(f"Expected a profile of dice at {path}, but there is none: learn the dice first.") from error
    except OSError as error:
        raise ProfileError(f"The profile {path} cannot be read ({error.strerror}): check the file.") from error
    except ProfileError:
        raise
    except (*TORN, MemoryFileError) as error:
        raise ProfileError(
            f"{path} is not a whole profile of dice: it is damaged, of a newer program or another file; learn again."
        ) from error


def _described(patches: Sequence[Image]) -> Vectors:
    """Describe faces by the net in use; of which set they are plays no part."""
    return FaceReader(dice_set("wibold"), settings().temperature).describe(patches)


def _taken_over(archive: zipfile.ZipFile) -> TableMemory:
    """Return the memory of a profile of an earlier program."""
    if archive.getinfo(EARLIER_HEAD).file_size > MOST_HEAD_BYTES:
        raise ValueError("a head far too large")
    head = read_json(archive.read(EARLIER_HEAD))
    if head["kind"] != EARLIER_KIND or head["version"] != EARLIER_VERSION or len(head["faces"]) > MOST_FACES:
        raise ValueError("no profile, or one of another version")
    faces = [_face(entry, archive) for entry in head["faces"]]
    name, of = str(head["name"]), str(head["set"])
    try:
        dice = dice_set(of)
    except ValueError as error:
        raise ProfileError(f"The profile {name} cannot be used: {error}") from error
    texts = Texts.of(dice)
    known = {"square": [text for _, text in texts.upper], "side": texts.side}
    for face in faces:
        if bag_of(face.text) not in map(bag_of, known[face.outline]):
            raise ProfileError(
                f"The profile {name} names a face {face.text!r} that the {of} set has not: learn the dice again."
            )
    return memory_of(faces, dice, name, str(head["made"]))


def _face(entry: dict[str, Any], archive: zipfile.ZipFile) -> LearntFace:
    if entry["outline"] not in OUTLINES or archive.getinfo(entry["file"]).file_size > MOST_BYTES:
        raise ValueError("an unknown shape, or no crop of a face")
    patch = decode_image(archive.read(entry["file"]), live=True)
    if patch.shape != (PATCH_PIXELS, PATCH_PIXELS, 3):
        raise ValueError("no crop of a face")
    return LearntFace(patch, entry["outline"], str(entry["text"]), int(entry["throw"]))
