"""``companion samples``: make the sample frames, or labelled frames for measuring a reader."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from companion.commands.common_options import as_json, show_json

SEED = 10
"""The seed of the committed sample frames, except those in `SEEDS`."""

SEEDS = {"zeno": 290}
"""Seeds by the sample's name: this one gives a short match of 75 throws."""


@click.group(short_help="Make sample frames of dice and boards.")
def command() -> None:
    """Draw labelled frames of dice on a table, and of men on a board."""


@contextmanager
def _drawing() -> Iterator[None]:
    """Turn the lack of something that drawing needs into a command's one-sentence error."""
    try:
        import PIL  # noqa: F401
    except ImportError as missing:
        raise click.ClickException(
            "Drawing letters needs Pillow, which is not installed: pip install 'alea-companion[scenes]'."
        ) from missing
    from companion.rules.dice import UnknownDiceSetError
    from workshop.scenes.fonts import NoFontsError
    from workshop.scenes.scene import NotDrawnError

    try:
        yield
    except (NoFontsError, NotDrawnError, UnknownDiceSetError) as refused:
        raise click.ClickException(str(refused)) from refused


def _makers() -> dict[str, Callable[[int, Path], dict[str, Any]]]:
    from workshop.samples.board_match import RITHMOMACHIA, ZENO, film_board_match
    from workshop.samples.filming import film_match
    from workshop.samples.frames import make_varied
    from workshop.samples.throws import film_throws

    return {
        "ludus-regularis": film_match,
        "varied": make_varied,
        "zeno": lambda seed, out: film_board_match(ZENO, seed, out),
        "rithmomachia": lambda seed, out: film_board_match(RITHMOMACHIA, seed, out),
        "pips": film_throws,
    }


@command.command()
@click.argument("name", type=click.Choice(["ludus-regularis", "varied", "zeno", "rithmomachia", "pips"]))
@click.option(
    "--seed", type=int, help="The same seed gives the same frames; by default that of the frames in the repository."
)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="The folder to fill.")
@as_json
def make(name: str, seed: int | None, out: Path, *, as_json: bool) -> None:
    """Make the sample set NAME: a short match with dice or on a board, throws of one die, or varied single frames."""
    with _drawing():
        _report(_makers()[name](SEEDS.get(name, SEED) if seed is None else seed, out), as_json=as_json)


@command.command()
@click.option(
    "--set", "set_name", default="wibold", show_default=True, help="The dice to draw: wibold, pips, tiles, d20..."
)
@click.option("-n", "--number", type=click.IntRange(min=1), default=200, show_default=True, help="How many frames.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same frames.")
@click.option(
    "--fonts",
    "role",
    type=click.Choice(["train", "held-out"]),
    default="held-out",
    show_default=True,
    help="Fonts that the reader learnt from, or others.",
)
@click.option(
    "--view",
    type=click.Choice(["tray", "usual", "wide", "hard", "training"]),
    default="tray",
    show_default=True,
    help="How camera and table are chosen.",
)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="The folder to fill.")
@as_json
def scenes(*, set_name: str, number: int, seed: int, role: str, view: str, out: Path, as_json: bool) -> None:
    """Draw random labelled frames to measure a reader by."""
    with _drawing():
        from workshop.samples.frames import make_scenes
        from workshop.scenes.fonts import find_fonts, missing_packages

        fonts = find_fonts("held-out" if role == "held-out" else "train")
        report = make_scenes(out, count=number, seed=seed, fonts=fonts, set_name=set_name, view=view)
        report["fonts"] = len(fonts)
        if missing := missing_packages("held-out" if role == "held-out" else "train"):
            click.echo(missing, err=True)
    _report(report, as_json=as_json)


def _report(report: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        show_json(dict(report))
        return
    if "sites" in report:
        click.echo(
            f"{report['images']} frames of {report['plies']} plies, "
            f"{report['bytes'] / 1e6:.1f} MB, in {report['folder']}."
        )
        return
    click.echo(
        f"{report['images']} frames with {report['dice']} dice, {report['legible']} of them legible, "
        f"{report['bytes'] / 1e6:.1f} MB, in {report['folder']}."
    )
