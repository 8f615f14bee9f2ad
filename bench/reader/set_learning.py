"""The value of learning somebody's own dice: odd dice, 40 throws to learn from, new throws in other light to read.

The dice are carved without colour into a rather bright body, worn, of low contrast, in odd fonts that the general
reader never saw. They are learnt on one desk (one light, camera and table). Of the new throws, one half is thrown
there; each throw of the other half has a light, camera and table of its own. The general reader and one that starts
with what was learnt read the same pictures.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import cv2
import numpy as np

from bench.reader.sittings import carved_style
from bench.scoring.intervals import rate
from bench.scoring.outcomes import outcomes
from calibration.learning.gather import Gatherer, SeenFace
from calibration.learning.learn import general_reader, make_memory, name_faces, sort_faces
from calibration.learning.naming import Name
from companion.rules.dice import dice_set
from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import Outline
from companion.vision.dice.geometry import inside
from companion.vision.dice.reader import DiceReader
from workshop.scenes.bodies import Body, random_body
from workshop.scenes.fonts import find_fonts
from workshop.scenes.grounds import random_ground
from workshop.scenes.lighting import random_lighting
from workshop.scenes.render import Rendered, render
from workshop.scenes.scene import USUAL, random_camera, random_lens, random_scene

ODD = ("blackletter", "uncial", "gotico-antiqua", "slavonic")
RATES = ("correct", "asked", "missed", "silent")
RANGES = replace(USUAL, moving=0, hand=0, things=0)


@dataclass(frozen=True, eq=False)
class JudgedPicture:
    """A found face with its true text: None where no die lies, or nobody could read it."""

    face: SeenFace
    truth: str | None


def hand_made(seed: int, set_name: str) -> tuple[Body, ...]:
    """Return odd dice: carved without colour, worn, with slightly crooked letters."""
    rng = np.random.default_rng([2026, seed])
    dice = dice_set(set_name).dice
    lettered = any(not face.text.isdigit() for die in dice for face in die.faces)
    fonts = [font for font in find_fonts("held-out") if font.style in ODD] if lettered else []
    style = replace(carved_style(rng, fonts, (0.4, 0.8)), jitter=1.0)
    bodies = []
    for die in dice:
        four = die.shape == "tetrahedron"
        read_faces = replace(style, bevel=style.bevel / 2) if four else style
        bodies.append(random_body(rng, die, set_name, read_faces, 1.5 if four else float(rng.normal(1, 0.01))))
    return tuple(bodies)


def throws(seed: int, set_name: str, learn: int, fresh: int) -> Iterator[tuple[int, Rendered]]:
    """Yield the throws to learn from, all on one desk, then new ones, each somewhere else, then as many on the desk."""
    bodies = hand_made(seed, set_name)
    rng = np.random.default_rng([2027, seed])
    camera, ground = random_camera(rng, RANGES), random_ground(rng, RANGES.grounds)
    lighting, lens = random_lighting(rng), random_lens(rng, RANGES)
    for number in range(learn + 2 * fresh):
        own = np.random.default_rng([2028, seed, number])
        if not learn <= number < learn + fresh:
            scene = random_scene(own, (), ranges=RANGES, set_name=set_name, bodies=bodies, camera=camera)
            scene = replace(scene, ground=ground, lighting=lighting, lens=lens)
        else:
            scene = random_scene(own, (), ranges=RANGES, set_name=set_name, bodies=bodies)
        yield number, render(scene)


def read_faces(gatherer: Gatherer, rendered: Rendered, throw: int) -> list[JudgedPicture]:
    """Return the faces found in a picture, with their true texts."""
    return [
        JudgedPicture(face, _truth(rendered, place, face.outline))
        for face, place in gatherer.placed_faces(rendered.image, throw)
    ]


def _truth(rendered: Rendered, place: Any, outline: Outline) -> str | None:
    for label in rendered.labels:
        if outline == "square" and label.apex is None and label.legible and inside(place, np.array(label.polygon)):
            return label.face
        for side in label.sides if label.legible else ():
            if outline == "side" and inside(place, np.array(side.corners)):
                return side.text
    return None


def rates(reader: DiceReader, pictures: Sequence[Rendered]) -> dict[str, dict[str, Any]]:
    """Return for cubes and tetrahedra how many dice that can be read became what, each with its interval."""
    counted: Counter[tuple[str, str]] = Counter()
    for one in pictures:
        label = {"objects": [label.to_json() for label in one.labels], "complete": True}
        for found in outcomes(label, {"objects": [die.to_json() for die in reader.read(one.image).dice]}):
            four = found.truth is not None and any(
                label.apex is not None and label.to_json() == found.truth for label in one.labels
            )
            counted["tetrahedra" if four else "cubes", "silent" if found.silent else found.became] += 1
    rates_found: dict[str, dict[str, Any]] = {}
    for kind in ("cubes", "tetrahedra"):
        dice = sum(counted[kind, name] for name in RATES)
        rates_found[kind] = {name: rate(counted[kind, name], dice) for name in RATES}
    return rates_found


def measure(seed: int, set_name: str, learn: int, fresh: int) -> dict[str, Any]:
    """Learn one owner's dice and return the rates before and after."""
    gatherer = Gatherer()
    learnt: list[JudgedPicture] = []
    measured: dict[str, list[Rendered]] = {"elsewhere": [], "there": []}
    for number, rendered in throws(seed, set_name, learn, fresh):
        if number < learn:
            learnt.extend(read_faces(gatherer, rendered, number))
        else:
            measured["elsewhere" if number < learn + fresh else "there"].append(rendered)
    dice = dice_set(set_name)
    general = general_reader(dice)
    named = []
    rates_found: dict[str, Any] = {"owner": seed, "set": set_name, "learnt_throws": learn, "fresh_throws": fresh}
    for one in sort_faces([entry.face for entry in learnt], dice):
        truth = {id(entry.face): entry.truth for entry in learnt}
        shows = [
            Counter(truth[id(one.faces[i])] for i in own if truth[id(one.faces[i])]).most_common(1)
            for own in one.members()
        ]
        by_program = name_faces(one, general, {}).names
        mixed = sum(
            bag_of(truth[id(one.faces[i])] or top[0][0] or "") != bag_of(top[0][0] or "")
            for own, top in zip(one.members(), shows, strict=True)
            for i in (own if top else ())
        )
        right = sum(
            bool(shows[number]) and bag_of(name.text or "") == bag_of(shows[number][0][0] or "")
            for number, name in by_program.items()
        )
        rates_found[f"groups_{one.outline}"] = {
            "faces": len(one.faces),
            "groups": len(one.typical),
            "faces_alone": int((one.groups < 0).sum()),
            "faces_in_wrong_group": mixed,
            "named_by_program": len(by_program),
            "of_these_right": right,
        }
        # the owner looks at each group that is offered and says what most of it shows
        names = {
            number: Name(top[0][0], "owner") for number, top in enumerate(shows) if top and number not in one.mixed
        }
        named.append((one, names))
    memory = make_memory("bench", dice, named, made=datetime.now(UTC), general=general)
    readers = {"general": DiceReader(set_name), "memory": DiceReader(set_name, memory=memory)}
    for part, pictures in measured.items():
        rates_found[part] = {name: rates(reader, pictures) for name, reader in readers.items()}
    return rates_found


def main() -> None:
    """Measure the dice of some owners."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--owners", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--set", dest="set_name", default="wibold")
    parser.add_argument("--learn", type=int, default=40)
    parser.add_argument("--fresh", type=int, default=30)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    owners = {owner: measure(owner, given.set_name, given.learn, given.fresh) for owner in given.owners}
    print(json.dumps({"set": given.set_name, "learn": given.learn, "fresh": given.fresh, "owners": owners}))


if __name__ == "__main__":
    main()
