"""``companion train``: draw the training material, train the three nets, choose when to ask, write the model card."""

from pathlib import Path

import click


@click.command(name="train")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=Path("training-data"),
    show_default=True,
    help="Where drawn material is kept.",
)
@click.option(
    "--weights",
    type=click.Path(path_type=Path),
    default=None,
    help="Where the nets and their card go; by default into the reader.",
)
@click.option("--scenes", default=11000, show_default=True, help="Scenes to draw.")
@click.option("--singles", default=100000, show_default=True, help="Single faces to draw beside them.")
@click.option("--locator-steps", default=12000, show_default=True, help="Batches of 12 windows.")
@click.option("--corner-steps", default=11000, show_default=True, help="Batches of 96 dice.")
@click.option("--face-steps", default=9000, show_default=True, help="Batches of 96 faces.")
@click.option("--further", is_flag=True, help="Begin with the weights that are there, not anew.")
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--step",
    "steps",
    multiple=True,
    type=click.Choice(["draw", "locator", "corners", "faces", "choose"]),
    help="Only these steps, on what earlier ones left; by default all.",
)
def command(  # noqa: PLR0917 (click hands them over by name)
    data: Path,
    weights: Path | None,
    scenes: int,
    singles: int,
    locator_steps: int,
    corner_steps: int,
    face_steps: int,
    seed: int,
    steps: tuple[str, ...],
    *,
    further: bool,
) -> None:
    """Train the reader of dice anew, from drawn scenes alone.

    Nets that lie in the data folder already (locator.pt, corners.pt, faces.pt) are trained further;
    remove them to begin anew.
    """
    import logging

    from companion.vision.dice import nets

    try:
        from calibration.scenes.fonts import NoFontsError
        from calibration.training.loop import Recipe
        from calibration.training.run import Plan, run
        from calibration.training.store import NothingDrawnError
    except ImportError as error:
        raise click.ClickException(
            f"Training needs {error.name}, which is not installed; install 'alea-companion[training]'."
        ) from error
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    recipes = {
        "locator": Recipe(locator_steps, 12, 1.5e-3, seed=seed + 10),
        "corners": Recipe(corner_steps, 96, 2.5e-3, seed=seed + 12),
        "faces": Recipe(face_steps, 96, 2.5e-3, decay=2e-2, seed=seed + 11),
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
            ),
            steps or ("draw", "locator", "corners", "faces", "choose"),
        )
    except (NoFontsError, NothingDrawnError) as error:
        raise click.ClickException(str(error)) from error
