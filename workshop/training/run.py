"""The whole training in one run: draw, train the three nets, choose when to ask, write the card."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.vision.dice.asking.selector import Selector
from companion.vision.dice.nets import CORNERS, FACES, LOCATOR, Settings, use_weights
from workshop.hands import more_hands, split_fonts
from workshop.training import faces, locator
from workshop.training.card import Card, read_recipe
from workshop.training.choosing.choose import choose
from workshop.training.corners import train as corners
from workshop.training.corners.scale import scale
from workshop.training.material import ASIDE, CHECK, PARTED, SCENES, SIDES, SINGLES, draw_all, parts
from workshop.training.schedule import Recipe
from workshop.training.store import Scenes

log = logging.getLogger(__name__)

UNCHOSEN: Final = Settings(1.0, 0.99)
NOTHING: Final = Selector({}, {}, ())
"""These stand in the card until it is chosen when to ask; until then everything is asked about."""

Trainer = Callable[..., dict[str, float]]
NETS: Final[dict[str, tuple[Trainer, str, tuple[str, ...]]]] = {
    "locator": (locator.train_locator, LOCATOR, (SCENES,)),
    "corners": (corners.train_corners, CORNERS, (SCENES, SIDES)),
    "faces": (faces.train_faces, FACES, (SCENES, SINGLES)),
}
"""For each net: its training function, its file, and the material that it learns from."""


@dataclass(frozen=True)
class Plan:
    """What to train with and where the results go. ``nets``: the recipe of each net."""

    data: Path
    weights: Path
    scenes: int
    singles: int
    nets: dict[str, Recipe]
    further: bool = False
    """Whether to start with the existing weights instead of from scratch."""
    seed: int = 1
    cores: int = 2
    """Number of processes that draw."""
    validation_parts: int = 10


def run(plan: Plan, steps: Sequence[str]) -> None:
    """Run the steps (draw, locator, corners, faces, choose), each on the results of the earlier ones.

    Raises:
        NoFontsError: no training fonts are installed.
        NothingDrawnError: a step needs material that was not drawn.
    """
    teach, validate = split_fonts(PARTED)
    recipe = read_recipe(plan.weights)
    changed: list[str] = []
    if "draw" in steps:
        teaching = len(teach) + len(more_hands())
        log.info("drawing with %d fonts; %d are kept for validation", teaching, len(validate))
        draw_all(plan.data, parts(plan.scenes, plan.singles, plan.seed), plan.cores)
        recipe |= {"seed": plan.seed, "scenes": plan.scenes, "singles": plan.singles}
        recipe |= {"fonts": teaching, "validation_fonts": len(validate)}
    # load first what scales the errors: if it is missing, this fails before the corner net is trained
    aside = Scenes.load(plan.data, *(f"{ASIDE}-{one}" for one in (SCENES, SIDES))) if "corners" in steps else None
    for name in (step for step in steps if step in NETS):
        train, file, material = NETS[name]
        check = Scenes.load(plan.data, *(f"{CHECK}-{one}" for one in material))
        scenes = Scenes.load(plan.data, *material)
        how = plan.nets[name]
        target = plan.weights / file
        result = train(
            lambda: scenes,  # noqa: B023
            check,
            how,
            target,
            state=plan.data / f"{name}.pt",
            begin=target if plan.further else None,
        )
        if not result.pop("kept"):
            log.info("%s: the weights that were there read the check material better and stay", name)
            continue
        changed.append(name)
        recipe |= {f"{name}_steps": how.steps, f"{name}_batch": how.batch, f"{name}_rate": how.rate}
        recipe |= {f"{name}_{key}": round(value, 4) for key, value in result.items()}
    if not all((plan.weights / file).is_file() for _, file, _ in NETS.values()):
        log.info("the card is written when all three nets are there")
        return
    if changed:
        Card(UNCHOSEN, NOTHING, recipe, {}).write(plan.weights)
    if "corners" in changed and aside is not None:
        log.info("corners: errors set to scale along %s", scale(plan.weights, aside))
    if "choose" in steps:
        use_weights(plan.weights)
        chosen, selector, measured = choose(plan.data, plan.validation_parts, plan.cores)
        Card(chosen, selector, recipe, measured).write(plan.weights)
