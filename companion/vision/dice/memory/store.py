"""A table's memory as a file: written whole or not at all, read with every doubt."""

import io
import json
import math
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from companion.language.sentence import Sentence, SentenceError
from companion.rules.strict_json import read_json
from companion.vision.dice.faces import CORNERS_OF, DESCRIPTOR_LENGTH, Vectors
from companion.vision.dice.geometry import SQUARE
from companion.vision.dice.memory.balance import BALANCES, Balance
from companion.vision.dice.memory.exemplars import MOST_EXEMPLARS, SIDE_OUTLINE, WHOLE_OUTLINE, Exemplar, Exemplars
from companion.vision.dice.memory.light import Light
from companion.vision.dice.memory.pictured import Describe, patch_of
from companion.vision.dice.memory.plane import CORNER_DECIMALS, Plane
from companion.vision.dice.memory.scores import Scores
from companion.vision.dice.memory.table import Origin, SideTrust, TableMemory
from companion.vision.dice.memory.whole_view import described as whole_view
from companion.vision.dice.nets import mark_net
from companion.vision.dice.solids.model import solids
from companion.vision.dice.solids.size import Sizes
from companion.vision.dice.solids.table import Upright
from companion.whole_file import write_whole

KIND: Final = "alea table memory"
STORE_VERSION: Final = 1
HEAD: Final = "memory.json"
DESCRIPTORS: Final = "descriptors"
ANSWERS: Final = "answers"
"""What each of the newest answers added to the balance, or to the trust in sides: float32, one row after the other."""

LIKENESSES: Final = "likenesses"
"""How alike the exemplars are in their best rotations (see `Exemplars.alike`), which the descriptors of one rotation
each do not show: float32, the upper triangle row by row."""

MOST_BYTES: Final = 32 << 20
"""The most bytes of a file that is read, and of all its parts together."""

OUTLINES: Final = {SIDE_OUTLINE, WHOLE_OUTLINE, *CORNERS_OF.values()}
PACKINGS: Final = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}

# what the library raises for torn archives is no one family
TORN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    ArithmeticError,
    EOFError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)


class MemoryFileError(SentenceError):
    """A file is no memory of a table, or cannot be read or written; the text is one sentence."""


def save(path: Path, memory: TableMemory, set_name: str) -> None:
    """Write a table's memory of one set of dice; a failed write leaves the old file as it was.

    Raises:
        MemoryFileError: the file cannot be written there.
    """
    kept = list(memory.exemplars)
    likenesses = memory.exemplars.alike[np.triu_indices(len(kept), 1)]
    head = {
        "kind": KIND,
        "version": STORE_VERSION,
        "set": set_name,
        "net": mark_net(),
        "balance": [round(float(score), 4) for score in memory.balance.scores.whole],
        "upright": [round(float(value), 3) for value in memory.upright.evidence],
        "sizes": {shape: of.round(3).tolist() for shape, of in memory.sizes.gathered.items()},
        "sides": [round(float(score), 4) for score in memory.sides.scores.whole],
        "answers": {
            "balance": [source for source, _ in memory.balance.scores.added],
            "sides": [source for source, _ in memory.sides.scores.added],
        },
        "plane": {"picture": list(memory.plane.picture), "faces": memory.plane.faces.round(CORNER_DECIMALS).tolist()},
        "faces": [
            {
                "outline": one.outline,
                "bag": one.bag,
                "source": one.source,
                "said": one.named,
                "picture": len(one.picture),
                **({} if one.place is None else {"place": [round(value, CORNER_DECIMALS) for value in one.place]}),
            }
            for one in kept
        ],
        **({} if memory.origin is None else _origin_head(memory.origin)),
    }
    described = np.array([one.descriptor for one in kept], np.float16).reshape(len(kept), DESCRIPTOR_LENGTH)
    rows = [row for scores in (memory.balance.scores, memory.sides.scores) for _, row in scores.added]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(HEAD, json.dumps(head, ensure_ascii=False))
        archive.writestr(DESCRIPTORS, described.tobytes())
        archive.writestr(LIKENESSES, likenesses.tobytes())
        archive.writestr(ANSWERS, np.concatenate([[], *rows]).astype(np.float32).tobytes())
        for number, one in enumerate(kept):
            archive.writestr(f"{number}.jpg", one.picture)
    try:
        write_whole(path, packed.getvalue(), folders=True)
    except OSError as error:
        raise MemoryFileError(
            Sentence(
                "What the table remembers of its dice cannot be kept ({error}): make room or choose another folder.",
                error=str(error.strerror),
            )
        ) from error


def load(path: Path, set_name: str | None, describe: Describe) -> TableMemory:
    """Read a table's memory of one set of dice; None: of any set, which its `Origin` then names.

    If another net described the faces, ``describe`` describes their pictures again, and the balance starts afresh.

    Raises:
        FileNotFoundError: there is no such file.
        MemoryFileError: the file is torn, of another set, of a newer program, or something else.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise MemoryFileError(_not_whole())
        data = path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise MemoryFileError(
            Sentence("What the table remembers cannot be read ({error}): check the file.", error=str(error.strerror))
        ) from error
    try:
        return _memory(data, set_name, describe)
    except MemoryFileError:
        raise
    except (*TORN, OSError) as error:
        raise MemoryFileError(_not_whole()) from error


def _memory(data: bytes, set_name: str | None, describe: Describe) -> TableMemory:
    """Return the memory that a file's bytes hold; see `load`."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        if sum(part.file_size for part in parts) > MOST_BYTES or not PACKINGS.issuperset(
            part.compress_type for part in parts
        ):
            raise ValueError("too large, or packed in an unknown way")
        head = read_json(archive.read(HEAD))
        _expect(head, set_name)
        faces = _faces(head, archive)
        described = np.frombuffer(archive.read(DESCRIPTORS), np.float16).reshape(len(faces), DESCRIPTOR_LENGTH)
        alike = _alike(np.frombuffer(archive.read(LIKENESSES), np.float32), len(faces))
        added = np.frombuffer(archive.read(ANSWERS), np.float32) if ANSWERS in archive.namelist() else np.zeros(0)
    if not np.isfinite(described).all():
        raise ValueError("a descriptor is no number")
    if head["net"] != mark_net():
        places, again = _described_again(faces, describe)
        return TableMemory(
            Exemplars(again, alike[places][:, places]),
            upright=Upright(_numbers(head, "upright")),
            plane=_plane(head),
            sizes=_sizes(head),
            origin=_origin(head, whole=set_name is None),
        )
    known = [replace(one, descriptor=vector) for one, vector in zip(faces, described, strict=True)]
    return TableMemory(
        Exemplars(known, alike),
        *_trusts(head, added),
        Upright(_numbers(head, "upright")),
        _plane(head),
        sizes=_sizes(head),
        origin=_origin(head, whole=set_name is None),
    )


def _trusts(head: dict[str, Any], added: npt.NDArray[Any]) -> tuple[Balance, SideTrust]:
    """Return how far to trust whom; ``added``: the rows of the answers that can be taken back, if the file has any."""
    kept, at = [], 0
    answers = head.get("answers", {"balance": [], "sides": []})
    for name in ("balance", "sides"):
        whole = _numbers(head, name)
        sources = [str(source) for source in answers[name]]
        rows = added[at : at + len(sources) * len(whole)].reshape(len(sources), len(whole))
        at += rows.size
        kept.append(Scores(whole, zip(sources, rows, strict=True)))
    if at != added.size:
        raise ValueError("there are rows of no answer")
    # files of earlier programs weighed fewer balances: what they learnt of them is learnt again
    balance = Balance(kept[0]) if len(kept[0].whole) == BALANCES else Balance()
    return balance, SideTrust(kept[1])


def _alike(likenesses: Vectors, number: int) -> Vectors:
    """Return the likenesses of each two exemplars, (number, number), from the upper triangle."""
    alike = np.zeros((number, number), np.float32)
    rows, columns = np.triu_indices(number, 1)
    if len(rows) != len(likenesses):
        raise ValueError("too many or too few likenesses")
    alike[rows, columns] = alike[columns, rows] = likenesses
    np.fill_diagonal(alike, 1.0)
    return alike


def _expect(head: Any, set_name: str | None) -> None:
    if not isinstance(head, dict) or head.get("kind") != KIND:
        raise MemoryFileError(_not_whole())
    if head.get("version") != STORE_VERSION:
        raise MemoryFileError(
            Sentence(
                "The table's memory is of version {got}, but this program reads version {known}: update the program.",
                got=str(head.get("version"))[:20],
                known=STORE_VERSION,
            )
        )
    if set_name is not None and head.get("set") != set_name:
        raise MemoryFileError(
            Sentence(
                "Expected a memory of {wanted} dice, but the file is for {got}: choose another file.",
                wanted=set_name,
                got=str(head.get("set"))[:40],
            )
        )


def _faces(head: dict[str, Any], archive: zipfile.ZipFile) -> list[Exemplar]:
    if len(head["faces"]) > MOST_EXEMPLARS:
        raise ValueError("too many faces")
    if not OUTLINES.issuperset(entry["outline"] for entry in head["faces"]):
        raise ValueError("no die has faces with such an outline")
    nothing = np.zeros(DESCRIPTOR_LENGTH, np.float16)
    return [
        Exemplar(
            entry["outline"],
            str(entry["bag"]),
            nothing,
            str(entry["source"]),
            bool(entry["said"]),
            archive.read(f"{number}.jpg"),
            _place(entry),
        )
        for number, entry in enumerate(head["faces"])
    ]


def _place(entry: dict[str, Any]) -> tuple[float, float] | None:
    """Return where a thing lay that is no die; files of earlier programs do not say it."""
    if "place" not in entry:
        return None
    x, y = (float(value) for value in entry["place"])
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError("a place is no number")
    return x, y


def _described_again(faces: Sequence[Exemplar], describe: Describe) -> tuple[list[int], list[Exemplar]]:
    """Return the faces whose pictures are whole, as the net in use describes them, and before them their places.

    How alike they are stays as the earlier net saw it in all rotations: a picture shows only one.
    """
    whole = []
    for place, one in enumerate(faces):
        patch = patch_of(one.picture)
        if patch is not None:
            whole.append((place, patch))
    described = describe([patch for _, patch in whole]) if whole else ()
    return [place for place, _ in whole], [
        replace(
            faces[i], descriptor=(whole_view(patch)[0] if faces[i].outline == WHOLE_OUTLINE else one).astype(np.float16)
        )
        for (i, patch), one in zip(whole, described, strict=True)
    ]


def _numbers(head: dict[str, Any], name: str) -> npt.NDArray[np.float64]:
    return np.array(head[name], np.float64)


def _plane(head: dict[str, Any]) -> Plane:
    """Return the plane of the upper faces; files of earlier programs hold none."""
    if "plane" not in head:
        return Plane()
    height, width = head["plane"]["picture"]
    return Plane(np.array(head["plane"]["faces"], np.float64).reshape(-1, len(SQUARE), 2), (int(height), int(width)))


def _sizes(head: dict[str, Any]) -> Sizes:
    """Return how large the solids look; files of earlier programs do not say it."""
    sizes = dict(head.get("sizes", {}))
    if not solids().keys() >= sizes.keys():
        raise ValueError("no die with many faces has this shape")
    return Sizes({shape: np.array(of, np.float64) for shape, of in sizes.items()})


def _origin_head(origin: Origin) -> dict[str, Any]:
    return {"name": origin.name, "made": origin.made, "light": [list(figure) for figure in origin.light.figures]}


def _origin(head: dict[str, Any], *, whole: bool) -> Origin | None:
    """Return what a memory started from; ``whole``: also of one that started empty."""
    if "made" not in head and not whole:
        return None
    light = Light(tuple((str(name), float(mean), float(off)) for name, mean, off in head.get("light", ())))
    return Origin(str(head.get("name", "")), str(head["set"]), str(head.get("made", "")), light)


def _not_whole() -> Sentence:
    return Sentence(
        "The table's memory is damaged or is another kind of file: "
        "delete it, and the table learns its dice from scratch."
    )
