"""``companion train``: draw the training material, train the three nets, choose when to ask, write the model card."""

from pathlib import Path
from typing import Any

import click


@click.command(name="train")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=Path("training-data"),
    show_default=True,
    help="Where drawn material is stored.",
)
@click.option(
    "--weights",
    type=click.Path(path_type=Path),
    default=None,
    help="Where the nets and their card go; by default into the reader.",
)
@click.option("--scenes", default=11000, show_default=True, help="Scenes to draw.")
@click.option("--singles", default=100000, show_default=True, help="Single faces to draw in addition.")
@click.option("--locator-steps", default=12000, show_default=True, help="Batches of an eighth as many windows.")
@click.option("--corner-steps", default=11000, show_default=True, help="Batches of dice.")
@click.option("--face-steps", default=9000, show_default=True, help="Batches of faces.")
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    default=None,
    help="End the round of each net after this long; the rate falls with the time.",
)
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True, help="What trains.")
@click.option("--bfloat16", "half", is_flag=True, help="Compute in bfloat16: twice as fast where the processor has it.")
@click.option(
    "--cores",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="Processes that draw; with --device cuda so many make batches, too.",
)
@click.option("--batch", type=click.IntRange(min=2), default=96, show_default=True, help="Dice or faces in a batch.")
@click.option("--rate", type=click.FloatRange(min=0, min_open=True), default=None, help="The highest rate of learning.")
@click.option("--further", is_flag=True, help="Start from the existing weights, not from scratch.")
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--step",
    "steps",
    multiple=True,
    type=click.Choice(["draw", "locator", "corners", "faces", "choose"]),
    help="Only these steps, on the results of earlier ones; by default all.",
)
def command(  # noqa: PLR0917 (click hands them over by name)
    data: Path,
    weights: Path | None,
    scenes: int,
    singles: int,
    locator_steps: int,
    corner_steps: int,
    face_steps: int,
    minutes: float | None,
    device: str,
    cores: int,
    batch: int,
    rate: float | None,
    seed: int,
    steps: tuple[str, ...],
    *,
    half: bool,
    further: bool,
) -> None:
    """Train the dice reader from scratch, from drawn scenes alone.

    What a net has learnt is saved in the data folder (locator.pt, corners.pt, faces.pt) every few minutes. An
    interrupted round continues from there, a finished one is followed by the next; delete the file to start from
    scratch. New weights are written only if they read the check material better than the existing ones.
    """
    import logging

    from companion.vision.dice import nets

    try:
        import torch

        from workshop.scenes.fonts import NoFontsError
        from workshop.training.run import Plan, run
        from workshop.training.schedule import Recipe
        from workshop.training.state import StateError
        from workshop.training.store import NothingDrawnError
    except ImportError as error:
        raise click.ClickException(
            f"Training needs {error.name}, which is not installed; install 'alea-companion[training]'."
        ) from error
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    if device == "cuda" and not torch.cuda.is_available():
        raise click.ClickException("Expected a CUDA device, but PyTorch finds none; give --device cpu.")
    common: dict[str, Any] = {
        "device": device,
        "half": half,
        "minutes": minutes,
        "workers": cores if device == "cuda" else 0,
    }
    recipes = {
        "locator": Recipe(locator_steps, max(2, batch // 8), rate or 1.5e-3, seed=seed + 10, **common),
        "corners": Recipe(corner_steps, batch, rate or 2.5e-3, seed=seed + 12, **common),
        "faces": Recipe(face_steps, batch, rate or 2.5e-3, decay=2e-2, seed=seed + 11, **common),
    }
    try:
        run(
            Plan(
                data,
                weights or Path(nets.__file__).parent / "weights",
                scenes,
                singles,
                recipes,
                further=further,
                seed=seed,
                cores=cores,
            ),
            steps or ("draw", "locator", "corners", "faces", "choose"),
        )
    except (NoFontsError, NothingDrawnError, StateError) as error:
        raise click.ClickException(str(error)) from error
