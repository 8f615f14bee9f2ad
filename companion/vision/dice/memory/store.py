"""A table's memory as a file: written whole or not at all, read with every doubt."""

import contextlib
import json
import os
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from companion.language.sentence import Sentence, SentenceError
from companion.vision.dice.faces import DESCRIBED
from companion.vision.dice.geometry import PATCH
from companion.vision.dice.memory.balance import Balance
from companion.vision.dice.memory.exemplars import MOST, Exemplar, Exemplars, Vectors
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.nets import FACES, card
from companion.vision.images import BadFrameError, decode_image
from companion.vision.readings import Image

KIND: Final = "alea table memory"
VERSION: Final = 1
HEAD: Final = "memory.json"
DESCRIPTORS: Final = "descriptors"
MOST_BYTES: Final = 32 << 20
"""The most bytes of a file that is read, and of each part of it."""

Describe = Callable[[Sequence[Image]], Vectors]
"""Describes flat faces (`PATCH` x `PATCH` x 3): (n, `DESCRIBED`), each of length 1."""


class MemoryFileError(SentenceError):
    """A file is no memory of a table, or cannot be read or written; the text is one sentence."""


def save(path: Path, memory: TableMemory, set_name: str) -> None:
    """Write a table's memory of one set of dice; a failed write leaves the old file as it was.

    Raises:
        MemoryFileError: the file cannot be written there.
    """
    kept = list(memory.exemplars)
    head = {
        "kind": KIND,
        "version": VERSION,
        "set": set_name,
        "net": _net(),
        "balance": [round(float(score), 4) for score in memory.balance.scores],
        "faces": [
            {
                "outline": one.outline,
                "bag": one.bag,
                "source": one.source,
                "said": one.said,
                "picture": len(one.picture),
            }
            for one in kept
        ],
    }
    described = np.array([one.descriptor for one in kept], np.float16).reshape(len(kept), DESCRIBED)
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with half.open("wb") as opened:
            with zipfile.ZipFile(opened, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(HEAD, json.dumps(head, ensure_ascii=False))
                archive.writestr(DESCRIPTORS, described.tobytes())
                for number, one in enumerate(kept):
                    archive.writestr(f"{number}.jpg", one.picture)
            opened.flush()
            os.fsync(opened.fileno())
        half.replace(path)
    except OSError as error:
        raise MemoryFileError(
            Sentence(
                "What the table remembers of its dice cannot be kept ({error}): make room or choose another folder.",
                error=str(error.strerror),
            )
        ) from error
    finally:
        with contextlib.suppress(OSError):  # what could not be written said so
            half.unlink(missing_ok=True)


def load(path: Path, set_name: str, describe: Describe) -> TableMemory:
    """Read a table's memory of one set of dice.

    If another net described the faces, ``describe`` describes their pictures anew, and the balance starts afresh.

    Raises:
        FileNotFoundError: there is no such file.
        MemoryFileError: the file is torn, of another set, of a newer program, or something else.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise MemoryFileError(_not_whole())
        with zipfile.ZipFile(path) as archive:
            head = json.loads(_part(archive, HEAD))
            _expect(head, set_name)
            faces = _faces(head, archive)
            described = np.frombuffer(_part(archive, DESCRIPTORS), np.float16).reshape(len(faces), DESCRIBED)
        if not np.isfinite(described).all():
            raise MemoryFileError(_not_whole())
        if head["net"] != _net():
            return TableMemory(Exemplars(_described_anew(faces, describe)))
        known = [replace(one, descriptor=vector) for one, vector in zip(faces, described, strict=True)]
        return TableMemory(Exemplars(known), Balance(np.array(head["balance"], np.float64)))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise MemoryFileError(
            Sentence("What the table remembers cannot be read ({error}): check the file.", error=str(error.strerror))
        ) from error
    except (zipfile.BadZipFile, EOFError, KeyError, TypeError, ValueError, RuntimeError, NotImplementedError) as error:
        if isinstance(error, MemoryFileError):
            raise
        raise MemoryFileError(_not_whole()) from error


def _net() -> str:
    """Return what tells one mark net's descriptors from another's."""
    return str(card()["files"][FACES]["sha256"])[:16]


def _expect(head: Any, set_name: str) -> None:
    if not isinstance(head, dict) or head.get("kind") != KIND:
        raise MemoryFileError(_not_whole())
    if head.get("version") != VERSION:
        raise MemoryFileError(
            Sentence(
                "The table's memory is of version {got}, but this program reads version {known}: update the program.",
                got=str(head.get("version"))[:20],
                known=VERSION,
            )
        )
    if head.get("set") != set_name:
        raise MemoryFileError(
            Sentence(
                "Expected a memory of {wanted} dice, but the file is of {got}: choose another file.",
                wanted=set_name,
                got=str(head.get("set"))[:40],
            )
        )


def _faces(head: dict[str, Any], archive: zipfile.ZipFile) -> list[Exemplar]:
    if len(head["faces"]) > MOST:
        raise ValueError("too many faces")
    nothing = np.zeros(DESCRIBED, np.float16)
    return [
        Exemplar(
            int(entry["outline"]),
            str(entry["bag"]),
            nothing,
            str(entry["source"]),
            bool(entry["said"]),
            _part(archive, f"{number}.jpg"),
        )
        for number, entry in enumerate(head["faces"])
    ]


def _described_anew(faces: Sequence[Exemplar], describe: Describe) -> list[Exemplar]:
    """Return the faces whose pictures are whole, as the net in use describes them."""
    whole = []
    for one in faces:
        try:
            patch = decode_image(one.picture, live=True)
        except BadFrameError:
            continue
        if patch.shape == (PATCH, PATCH, 3):
            whole.append((one, patch))
    described = describe([patch for _, patch in whole])
    return [
        replace(one, descriptor=vector.astype(np.float16)) for (one, _), vector in zip(whole, described, strict=True)
    ]


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > MOST_BYTES:
        raise ValueError("a part is too large")
    return archive.read(name)


def _not_whole() -> Sentence:
    return Sentence("The table's memory is torn or something else: delete it, and the table learns its dice anew.")
