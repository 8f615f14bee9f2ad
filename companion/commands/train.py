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
@click.option("--scenes", default=2400, show_default=True, help="Scenes to draw for training.")
@click.option("--patches", default=112000, show_default=True, help="Single faces to draw for training.")
@click.option("--locator-minutes", default=28.0, show_default=True)
@click.option("--corner-minutes", default=9.0, show_default=True)
@click.option("--face-minutes", default=22.0, show_default=True)
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
    patches: int,
    locator_minutes: float,
    corner_minutes: float,
    face_minutes: float,
    seed: int,
    steps: tuple[str, ...],
) -> None:
    """Train the reader of letter dice anew, from drawn scenes alone.

    Nets that lie in the data folder already (locator.pt, corners.pt, faces.pt) are trained further;
    remove them to begin anew.
    """
    import logging

    from companion.vision.dice import nets

    try:
        from calibration.scenes.fonts import NoFontsError
        from calibration.training.run import Plan, run
        from calibration.training.store import NothingDrawnError
    except ImportError as error:
        raise click.ClickException(
            f"Training needs {error.name}, which is not installed; install 'alea-companion[training]'."
        ) from error
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    target = weights or Path(nets.__file__).parent / "weights"
    plan = Plan(data, target, scenes, patches, locator_minutes, corner_minutes, face_minutes, seed)
    try:
        run(plan, steps or ("draw", "locator", "corners", "faces", "choose"))
    except (NoFontsError, NothingDrawnError) as error:
        raise click.ClickException(str(error)) from error
