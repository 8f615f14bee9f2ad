"""``companion bench``: measurements. Here: how well labelled pictures are read."""

import json
from pathlib import Path
from typing import Any

import click


@click.group(name="bench")
def command() -> None:
    """Measure the companion."""


@command.command(name="vision")
@click.option("--dice", "dice_set", default="wibold", show_default=True, help="The dice set in the pictures.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.argument("folder", type=click.Path(path_type=Path))
def vision(dice_set: str, folder: Path, *, as_json: bool) -> None:
    """Read the pictures of FOLDER/labels.jsonl and count correct, asked and silently wrong dice."""
    from companion.rules.dice import UnknownDiceSetError
    from companion.vision.dice import DiceReader, DiceSetNotReadError, WeightsError
    from companion.vision.dice.scoring import Score
    from companion.vision.images import BadFrameError, load_image

    try:
        reader = DiceReader(dice_set)
        labels = _labels(folder / "labels.jsonl", dice_set)
        score = Score()
        for number, label in enumerate(labels):
            image = load_image(folder / label["image"])
            if number == 0:
                reader.read(image)  # a net's first run is slower than all later ones
            reading = reader.read(image)
            score.add(label, {"objects": [die.to_json() for die in reading.dice], "ms": reading.milliseconds})
    except (BadFrameError, DiceSetNotReadError, OSError, UnknownDiceSetError, WeightsError) as error:
        raise click.ClickException(str(error)) from error
    report = score.to_json()
    if as_json:
        click.echo(json.dumps(report))
        return
    for name, part in (("cubes", report["cubes"]), ("tetrahedra", report["tetrahedra"])):
        click.echo(
            f"{name} ({part['dice']}): "
            + ", ".join(f"{key} {_percent(part[key])}" for key in ("correct", "asked", "silent"))
        )
    images = report["images"]
    click.echo(
        f"pictures ({images['of']}): exact {_percent(images['exact'])}, "
        f"with a silent error {_percent(images['with_silent_error'])}"
    )
    if "ms" in report:
        click.echo(f"time for one picture: median {report['ms']['p50']} ms, 95 of 100 within {report['ms']['p95']} ms")


def _labels(path: Path, dice_set: str) -> list[dict[str, Any]]:
    """Return the labels of pictures whose dice are all of one set (pictures without dice count too)."""
    if not path.is_file():
        raise click.ClickException(
            f"Expected labels in {path}, but there is no such file; name a folder with labels.jsonl."
        )
    try:
        labels = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [one for one in labels if all(die.get("set") == dice_set for die in one["objects"])]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise click.ClickException(
            f"Expected one labelled picture a line in {path}, but one line is not: {error}."
        ) from error


def _percent(rate: dict[str, Any]) -> str:
    if rate["rate"] is None:
        return "-"
    low, high = rate["interval"]
    return f"{100 * rate['rate']:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
