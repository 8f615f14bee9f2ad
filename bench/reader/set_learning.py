"""The value of learning somebody's own dice: odd dice, 40 throws to learn from, new throws in other light to read.

The dice are carved without colour into a rather bright body, worn, of low contrast, in odd fonts that the general
reader never saw. They are learnt on one desk (one light, camera and table); each new throw has a light, camera and
table of its own. Only legible faces count: upper faces of cubes and visible sides of tetrahedra. Each is judged on its
own: it is read where one face has a probability of at least 0.97, and asked about below.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import cv2
import numpy as np

from bench.reader.sittings import carved_style
from calibration.learning.gather import Gatherer, SeenFace
from calibration.learning.learn import general_reader, make_profile, name_faces, sort_faces
from calibration.learning.naming import Name
from calibration.workshop.scenes.bodies import Body, random_body
from calibration.workshop.scenes.fonts import find_fonts
from calibration.workshop.scenes.grounds import random_ground
from calibration.workshop.scenes.lighting import random_lighting
from calibration.workshop.scenes.render import Rendered, render
from calibration.workshop.scenes.scene import USUAL, random_camera, random_lens, random_scene
from companion.odds.intervals import share
from companion.rules.dice import dice_set
from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import Marks, Texts
from companion.vision.dice.geometry import inside
from companion.vision.dice.likeness import Outline
from companion.vision.dice.own_appearance import OwnAppearance, fuse
from companion.vision.readings import Image

ODD = ("blackletter", "uncial", "gotico-antiqua", "slavonic")
READ = 0.97
RANGES = replace(USUAL, moving=0, hand=0, things=0)


@dataclass(frozen=True, eq=False)
class Looked:
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
        look = replace(style, bevel=style.bevel / 2) if four else style
        bodies.append(random_body(rng, die, set_name, look, 1.5 if four else float(rng.normal(1, 0.01))))
    return tuple(bodies)


def throws(seed: int, set_name: str, learn: int, fresh: int) -> Iterator[tuple[int, Rendered]]:
    """Yield the throws to learn from, all on one desk, then new ones, each somewhere else."""
    bodies = hand_made(seed, set_name)
    rng = np.random.default_rng([2027, seed])
    camera, ground = random_camera(rng, RANGES), random_ground(rng, RANGES.grounds)
    lighting, lens = random_lighting(rng), random_lens(rng, RANGES)
    for number in range(learn + fresh):
        own = np.random.default_rng([2028, seed, number])
        if number < learn:
            scene = random_scene(own, (), ranges=RANGES, set_name=set_name, bodies=bodies, camera=camera)
            scene = replace(scene, ground=ground, lighting=lighting, lens=lens)
        else:
            scene = random_scene(own, (), ranges=RANGES, set_name=set_name, bodies=bodies)
        yield number, render(scene)


def look(gatherer: Gatherer, rendered: Rendered, throw: int) -> list[Looked]:
    """Return the faces found in a picture, with their true texts."""
    return [
        Looked(face, _truth(rendered, place, face.outline))
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


def rates(marks: Marks, texts: Sequence[str], looked: Sequence[Looked]) -> dict[str, Any]:
    """Return how many legible faces were read right, read wrong and asked about, each with its interval."""
    bags = sorted({bag_of(text) for text in texts})
    chances = marks.texts @ np.array([[bag_of(text) == bag for bag in bags] for text in texts], float)
    counted: Counter[str] = Counter()
    for row, one in zip(chances, looked, strict=True):
        best = int(row.argmax())
        if one.truth is None:
            counted["made up"] += int(row[best] >= READ)
        elif row[best] < READ:
            counted["asked"] += 1
        else:
            counted["right" if bags[best] == bag_of(one.truth) else "silent"] += 1
    whole = counted["right"] + counted["silent"] + counted["asked"]
    told: dict[str, Any] = {"n": whole, "unlabelled_read": counted["made up"]}
    for name in ("right", "silent", "asked"):
        told[name] = {"count": counted[name], **(share(counted[name], whole).to_json() if whole else {})}
    return told


def measure(seed: int, set_name: str, learn: int, fresh: int) -> dict[str, Any]:
    """Learn one owner's dice and return the rates before and after."""
    gatherer = Gatherer()
    learnt: list[Looked] = []
    measured: list[Looked] = []
    for number, rendered in throws(seed, set_name, learn, fresh):
        (learnt if number < learn else measured).extend(look(gatherer, rendered, number))
    dice = dice_set(set_name)
    general = general_reader(dice)
    named = []
    told: dict[str, Any] = {"owner": seed, "set": set_name, "learnt_throws": learn, "fresh_throws": fresh}
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
        told[f"groups_{one.outline}"] = {
            "faces": len(one.faces),
            "groups": len(one.typical),
            "faces_alone": int((one.groups < 0).sum()),
            "faces_in_wrong_group": mixed,
            "named_by_program": len(by_program),
            "of_these_right": right,
        }
        # the owner looks at each group and says what most of it shows
        names = {number: Name(top[0][0], None, "owner") for number, top in enumerate(shows) if top}
        named.append((one, names))
    profile = make_profile("bench", dice, named, camera="", picture=(0, 0), made=datetime.now(UTC), general=general)
    own_appearance = OwnAppearance(profile)
    texts = Texts.of(dice)
    outlines: tuple[Outline, ...] = ("square", "side")
    for outline in outlines:
        mine = [entry for entry in measured if entry.face.outline == outline]
        known = [text for _, text in texts.upper] if outline == "square" else list(texts.side)
        patches: list[Image] = [entry.face.patch for entry in mine]
        if not patches or not known:
            continue
        begun = time.process_time()
        own = own_appearance.faces(patches) if outline == "square" else own_appearance.sides(patches)
        told[f"own_ms_{outline}"] = round((time.process_time() - begun) * 1000 / len(patches), 2)
        told[outline] = {"own": rates(own, known, mine)}
        if general is not None:
            other = general.squares(patches) if outline == "square" else general.sides(patches)
            told[outline]["general"] = rates(other, known, mine)
            told[outline]["fused"] = rates(fuse(own, other), known, mine)
    return told


def main() -> None:
    """Measure the dice of some owners."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--owners", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--set", dest="set_name", default="wibold")
    parser.add_argument("--learn", type=int, default=40)
    parser.add_argument("--fresh", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    owners = {owner: measure(owner, given.set_name, given.learn, given.fresh) for owner in given.owners}
    print(json.dumps({"set": given.set_name, "learn": given.learn, "fresh": given.fresh, "owners": owners}))


if __name__ == "__main__":
    main()
