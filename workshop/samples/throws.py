"""Film one die that is thrown again and again, as the laboratory sees it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from companion.rules.dice import dice_set
from workshop.samples.filming import ROUGH, Filming, Table
from workshop.samples.writing import FrameFolder
from workshop.scenes.bodies import Placed, random_body
from workshop.scenes.camera import Camera
from workshop.scenes.faces import FaceStyle
from workshop.scenes.grounds import Ground
from workshop.scenes.lighting import Light, Lighting
from workshop.scenes.materials import Marking, Material, linear
from workshop.scenes.pips import PipStyle
from workshop.scenes.render import render
from workshop.scenes.scene import Lens, throw_dice

THROWS: Final = 30
"""Too few to say anything of a fair die: the demonstration shows how throws are counted."""

SET: Final = "pips"
DIE: Final = "1"
SIZE: Final = (800, 600)


def film_throws(seed: int, out: Path) -> dict[str, Any]:
    """Write the frames, labels and script of a die thrown `THROWS` times into a folder. Return a summary."""
    rng = np.random.default_rng([seed, 3])
    faces = [str(face) for face in rng.integers(1, 7, THROWS)]
    film = Filming(_table(seed), FrameFolder(out), rng, timeline=[])
    film.shoot("empty", (), seconds=1.5)
    for number, face in enumerate(faces, start=1):
        film.throw = number
        lying = _land(film, face)
        rolling = replace(lying[0], x=lying[0].x + 1.2, yaw=lying[0].yaw + 1.0, blur=(0.35, 0.1))
        film.shoot("moving", (rolling,), seconds=0.6)
        film.shoot("still", lying)
    film.folder.close()
    script = {"set": SET, "die": DIE, "seed": seed, "faces": faces, "timeline": film.timeline}
    (out / "script.json").write_text(json.dumps(script, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return {**film.folder.summary(), "throws": len(faces)}


def _land(film: Filming, face: str) -> tuple[Placed, ...]:
    """Throw until a person could read the die."""
    while True:
        lying = throw_dice(film.rng, film.table.bodies, film.table.camera, touching=0.0, faces={DIE: face})
        if all(label.legible for label in render(film.table.scene(lying, 0)).labels):
            return lying


def _table(seed: int) -> Table:
    """Return the table: a bone die with dark pips on blue cloth, a lamp from the right."""
    bone = Material("bone", linear(0.93, 0.90, 0.82), 0.03, 0.15, 0.0)
    dark = Marking("engraved", linear(0.08, 0.07, 0.07), 0.97, 0.4, 0.0, 1)
    style = FaceStyle(bone, dark, None, 1.0, (0, 2, 3, 0, 0, 0, 0), 0.12, 0.0, 0.08, pips=PipStyle())
    body = random_body(np.random.default_rng([seed, 4]), dice_set(SET).die(DIE), SET, style, 1.0)
    camera = Camera(*SIZE, 2000.0, 17.0, 3.0, 250.0, 90.0)
    lamp = Light((0.45, 0.42, 0.79), linear(0.80, 0.78, 0.73), 0.75)
    lighting = Lighting(linear(0.70, 0.71, 0.73), (lamp,))
    ground = Ground("felt", linear(0.17, 0.24, 0.42), linear(0.1, 0.1, 0.2), 0.05, 0.05, 1.0, 0.7, seed)
    return Table((body,), camera, lighting, ground, Lens(0.55, 1.0, (0.97, 1.0, 1.03), 1.0, ROUGH + 20, 0.95), (), seed)
