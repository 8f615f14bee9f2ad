"""``companion bench``: how well labelled pictures, sittings and matches are read."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import click
import cv2

from bench.boards.labelled_pictures import Followed, follow
from bench.scoring import Score
from bench.scoring.baseline import Baseline, BaselineError
from bench.scoring.boards import BoardScore, report_lines
from bench.scoring.sheet import draw_sheet
from bench.scoring.sitting import Sitting, play
from bench.scoring.table import table
from companion.commands.common_options import read_position, refusals, the_game
from companion.rules.dice import DiceSet, DiceSetFileError, UnknownDiceSetError, find_dice_set
from companion.vision.boards.known import plan
from companion.vision.boards.layout import UnknownBoardError
from companion.vision.boards.readers import reader_of
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.nets import WeightsError
from companion.vision.dice.reader import DiceReader, DiceSetNotReadError
from companion.vision.ground import Ground
from companion.vision.images import load_image
from companion.vision.picture_header import BadFrameError
from companion.whole_file import write_whole

Lines = list[dict[str, Any]]


@click.group(name="bench")
def command() -> None:
    """Measure the companion."""


@command.command(name="vision")
@click.option(
    "--dice",
    "name",
    default=None,
    metavar="NAME|FILE",
    help="The dice in the pictures: a set that comes with the program, or a file ending in .toml. [default: wibold]",
)
@click.option("--tiles", is_flag=True, help="Flat letter tiles; short for --dice tiles.")
@click.option(
    "--board", default=None, metavar="NAME", help="Boards instead of dice: tables, rithmomachia, rim, pairs or wheel."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--sheet", type=click.Path(path_type=Path), help="Write a picture of all misread dice here (PNG).")
@click.option(
    "--readings",
    type=click.Path(path_type=Path),
    help="Score these readings, as 'companion read --json' prints them, instead of reading now.",
)
@click.option("--baseline", type=click.Path(path_type=Path), help="Fail if more goes wrong than recorded in this file.")
@click.option("--write-baseline", type=click.Path(path_type=Path), help="Record the result of each die in this file.")
@click.argument("folder", type=click.Path(path_type=Path))
def vision(
    *,
    folder: Path,
    name: str | None,
    sheet: Path | None,
    readings: Path | None,
    baseline: Path | None,
    write_baseline: Path | None,
    board: str | None,
    tiles: bool,
    as_json: bool,
) -> None:
    """Read the pictures of FOLDER/labels.jsonl and count correct, asked, missed and silently wrong dice or sites."""
    if tiles + (name is not None) + (board is not None) > 1:
        raise click.UsageError(
            "Expected one of --dice, --tiles and --board, but got several: name one kind of thing to read."
        )
    if board is not None:
        if sheet or baseline or write_baseline:
            raise click.UsageError("Expected --board with --readings or --json only: boards have no sheet or baseline.")
        _boards(folder, board, readings, as_json=as_json)
        return

    with _one_sentence_errors():
        dice = find_dice_set("tiles" if tiles else name or "wibold")
        every = _lines(folder / "labels.jsonl", "labelled picture")
        labels = [label for label in every if all(_is_of(one, dice.name) for one in label["objects"])]
        score = Score(dice)
        if readings is None:
            _read(folder, labels, dice, score)
        else:
            answers = {Path(str(line["image"])).name: line for line in _lines(readings, "reading")}
            for label in labels:
                score.add(label, answers.get(Path(label["image"]).name, {"objects": []}))
        if sheet is not None:
            _write_sheet(sheet, folder, score)
        kept = Baseline.of(score)
        if write_baseline is not None:
            kept.save(write_baseline)
        worse = Baseline.load(baseline).worse(kept) if baseline is not None else None
    report = {"set": dice.name, "pictures_of_other_dice": len(every) - len(labels)} | score.to_json()
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else table(report))
    if worse:
        raise click.ClickException(worse)


@command.command(name="sitting")
@click.option("--dice", "name", required=True, metavar="NAME|FILE", help="The dice in the pictures.")
@click.option("--learn/--no-learn", default=True, help="Learn from each throw, as a table does.", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each throw, and then the totals.")
@click.argument("folder", type=click.Path(path_type=Path))
def sitting(*, folder: Path, name: str, learn: bool, as_json: bool) -> None:
    """Play the throws of FOLDER/labels.jsonl in their order, as at a table; the labels answer its questions."""
    with _one_sentence_errors():
        dice = find_dice_set(name)
        labels = _lines(folder / "labels.jsonl", "labelled picture")
        _expect_throws(labels, dice, folder / "labels.jsonl")
        thrown = {str(one.get("die")) for label in labels for one in label["objects"]}
        names = tuple(die.name for die in dice.dice if die.name in thrown) if not dice.alike else None
        reader = DiceReader(dice, names or None, memory=TableMemory() if learn else None)
        reader.ground = Ground() if learn else None
        if labels:
            reader.read(load_image(folder / labels[0]["image"]))  # a net's first run is slower than all later ones
        played = Sitting()
        for throw in play(labels, lambda image: load_image(folder / image), reader, learn=learn):
            played.throws.append(throw)
            if as_json:
                click.echo(json.dumps(throw.to_json(), ensure_ascii=False))
    totals = {"set": dice.name, "learn": learn} | played.to_json()
    click.echo(json.dumps(totals, ensure_ascii=False) if as_json else _sitting_table(totals))


@command.command(name="board")
@click.option("--board", required=True, metavar="NAME", help="The board in the pictures, e.g. tables or rithmomachia.")
@click.option("--game", "slug", required=True, metavar="SLUG", help="The game played on it.")
@click.option("--start", type=click.File(encoding="utf-8"), help="The position in which the match begins, as JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each picture, and then the totals.")
@click.argument("folder", type=click.Path(path_type=Path))
def board_match(*, folder: Path, board: str, slug: str, start: TextIO | None, as_json: bool) -> None:
    """Follow a match through the pictures of FOLDER/labels.jsonl, as at a table; the labels answer its questions."""
    game = the_game(slug)
    with refusals():
        position = game.start(game.least_players) if start is None else read_position(game, start)
    labels = _lines(folder / "labels.jsonl", "labelled picture")
    followed = Followed(slug)
    with _one_sentence_errors():
        for line in follow(folder, board, position, labels):
            followed.add(line)
            if as_json:
                click.echo(json.dumps(line.to_json(), ensure_ascii=False))
    click.echo(json.dumps(followed.to_json()) if as_json else followed.table())


def _expect_throws(labels: Lines, dice: DiceSet, path: Path) -> None:
    """Refuse labels that are no sitting with these dice: without places nobody can answer what the reader asks."""
    if not labels:
        raise click.ClickException(f"Expected the throws of a sitting in {path}, but it is empty: draw or label some.")
    faces = {_letters(face.text) for die in dice.dice for face in die.faces}
    known = {die.name for die in dice.dice}
    for label in labels:
        for one in label["objects"]:
            what = None
            if not _is_of(one, dice.name):
                what = f"a thing of {one.get('set') or one['kind']}"
            elif _letters(one.get("face")) not in faces or one.get("die") not in {None, *known}:
                what = f"face {one.get('face')} of die {one.get('die')}"
            elif not _is_outline(one.get("polygon")):
                what = "a die without the polygon where it lies"
            if what is not None:
                raise click.ClickException(
                    f"Expected places of {dice.name} dice in {path}, but {label['image']} shows {what}: "
                    "choose other dice or correct the labels."
                )


def _letters(face: object) -> str:
    """Return a face's letters in the order of the alphabet: in labels they may stand in any order."""
    return "".join(sorted(str(face)))


def _is_outline(polygon: Any) -> bool:
    """Return whether a label's polygon is a list of three or more places."""
    return (
        isinstance(polygon, list)
        and len(polygon) >= 3
        and all(
            isinstance(place, list) and len(place) == 2 and all(isinstance(value, int | float) for value in place)
            for place in polygon
        )
    )


def _sitting_table(totals: dict[str, Any]) -> str:
    """Return the totals of a sitting as a table, a line for each ten throws."""
    columns = ("dice", "read", "asked", "missed", "silent", "questions", "wholly_read")
    lines = ["  throws  " + "".join(f"{name.replace('_', ' '):>13}" for name in columns)]
    lines += [
        f"{block['throws'][0]:>4} to{block['throws'][1]:>3}" + "".join(f"{block[name]:>13}" for name in columns)
        for block in totals["blocks"]
    ]
    lines.append(f"{'all':>10}" + "".join(f"{totals[name]:>13}" for name in columns))
    return "\n".join(lines)


def _boards(folder: Path, board: str, readings: Path | None, *, as_json: bool) -> None:

    score = BoardScore()
    with _one_sentence_errors():
        try:
            plan(board)
        except UnknownBoardError as error:
            raise click.ClickException(str(error)) from error
        every = _lines(folder / "labels.jsonl", "labelled picture")
        labels = [label for label in every if any(one.get("board") == board for one in label["objects"])]
        answers = _board_readings(folder, board, labels) if readings is None else _lines(readings, "reading")
        by_image = {Path(str(line["image"])).name: line for line in answers}
        for label in labels:
            score.add(label, by_image.get(Path(label["image"]).name, {"objects": []}))
    report = {"board": board, "pictures_of_other_things": len(every) - len(labels)} | score.to_json()
    click.echo(json.dumps(report) if as_json else report_lines(report))


def _board_readings(folder: Path, board: str, labels: Lines) -> Lines:

    reader = reader_of(board)
    lines = []
    for number, label in enumerate(labels):
        image = load_image(folder / label["image"])
        if number == 0:
            reader.read(image)  # a net's first run is slower than all later ones
        reading = reader.read(image)
        objects = [reading.to_json()] if reading.sites else []
        lines.append({"image": label["image"], "objects": objects, "ms": reading.milliseconds})
    return lines


def _read(folder: Path, labels: Lines, dice: DiceSet, score: Score) -> None:

    reader = DiceReader(dice, learns=False)
    for number, label in enumerate(labels):
        image = load_image(folder / label["image"])
        if number == 0:
            reader.read(image)  # a net's first run is slower than all later ones
        reading = reader.read(image)
        answers: dict[str, Any] = {"objects": [die.to_json() for die in reading.dice], "status": reading.status}
        score.add(label, answers | {"ms": reading.milliseconds, "stages": dict(reading.stages)})


def _write_sheet(path: Path, folder: Path, score: Score) -> None:

    write_whole(
        path, cv2.imencode(".png", draw_sheet(score.pictures, lambda name: load_image(folder / name)))[1].tobytes()
    )


@contextmanager
def _one_sentence_errors() -> Iterator[None]:
    """Turn errors of files and dice sets into a command's one-sentence error."""
    try:
        yield
    except (
        BadFrameError,
        BaselineError,
        DiceSetFileError,
        DiceSetNotReadError,
        OSError,
        UnknownDiceSetError,
        WeightsError,
    ) as error:
        raise click.ClickException(str(error)) from error


def _is_of(thing: dict[str, Any], set_name: str) -> bool:
    """Return whether this dice set reads a labelled thing; every set reads a picture without labelled things."""
    return thing["kind"] == "tile" if set_name == "tiles" else thing.get("set") == set_name


def _lines(path: Path, what: str) -> Lines:
    if not path.is_file():
        raise click.ClickException(
            f"Expected {what}s in {path}, but there is no such file; name a folder with labels.jsonl, or readings."
        )
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        for line in lines:
            Path(line["image"])
            dict.fromkeys(one["kind"] for one in line["objects"])
    except (ValueError, KeyError, TypeError) as error:
        raise click.ClickException(f"Expected one {what} per line in {path}, but one line is not: {error}.") from error
    return lines
