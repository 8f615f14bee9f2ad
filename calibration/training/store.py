"""Drawn once, kept as arrays: scenes with outlines for the locator, flat faces with texts for the face net."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import Points


class NothingDrawnError(RuntimeError):
    """A step of the training finds no material of the step before."""


@dataclass(frozen=True, eq=False)
class Outlines:
    """Where the dice of a picture are: upper faces (4 corners), and tetrahedra (3 base corners, apex), in pixels."""

    cubes: tuple[Points, ...]
    tetrahedra: tuple[tuple[Points, Points], ...]

    def to_json(self) -> dict[str, Any]:
        """Return nested lists."""
        return {
            "cubes": [face.tolist() for face in self.cubes],
            "tetrahedra": [[base.tolist(), apex.tolist()] for base, apex in self.tetrahedra],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Outlines":
        """Read what `to_json` wrote."""
        return cls(
            tuple(np.array(face, np.float64) for face in data["cubes"]),
            tuple((np.array(base, np.float64), np.array(apex, np.float64)) for base, apex in data["tetrahedra"]),
        )


@dataclass(frozen=True, eq=False)
class LabelledScenes:
    """Pictures, shape (n, h, w, 3), uint8 BGR, and their outlines."""

    pictures: npt.NDArray[np.uint8]
    outlines: tuple[Outlines, ...]

    def save(self, path: Path) -> None:
        """Write to ``path`` (.npy) and, beside it, the outlines as JSON."""
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, self.pictures)
        lines = [json.dumps(one.to_json()) for one in self.outlines]
        path.with_suffix(".jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")

    @classmethod
    def load_all(cls, folder: Path, name: str) -> "LabelledScenes":
        """Return all parts ``name-<n>.npy`` of a folder together.

        Raises:
            NothingDrawnError: there are none.
        """
        paths = sorted(folder.glob(f"{name}-*.npy"))
        if not paths:
            raise NothingDrawnError(f"Expected drawn scenes {name}-*.npy in {folder}, but found none; draw them first.")
        lines = [line for path in paths for line in path.with_suffix(".jsonl").read_text("utf-8").splitlines()]
        pictures = np.concatenate([np.load(path) for path in paths])
        return cls(pictures, tuple(Outlines.from_json(json.loads(line)) for line in lines))


@dataclass(frozen=True, eq=False)
class LabelledPatches:
    """Flat faces, shape (n, 64, 64, 3), uint8 BGR, and the net's output that each should give."""

    patches: npt.NDArray[np.uint8]
    classes: npt.NDArray[np.int64]

    def save(self, path: Path) -> None:
        """Write to ``path`` (.npy) and, beside it, the classes."""
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, self.patches)
        np.save(path.with_suffix(".classes.npy"), self.classes)

    @classmethod
    def load(cls, path: Path) -> "LabelledPatches":
        """Read what `save` wrote; the patches stay on disk until they are looked at."""
        return cls(np.load(path, mmap_mode="r"), np.load(path.with_suffix(".classes.npy")))

    def join(self, other: "LabelledPatches") -> "LabelledPatches":
        """Return both together."""
        return LabelledPatches(
            np.concatenate([self.patches, other.patches]), np.concatenate([self.classes, other.classes])
        )

    @classmethod
    def load_all(cls, folder: Path, name: str) -> "LabelledPatches":
        """Return all parts ``name-<n>.npy`` of a folder together.

        Raises:
            NothingDrawnError: there are none.
        """
        paths = sorted(path for path in folder.glob(f"{name}-*.npy") if not path.name.endswith(".classes.npy"))
        if not paths:
            raise NothingDrawnError(f"Expected drawn faces {name}-*.npy in {folder}, but found none; draw them first.")
        parts = [cls.load(path) for path in paths]
        return cls(np.concatenate([part.patches for part in parts]), np.concatenate([part.classes for part in parts]))
