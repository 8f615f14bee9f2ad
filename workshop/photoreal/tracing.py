"""Run Blender on described scenes, and keep each picture as a camera delivers it, with its labels."""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from workshop.board_scenes.render import render_board
from workshop.board_scenes.scene import BoardScene
from workshop.scenes.labels import READABLE_CONTRAST, DieLabel, contrast
from workshop.scenes.render import render
from workshop.scenes.scene import Lens, Scene

BLENDER: Final = Path(__file__).with_name("blender.py")


def trace(jobs: Sequence[dict[str, Any]], blender: str, *, threads: int = 0) -> None:
    """Path trace what `describe.as_plain` returned; pictures that are there stay. ``blender``: a Python with ``bpy``.

    ``threads``: how many Blender uses; 0 as many as the machine has.

    Raises:
        CalledProcessError: Blender failed; it says why on standard error.
    """
    with tempfile.TemporaryDirectory() as work:
        listed = Path(work) / "jobs.jsonl"
        listed.write_text("".join(json.dumps(job | {"threads": threads}) + "\n" for job in jobs), encoding="utf-8")
        command = [blender, str(BLENDER), str(listed)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 (the caller's own interpreter)


def as_a_camera_delivers(traced: npt.NDArray[np.uint8], lens: Lens, seed: int) -> tuple[npt.NDArray[np.uint8], bytes]:
    """Return a traced picture (height x width x 3, BGR) with a camera's noise and softness, and it as JPEG."""
    noisy = traced + np.random.default_rng(seed).normal(0, lens.noise * 0.6, traced.shape)
    width = max(0.3, 0.6 * lens.softness)
    soft = np.asarray(cv2.GaussianBlur(np.clip(noisy, 0, 255).astype(np.uint8), (0, 0), width), np.uint8)
    _, jpeg = cv2.imencode(".jpg", soft, [cv2.IMWRITE_JPEG_QUALITY, lens.quality])
    return soft, jpeg.tobytes()


def keep(folder: Path, name: str, scene: Scene | BoardScene, traced: npt.NDArray[np.uint8]) -> None:
    """Write the picture as a camera delivers it, and its line of the label file."""
    folder.mkdir(parents=True, exist_ok=True)
    soft, jpeg = as_a_camera_delivers(traced, scene.lens, scene.grain_seed)
    (folder / f"{name}.jpg").write_bytes(jpeg)
    line = _board(name, scene) if isinstance(scene, BoardScene) else _dice(name, scene, soft)
    place = folder / "labels.jsonl"
    known = place.read_text("utf-8").splitlines() if place.is_file() else []
    described = [row for row in known if json.loads(row)["image"] != line["image"]]
    described.append(json.dumps(line))
    place.write_text("\n".join(described) + "\n", encoding="utf-8")


def _board(name: str, scene: BoardScene) -> dict[str, Any]:
    return render_board(scene).to_json(f"{name}.jpg") | {"conditions": {"tilt": round(scene.camera.tilt, 1)}}


def _dice(name: str, scene: Scene, soft: npt.NDArray[np.uint8]) -> dict[str, Any]:
    labels = [replace(one, legible=one.legible and _stands_out(one, soft)) for one in render(scene).labels]
    return {
        "image": f"{name}.jpg",
        "width": soft.shape[1],
        "height": soft.shape[0],
        "complete": True,
        "conditions": {"tilt": round(scene.camera.tilt, 1)},
        "objects": [one.to_json() for one in labels],
    }


def _stands_out(label: DieLabel, image: npt.NDArray[np.uint8]) -> bool:
    faces = [side.corners for side in label.sides] if label.apex is not None else [label.corners]
    return all(contrast(image, np.array(corners)) >= READABLE_CONTRAST for corners in faces)
