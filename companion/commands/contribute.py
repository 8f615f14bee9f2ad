"""``companion contribute``: pictures of single dice that the program asked about, to look through and to give away."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.commands.refusing import refuse_filled, refusing
from companion.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.live.dice_memory.contribution import NamedDie

LABELS: Final = "labels.jsonl"
ABOUT: Final = "READ-ME.txt"
TEXT: Final = """\
Each picture shows one die that this program asked about, or that somebody corrected, cut out of the table's picture.
labels.jsonl has a line for each: what people say that it shows, what the program read, and the corners of its face.
There are no names, no times and no games here.

Nothing has been sent. Look through the pictures, delete those that you do not want to give away, and pass the folder
on. A line whose picture is gone is left out.
"""


@click.command(name="contribute")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--journal",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file that stores the table's matches; by default the usual one.",
)
def command(folder: Path, journal: Path | None) -> None:
    """Put the dice that the program asked about into FOLDER, a picture each, with what people answered.

    It needs the kept pictures of those throws: the page Owner, Privacy keeps them. Nothing is sent anywhere.
    """
    import json

    import cv2

    from companion.ledger.entries import JournalError

    refuse_filled(folder)
    labels: list[str] = []
    with refusing(JournalError, OSError):
        write_whole(folder / ABOUT, TEXT.encode(), folders=True)
        for count, die in enumerate(_asked(journal), start=1):
            name = f"{count:05}.png"
            ok, png = cv2.imencode(".png", die.image)
            assert ok
            write_whole(folder / name, png.tobytes())
            labels.append(json.dumps(die.to_json(name), ensure_ascii=False) + "\n")
        write_whole(folder / LABELS, "".join(labels).encode())
    if not labels:
        click.echo("No kept picture shows a die that was asked about: let the page Owner, Privacy keep pictures.")
        return
    click.echo(f"Pictures of single dice: {len(labels)}, in {folder}. Look through them before you pass the folder on.")


def _asked(journal: Path | None) -> "Iterator[NamedDie]":
    from functools import cache

    from companion.commands.teach import usual_journal
    from companion.live.dice_memory.contribution import named_dice
    from companion.live.dice_memory.kept_throws import answers_in
    from companion.live.keeping import Keeping, PictureFolder
    from companion.referee.journal import Journal
    from companion.referee.match import Match, NoMatchError
    from companion.vision.dice.nets import Nets
    from companion.vision.dice.reader import DiceReader

    path, nets = journal or usual_journal(), Nets()
    pictures = PictureFolder(path.with_suffix(".pictures"), Keeping("all"))
    reader = cache(lambda set_name, names: DiceReader(set_name, names, nets=nets))
    answers = answers_in(path.with_suffix(".audits.db"))
    with Journal(path, writable=False) as kept:
        for number in sorted(line.id for line in kept.matches()):
            try:
                match = Match.of(kept.events(number))
            except NoMatchError:
                continue
            yield from named_dice(match, answers, pictures.read, reader)
