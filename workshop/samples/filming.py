"""Film a match: for each cast a hand, rolling dice and still dice; and write its script."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from companion.rules.dice import dice_set
from workshop.samples.match import GAME, OPTIONS, PLAYERS, Cast, Match, plan_match
from workshop.samples.writing import FrameFolder
from workshop.scenes.bodies import Body, Placed, random_body
from workshop.scenes.camera import Camera
from workshop.scenes.faces import FaceStyle
from workshop.scenes.fonts import Font, find_fonts
from workshop.scenes.grounds import Ground
from workshop.scenes.lighting import Light, Lighting
from workshop.scenes.materials import Marking, Material, linear
from workshop.scenes.render import Rendered, render
from workshop.scenes.scene import Lens, NoRoomError, Scene, throw_dice
from workshop.scenes.things import Hand, Thing, random_hand

UNREADABLE_THROW = 11
"""In this throw a reflection lies on the tetrahedron, so that the program has to ask."""
WAVING_THROW = 6
"""After this throw a hand passes over the table and changes nothing."""
CLEARED_THROW = 20
"""After this throw the table is empty before the next one."""

ROUGH = 55
"""JPEG quality of pictures without anything to read, so that a match stays small."""

FONT = "GoudyBookletter1911"
SECONDS = {"empty": 1.0, "hand": 0.9, "moving": 0.45, "still": 2.5}
"""Seconds that a picture of each phase lasts. A cast's two still ones follow its verdict: 5 s to read it."""


@dataclass(frozen=True)
class Table:
    """What stays the same through a whole match."""

    bodies: tuple[Body, ...]
    camera: Camera
    lighting: Lighting
    ground: Ground
    lens: Lens
    things: tuple[Thing, ...]
    light_seed: int

    def scene(self, dice: tuple[Placed, ...], grain: int, hand: Hand | None = None) -> Scene:
        """Return the scene with these dice and this hand."""
        return Scene(
            self.camera, self.lighting, self.ground, dice, self.things, hand, self.lens, self.light_seed, grain
        )


def match_table(seed: int, font: Font) -> Table:
    """Return the table of the sample match: bone dice, ink, green felt, a lamp from the left."""
    rng = np.random.default_rng([seed, 1])
    bone = Material("bone", linear(0.90, 0.86, 0.75), 0.03, 0.12, 0.0)
    wood = Material("light wood", linear(0.80, 0.63, 0.42), 0.10, 0.10, 0.0)
    ink = Marking("engraved", linear(0.10, 0.07, 0.06), 0.96, 0.35, 0.0, 1)
    cube = FaceStyle(bone, ink, font, 1.0, (0, 2, 3, 0, 0, 0, 0), 0.12, 0.0, 0.07)
    tetrahedron = replace(cube, material=wood, scale=1.02, bevel=0.05)
    bodies = tuple(
        random_body(
            rng,
            die,
            "wibold",
            tetrahedron if die.shape == "tetrahedron" else cube,
            1.6 if die.shape == "tetrahedron" else 1.0,
        )
        for die in dice_set("wibold").dice
    )
    camera = Camera(1280, 960, 3000.0, 19.5, 3.0, 250.0, 90.0)
    lamp = Light((-0.52, 0.38, 0.76), linear(0.80, 0.78, 0.73), 0.75)
    lighting = Lighting(linear(0.70, 0.71, 0.73), (lamp,))
    ground = Ground("felt", linear(0.16, 0.36, 0.27), linear(0.1, 0.2, 0.2), 0.05, 0.05, 1.0, 0.7, seed)
    return Table(bodies, camera, lighting, ground, Lens(0.55, 1.0, (0.97, 1.0, 1.03), 1.3, 80, 0.95), (), seed + 2)


@dataclass
class Filming:
    """The state of a film in the making: what lies on the table, the frames so far, the timeline."""

    table: Table
    folder: FrameFolder
    rng: np.random.Generator
    lying: tuple[Placed, ...] = ()
    timeline: list[dict[str, Any]] | None = None
    throw: int = 0
    count: int = 0

    def shoot(
        self, phase: str, dice: tuple[Placed, ...], hand: Hand | None = None, *, seconds: float | None = None
    ) -> Rendered:
        """Take one frame and append it to the timeline."""
        scene = self.table.scene(dice, int(self.rng.integers(2**31)), hand)
        if phase in ("hand", "moving"):
            scene = replace(scene, lens=replace(scene.lens, quality=ROUGH))
        rendered = render(scene)
        name = f"{self.count:03d}_throw{self.throw:02d}_{phase}.jpg"
        self.folder.add(name, rendered, phase=phase, throw=self.throw)
        assert self.timeline is not None
        self.timeline.append({"image": name, "seconds": seconds or SECONDS[phase], "throw": self.throw, "phase": phase})
        self.count += 1
        return rendered

    def cast(self, cast: Cast) -> None:
        """Film one cast: a hand takes the dice (or one cube), they roll, they lie still."""
        self.throw = cast.throw
        names = [name for name, _ in cast.cast.shown]
        thrown = [body for body in self.table.bodies if body.die.name in names]
        kept = tuple(die for die in self.lying if die.body.die.name not in names)
        side = float(self.rng.uniform(0.15 * np.pi, 0.85 * np.pi))  # players sit below; the picture's y points down
        self.shoot("hand", self.lying, self._hand(side, 0.75))
        if cast.throw == CLEARED_THROW and not cast.recast:
            self.shoot("empty", ())
        landed = self._land(thrown, kept, cast)
        away = np.array([np.cos(side), -np.sin(side)])
        for share, reach in ((1.6, 0.35), (0.5, 0.12)):
            flying = tuple(
                replace(
                    die,
                    x=die.x + float(away[0]) * share,
                    y=die.y + float(away[1]) * share,
                    yaw=die.yaw + share,
                    blur=(float(away[0]) * 0.3 * share, float(away[1]) * 0.3 * share),
                    spoiled=False,
                )
                for die in landed
            )
            self.shoot("moving", kept + flying, self._hand(side, reach) if share > 1 else None)
        self.lying = tuple(
            die for body in self.table.bodies for die in (*kept, *landed) if die.body.die.name == body.die.name
        )
        self.shoot("still", self.lying)
        self.shoot("still", self.lying)

    def _land(self, thrown: list[Body], kept: tuple[Placed, ...], cast: Cast) -> tuple[Placed, ...]:
        """Throw until a person could read every die; in `UNREADABLE_THROW` then spoil the tetrahedron by glare."""
        faces = dict(cast.cast.shown)
        while True:
            try:
                landed = throw_dice(self.rng, thrown, self.table.camera, touching=0.3, faces=faces, lying=kept)
            except NoRoomError:
                continue
            if all(label.legible for label in render(self.table.scene(kept + landed, 0)).labels):
                break
        if cast.throw != UNREADABLE_THROW:
            return landed
        return tuple(replace(die, spoiled=not die.body.is_cube) for die in landed)

    def _hand(self, side: float, reach: float) -> Hand:
        hand = random_hand(np.random.default_rng(self.table.light_seed))
        depth = 1 - reach
        x, y = 0.5 + 0.5 * depth * float(np.cos(side)), 0.5 + 0.5 * depth * float(np.sin(side))
        skin, sleeve = linear(0.80, 0.60, 0.48), linear(0.35, 0.16, 0.14)
        return replace(hand, x=x, y=y, angle=side, size=0.055, skin=skin, sleeve=sleeve, blur=3.0)

    def wave(self) -> None:
        """Pass a hand over the table without changing anything."""
        for reach in (0.3, 0.55):
            self.shoot("hand", self.lying, self._hand(float(self.rng.uniform(0, 2 * np.pi)), reach))
        self.shoot("still", self.lying)


def film_match(seed: int, out: Path) -> dict[str, Any]:
    """Write the frames, labels and script of the sample match into a folder. Return a summary."""
    fonts = [font for font in find_fonts(bundled=True) if font.name == FONT]
    match = plan_match(seed)
    folder = FrameFolder(out)
    film = Filming(match_table(seed, fonts[0]), folder, np.random.default_rng([seed, 2]), timeline=[])
    film.shoot("empty", (), seconds=1.5)
    for cast in match.casts:
        film.cast(cast)
        if cast.throw == WAVING_THROW:
            film.wave()
    folder.close()
    script = _script(seed, match, film)
    (out / "script.json").write_text(json.dumps(script, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return {
        **folder.summary(),
        "throws": len({cast.throw for cast in match.casts}),
        "winners": script["expected"]["winners"],
    }


def _script(seed: int, match: Match, film: Filming) -> dict[str, Any]:
    outcome = match.end.outcome
    assert outcome is not None
    return {
        "game": GAME,
        "options": OPTIONS,
        "players": list(PLAYERS),
        "dice_set": "wibold",
        "seed": seed,
        "unreadable_throws": [UNREADABLE_THROW],
        "timeline": film.timeline,
        "casts": [cast.to_json() for cast in match.casts],
        "expected": {
            "winners": list(outcome.winners),
            "scores": {str(player): score for player, score in match.end.scores().items()},
            "virtues": {str(n): [virtue.lot for virtue in match.end.held(n)] for n in range(1, len(PLAYERS) + 1)},
            "position": match.end.to_json(),
        },
    }
