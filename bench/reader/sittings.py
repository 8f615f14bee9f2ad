"""Draw sittings: one owner's dice under one camera and one light, throw after throw, with labels for each picture.

``python -m bench.reader.sittings FOLDER --owner worn --seed 3``. Held-out fonts draw what is measured. With
``--developing``, the fonts that choose when the reader asks are used instead, and nothing is measured on them.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, get_args

import numpy as np

from companion.rules.dice import dice_set
from workshop.hands import book_hands, choosing_hands
from workshop.scenes.bodies import Body, random_body
from workshop.scenes.camera import Camera
from workshop.scenes.cloths import ClothKind
from workshop.scenes.faces import (
    FaceStyle,
    random_numeral_style,
    random_pip_style,
    random_style,
)
from workshop.scenes.fonts import Font, draws_small, find_fonts
from workshop.scenes.grounds import Ground, random_ground
from workshop.scenes.lighting import Lighting, random_lighting
from workshop.scenes.materials import Marking
from workshop.scenes.render import Rendered, render
from workshop.scenes.scene import (
    USUAL,
    Lens,
    NoRoomError,
    Ranges,
    Scene,
    random_camera,
    random_lens,
    random_scene,
)
from workshop.training.material import PARTED

Owner = Literal[
    "hand", "carved", "worn", "blackletter", "small", "usual", "ludix", "pips", "d10", "d20", "rug", "page", "terrazzo"
]
"""The look of an owner's dice; the first six and the last three are letter dice of Wibold's set. A place in this list
is part of a sitting's seed: new ones come last."""

SETS: Final = {"ludix": "ludix", "pips": "pips", "d10": "d10", "d20": "d20"}
ODD: Final = ("blackletter", "gotico-antiqua", "uncial", "slavonic")
BOOK: Final = ("uncial", "hand", "oldstyle", "gotico-antiqua")


@dataclass(frozen=True)
class Harder:
    """A sitting that is hard in several ways: odd hands, a patterned ground, one lamp, and small dice.

    ``hands``: the styles of their fonts; ``edge``: the least and largest edge of a cube, in pixels.
    """

    hands: tuple[str, ...]
    cloth: ClothKind
    edge: tuple[float, float] = (46, 56)


HARDER: Final[dict[Owner, Harder]] = {
    "rug": Harder(ODD, "nested"),
    "page": Harder(BOOK, "page"),
    "terrazzo": Harder(("hand", "script", *ODD), "terrazzo"),
}

SMALL_LETTERS: Final = "aeioubcdfghklmnprstxz"

RANGES: Final = replace(
    USUAL, size=(1280, 960), edge=(70, 130), field_of_view=(20, 40), things=0.0, tray=0.0, hand=0.0, moving=0.0
)
LEAST_BRIGHT: Final = 0.12
"""A body whose green (linear light) is below this is too dark for carving without colour."""


@dataclass(frozen=True)
class Sitting:
    """What stays the same for a whole evening."""

    seed: tuple[int, int]
    set_name: str
    bodies: tuple[Body, ...]
    camera: Camera
    ground: Ground
    lighting: Lighting
    lens: Lens
    light_seed: int
    ranges: Ranges = RANGES

    def throw(self, number: int) -> Rendered:
        """Return one throw, drawn."""
        return render(self.scene(number))

    def scene(self, number: int) -> Scene:
        """Return what is drawn of one throw; light and noise differ a little from throw to throw."""
        rng = np.random.default_rng([2029, *self.seed, number])
        for _ in range(20):
            try:
                scene = random_scene(
                    rng, (), ranges=self.ranges, set_name=self.set_name, bodies=self.bodies, camera=self.camera
                )
            except NoRoomError:
                continue
            if scene.camera == self.camera:  # otherwise the dice only had room before a camera farther away
                break
        else:
            raise NoRoomError(f"Expected room for {len(self.bodies)} dice before this camera, but found none.")
        blue, green, red = (part * float(np.exp(rng.normal(0, 0.01))) for part in self.lens.balance)
        lens = replace(
            self.lens, exposure=self.lens.exposure * float(np.exp(rng.normal(0, 0.03))), balance=(blue, green, red)
        )
        return replace(scene, ground=self.ground, lighting=self.lighting, lens=lens, light_seed=self.light_seed)


def sitting(owner: Owner, seed: int, fonts: Sequence[Font], ranges: Ranges = RANGES) -> Sitting:
    """Return a sitting of this kind of owner."""
    place = (seed, get_args(Owner).index(owner))
    rng = np.random.default_rng([2030, *place])
    harder = HARDER.get(owner)
    if harder is not None:
        ranges = replace(ranges, edge=harder.edge)
    set_name = SETS.get(owner, "wibold")
    style = _style(rng, owner, fonts)
    dice = dice_set(set_name).dice
    bodies = []
    for die in dice:
        four = die.shape == "tetrahedron"
        style_of_set = replace(style, bevel=style.bevel / 2) if four else style
        bodies.append(random_body(rng, die, set_name, style_of_set, 1.5 if four else float(rng.normal(1, 0.01))))
    camera = random_camera(rng, ranges)
    ground, lighting = random_ground(rng, ranges.grounds), random_lighting(rng)
    if harder is not None:
        ground = replace(ground, cloth=harder.cloth)
        lighting = replace(lighting, lights=lighting.lights[:1])
    return Sitting(
        place,
        set_name,
        tuple(bodies),
        camera,
        ground,
        lighting,
        random_lens(rng, ranges),
        int(rng.integers(2**31)),
        ranges,
    )


def _style(rng: np.random.Generator, owner: Owner, fonts: Sequence[Font]) -> FaceStyle:
    if owner == "pips":
        return random_pip_style(rng)
    if owner in ("d10", "d20"):
        return random_numeral_style(rng, fonts)
    if owner == "carved":
        return carved_style(rng, fonts, (0.0, 0.5))
    style = random_style(rng, _hands(owner, fonts) or fonts)
    if owner == "worn":
        style = replace(style, jitter=1.0, marking=replace(style.marking, wear=float(rng.uniform(0.4, 0.8))))
    return replace(style, small=owner == "small")


def _hands(owner: Owner, fonts: Sequence[Font]) -> list[Font]:
    styles = {"blackletter": ODD, "hand": ("hand", "script", *ODD), "small": BOOK}.get(owner)
    if owner in HARDER:
        styles = HARDER[owner].hands
    fitting = [font for font in fonts if styles is None or font.style in styles]
    return [font for font in fitting if owner != "small" or draws_small(font.path, SMALL_LETTERS)]


def carved_style(rng: np.random.Generator, fonts: Sequence[Font], wear: tuple[float, float]) -> FaceStyle:
    """Return the look of a die carved without colour into a body that is not dark; ``wear``: its bounds."""
    style = random_style(rng, fonts)
    while style.material.colour[1] < LEAST_BRIGHT:
        style = random_style(rng, fonts)
    depth = float(rng.uniform(0.45, 0.62))
    blue, green, red = style.material.colour
    marking = Marking(
        "carved",
        (blue * depth, green * depth, red * depth),
        float(rng.uniform(0.75, 0.95)),
        float(rng.uniform(0.3, 0.8)),
        float(rng.uniform(*wear)),
        int(rng.integers(-1, 1)),
    )
    return replace(style, marking=marking)


def draw(folder: Path, made: Sitting, throws: int) -> None:
    """Write the throws of a sitting as pictures named in their order, with ``labels.jsonl``."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for number in range(throws):
        shown = made.throw(number)
        name = f"throw_{number:04d}.jpg"
        (folder / name).write_bytes(shown.jpeg)
        lines.append(json.dumps(shown.to_json(name), ensure_ascii=False) + "\n")
    (folder / "labels.jsonl").write_text("".join(lines), encoding="utf-8")


def main() -> int:
    """Draw one sitting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--owner", choices=get_args(Owner), default="usual")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-n", type=int, default=60, help="throws")
    parser.add_argument("--developing", action="store_true", help="fonts that measure nothing")
    parser.add_argument("--book", action="store_true", help="book hands that neither taught nor chose")
    given = parser.parse_args()
    held_out = book_hands("held-out") if given.book else find_fonts("held-out")
    fonts = choosing_hands(PARTED) if given.developing else held_out
    if not fonts:
        parser.error("none of the fonts is here; python -m workshop.training.gather FOLDER fetches them")
    draw(given.folder, sitting(given.owner, given.seed, fonts), given.n)
    return 0


if __name__ == "__main__":
    sys.exit(main())
