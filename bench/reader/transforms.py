"""The same pictures turned, recompressed, reduced, or lit from the other side: what the reader makes of them."""

import argparse
import json
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bench.reader import pictures
from bench.reader.pictures import Job, Label
from companion.vision.readings import Image


def warped(image: Image, label: Label, *, angle: float = 0.0, scale: float = 1.0) -> tuple[Image, Label]:
    """Turn a picture about its centre (degrees, clockwise) and scale it; all of it stays in view."""
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -angle, scale)
    across, down = np.abs(turn[:, :2]) @ [width, height]
    size = round(float(across)), round(float(down))
    turn[:, 2] += [(size[0] - width) / 2, (size[1] - height) / 2]
    if scale < 1 and angle == 0:
        changed = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        turn = np.array([[scale, 0, 0], [0, scale, 0]])
    else:
        changed = cv2.warpAffine(image, turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(changed, np.uint8), moved(label, np.asarray(turn, np.float64)) | {
        "width": size[0],
        "height": size[1],
    }


def moved(label: Label, turn: npt.NDArray[np.float64]) -> Label:
    """Return a label with its outlines transformed as well."""
    objects = []
    for one in label["objects"]:
        if "polygon" in one:
            corners = np.asarray(one["polygon"]) @ turn[:, :2].T + turn[:, 2]
            objects.append(one | {"polygon": corners.round(1).tolist()})
        else:
            objects.append(one)
    return label | {"objects": objects}


def same(image: Image, label: Label) -> tuple[Image, Label]:
    """Return a picture unchanged."""
    return image, label


CHANGES: dict[str, tuple[Callable[[Image, Label], tuple[Image, Label]], int]] = {
    "turned by 90": (partial(warped, angle=90), 95),
    "turned by 180": (partial(warped, angle=180), 95),
    "turned by 270": (partial(warped, angle=270), 95),
    "turned by 31": (partial(warped, angle=31), 95),
    "turned by 208": (partial(warped, angle=208), 95),
    "JPEG 60": (same, 60),
    "half the size": (partial(warped, scale=0.5), 95),
}
"""Each change of a picture, and the JPEG quality of the result."""


def main() -> None:
    """Print the rates of the unchanged pictures and of each change."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--kind", default="usual", choices=list(pictures.KINDS))
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    set_name, _ = pictures.KINDS[given.kind]
    report: dict[str, Any] = {"n": given.n, "seed": given.seed, "kind": given.kind, "load": pictures.load()}
    if reason := pictures.why_not(set_name):
        print(json.dumps(report | {"not_measured": reason}))
        return
    changes: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        jobs = [Job(place / "as it is", given.kind, given.seed, number) for number in range(given.n)]
        pictures.draw_all(jobs)
        changes["as it is"] = pictures.short(pictures.bench_vision(place / "as it is", set_name))
        other = place / "lamp from the other side"
        pictures.draw_all(
            [Job(other, given.kind, given.seed, number, lamp_from_the_other_side=True) for number in range(given.n)]
        )
        changes[other.name] = pictures.short(pictures.bench_vision(other, set_name))
        for name, (change, quality) in CHANGES.items():
            pictures.change_all(place / "as it is", place / name, change, quality)
            changes[name] = pictures.short(pictures.bench_vision(place / name, set_name))
    note = "what a person can read was judged in the picture as it is, also where it was made smaller"
    print(json.dumps(report | {"legible": note, "changes": changes}))


if __name__ == "__main__":
    main()
