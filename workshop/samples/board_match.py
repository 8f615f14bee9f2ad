"""Choose and film a match on a board, ply by ply: hands that move men, then men that stand still.

The pictures show no dice: the script holds the throws, and the sample table throws them itself.
"""

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.rules.dice import Throw
from companion.rules.game import Choice, Position
from companion.rules.registry import game
from companion.rules.rithmomachia import RithmoPosition
from companion.rules.rithmomachia.choices import Claim, Done, Move
from companion.vision.board_readings import Men
from companion.vision.boards.layout import layout
from workshop.board_scenes.filming import BoardFilm
from workshop.board_scenes.render import RenderedBoard
from workshop.players.plain_ways import choose
from workshop.scenes.fonts import find_fonts
from workshop.scenes.materials import linear
from workshop.scenes.things import Hand, random_hand

QUALITY: Final = {"hand": 40, "still": 72}
"""JPEG quality: numbers of 15 pixels stay readable; under a hand there is nothing to read, so a match stays small."""

HAND_SECONDS: Final = 0.9
"""How long a hand stays over the board: long enough to be seen."""

COLOURS: Final = ("light", "dark")
"""Colours of the men of a tables board, the first side's first."""


@dataclass(frozen=True)
class Plan:
    """A match to film: game, board and table; at most ``plies`` turns, and those in ``alone`` one man at a time.

    ``still``: seconds that a picture of still men lasts after the program has followed the moves and, in a game with
    dice, after the throw.
    """

    name: str
    slug: str
    players: tuple[str, str]
    board: str
    board_seed: int
    size: tuple[int, int]
    plies: int
    still: float
    dice_set: str = ""
    alone: frozenset[int] = frozenset()


ZENO: Final = Plan(
    "zeno", "tables/zeno", ("Zeno", "Agathias"), "tables", 3, (960, 720), 200, 2.0, "pips", frozenset({0, 3})
)
RITHMOMACHIA: Final = Plan(
    "rithmomachia", "rithmomachia/durnil-guardia", ("Euclid", "Boethius"), "rithmomachia", 30, (1280, 960), 12, 5.0
)


@dataclass(frozen=True)
class Ply:
    """One turn: its throw, and its choices with the positions that they lead to. Pictures do not show its end."""

    throw: Throw | None
    choices: tuple[tuple[Choice, Position], ...]


def plan_plies(plan: Plan, seed: int) -> Iterator[Ply]:
    """Yield the turns of a match; the same seed gives the same turns."""
    rng = random.Random(f"{seed} {plan.slug}")  # noqa: S311  (dice of a sample, not a secret)
    position: Position = game(plan.slug).start(2)
    for _ in range(plan.plies):
        if position.outcome is not None:
            return
        throw = None
        if position.awaits.kind == "throw":
            throw = rng.choice(position.throws())
            position = position.after(throw)
        way = tuple(_battle(position, rng) if isinstance(position, RithmoPosition) else _turn(position, rng))
        yield Ply(throw, way)
        position = way[-1][1] if way else position


def _turn(position: Position, rng: random.Random) -> Iterator[tuple[Choice, Position]]:
    """Play as the program does: such a match ends sooner than a random one."""
    player = position.awaits.player
    while position.awaits.kind == "choice" and position.awaits.player == player:
        choice = choose(position, rng)
        position = position.after(choice)
        yield choice, position


def _battle(position: RithmoPosition, rng: random.Random) -> Iterator[tuple[Choice, Position]]:
    """Yield a move that captures, if there is one, else one that goes far towards the enemy; then its captures."""
    here: Position = position
    if position.phase == "claims":
        here = here.after(Done())
        yield Done(), here
    forward = 1 if here.awaits.player == 1 else -1
    moves = [move for move in here.legal() if isinstance(move, Move)]
    rng.shuffle(moves)
    best = max(
        moves, key=lambda move: (bool(_claims(here.after(move))), forward * (int(move.end[1:]) - int(move.start[1:])))
    )
    here = here.after(best)
    yield best, here
    while claims := _claims(here):
        here = here.after(claims[0])
        yield claims[0], here


def _claims(position: Position) -> list[Claim]:
    return [choice for choice in position.legal() if isinstance(choice, Claim) and not choice.target.part]


def truth_of(position: Position) -> Mapping[str, Any]:
    """Return what a picture of a position shows: light men are the first side's, hit men lie on the bar."""
    if isinstance(position, RithmoPosition):
        return {site: Men(man["colour"], 1, man["shape"], man["number"]) for site, man in position.occupancy().items()}
    places = {"hand": "bar"}
    return {
        places.get(site, site): {COLOURS[int(side) - 1]: count for side, count in men.items()}
        for site, men in position.occupancy().items()
        if site != "off"
    }


@dataclass
class BoardFilming:
    """The state of a film in the making: its pictures, labels and timeline."""

    film: BoardFilm
    folder: Path
    still: float
    rng: np.random.Generator
    labels: list[dict[str, Any]] = field(default_factory=list)
    timeline: list[dict[str, Any]] = field(default_factory=list)
    size: int = 0

    def shoot(self, phase: str, position: Position, ply: int, made: int, hand: Hand | None = None) -> None:
        """Take one picture of the men after ``made`` choices, and append it to the timeline."""
        number = len(self.timeline)
        picture = self.film.picture(truth_of(position), number, hand=hand)
        name = f"{number:03d}_ply{ply:02d}_{phase}.jpg"
        self._write(name, picture, phase, ply)
        seconds = self.still if phase == "still" else HAND_SECONDS
        self.timeline.append({"image": name, "seconds": seconds, "throw": ply, "phase": phase, "made": made})

    def _write(self, name: str, picture: RenderedBoard, phase: str, ply: int) -> None:
        done, data = cv2.imencode(".jpg", picture.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY[phase]])
        assert done, "a rendered picture can always be encoded"
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_bytes(data.tobytes())
        self.size += len(data)
        self.labels.append({**picture.to_json(name), "phase": phase, "throw": ply})

    def hand(self, player: int) -> Hand:
        """Return a hand that reaches in from a player's side."""
        side = 0.5 * np.pi if player == 1 else 1.5 * np.pi  # below or above; the picture's y points down
        angle = side + float(self.rng.uniform(-0.5, 0.5))
        depth = 1 - float(self.rng.uniform(0.35, 0.6))
        hand = random_hand(np.random.default_rng(self.film.seed + player))
        x, y = 0.5 + 0.5 * depth * float(np.cos(angle)), 0.5 + 0.5 * depth * float(np.sin(angle))
        return replace(hand, x=x, y=y, angle=angle, size=0.045, skin=linear(0.80, 0.60, 0.48), blur=2.0)


def film_board_match(plan: Plan, seed: int, out: Path) -> dict[str, Any]:
    """Write the frames, labels and script of a match on a board into a folder. Return a summary."""
    film = BoardFilm(plan.board, plan.board_seed, find_fonts(bundled=True), size=plan.size, tilt=8.0)
    filming = BoardFilming(film, out, plan.still, np.random.default_rng([seed, 3]))
    start = position = game(plan.slug).start(2)
    filming.shoot("still", position, 0, 0)
    plies = list(plan_plies(plan, seed))
    made = 0
    for number, ply in enumerate(plies, start=1):
        player = position.after(ply.throw).awaits.player if ply.throw is not None else position.awaits.player
        stops = _stops(ply, alone=number - 1 in plan.alone)
        for count, reached in stops:
            filming.shoot("hand", position, number, made, filming.hand(player))
            position = reached
            made += count
            filming.shoot("still", position, number, made)
    _write_labels(out, filming)
    script = {
        "game": plan.slug,
        "options": {},
        "players": list(plan.players),
        "board": plan.board,
        "seating": {"game": plan.slug, "lies": "as named", "colours": dict(zip(_colours(plan), (1, 2), strict=True))},
        "dice_set": plan.dice_set,
        "seed": seed,
        "timeline": filming.timeline,
        "throws": [dict(ply.throw.shown) for ply in plies if ply.throw is not None],
        "choices": [str(choice) for ply in plies for choice, _ in ply.choices],
        "expected": {"position": position.to_json()},
    }
    (out / "script.json").write_text(json.dumps(script, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    men = sum(len(label["objects"][0]["sites"]) for label in filming.labels)
    assert start.outcome is None, "a sample begins at the beginning"
    return {
        "folder": str(out),
        "images": len(filming.labels),
        "dice": 0,
        "legible": 0,
        "sites": men,
        "bytes": filming.size,
        "plies": len(plies),
    }


def _colours(plan: Plan) -> tuple[str, str]:
    return layout(plan.board).colours


def _stops(ply: Ply, *, alone: bool) -> list[tuple[int, Position]]:
    """Return each stop as (choices since the last stop, position): one at the turn's end, or one per man."""
    if alone or not ply.choices:
        return [(1, position) for _, position in ply.choices]
    return [(len(ply.choices), ply.choices[-1][1])]


def _write_labels(out: Path, filming: BoardFilming) -> None:
    text = "".join(json.dumps(label, ensure_ascii=False) + "\n" for label in filming.labels)
    (out / "labels.jsonl").write_text(text, encoding="utf-8")
