"""``companion learn``: learn somebody's own dice from some throws, and keep what a table starts with."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from companion.commands.refusing import refusing

if TYPE_CHECKING:
    from calibration.learning.gather import SeenFace
    from calibration.learning.learn import SortedFaces
    from calibration.learning.naming import Name, NamedGroups

T = TypeVar("T")

NO_DIE: Final = "-"
"""What somebody types for a find that is no die, or no face of it."""

OUTLINES = {"square": "upper faces", "side": "sides of the tetrahedron"}


@click.command(name="learn")
@click.argument("dice_set", metavar="SET")
@click.option(
    "--from",
    "source",
    required=True,
    metavar="SOURCE|FOLDER",
    help="A folder with a picture of each throw, or a camera.",
)
@click.option("--name", required=True, help="What the profile is called, e.g. grandfathers-dice.")
@click.option("--throws", type=click.IntRange(10, 200), default=40, show_default=True, help="How many throws to learn.")
@click.option(
    "--names", default="", metavar="1=EIOU,2=-", help="What the groups of upper faces show; - means not a face."
)
@click.option("--side-names", default="", metavar="1=BCDF,...", help="The same for the sides of a tetrahedron.")
@click.option("--sheet", type=click.Path(path_type=Path, dir_okay=False), help="Where to draw the groups, as a PNG.")
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="The same as one HTML file.")
@click.option("--ask/--no-ask", default=True, help="Ask at the prompt about groups without a name.")
def command(  # noqa: PLR0917 (click hands them over by name)
    dice_set: str,
    source: str,
    name: str,
    throws: int,
    names: str,
    side_names: str,
    sheet: Path | None,
    page: Path | None,
    *,
    ask: bool,
) -> None:
    """Learn how your own dice of SET look: throw them 20 to 60 times, and say what the groups of faces show."""
    from datetime import UTC, datetime

    from calibration.learning.kept import profile_path
    from calibration.learning.learn import NotLearntError, general_reader, make_memory, name_faces, sort_faces
    from calibration.learning.naming import NamesError, open_groups, parse_names
    from companion.rules.dice import DiceSetFileError, UnknownDiceSetError, find_dice_set
    from companion.vision.dice.memory.profile import ProfileError, check_name
    from companion.vision.dice.memory.store import MemoryFileError, save
    from companion.vision.dice.nets import WeightsError
    from companion.vision.picture_header import BadFrameError
    from companion.vision.sources.source import SourceError

    with (
        refusing(DiceSetFileError, MemoryFileError, NamesError, NotLearntError, ProfileError, UnknownDiceSetError),
        refusing(BadFrameError, SourceError, WeightsError, OSError),
    ):
        check_name(name)
        dice = find_dice_set(dice_set)
        faces = _gathered(source, throws)
        found = sort_faces(faces, dice)
        given = {one.outline: names if one.outline == "square" else side_names for one in found}
        general = general_reader(dice)
        named: list[tuple[SortedFaces, Mapping[int, Name]]] = []
        sorted_faces: list[tuple[SortedFaces, NamedGroups]] = []
        for one in found:
            typed = parse_names(given[one.outline], len(one.typical), one.texts)
            sorted_faces.append((one, name_faces(one, general, typed)))
        _show(sorted_faces, name, sheet, page)
        for one, words in sorted_faces:
            named.append((one, _asked(one, words, ask=ask)))
        memory = make_memory(name, dice, named, made=datetime.now(UTC).astimezone(), general=general)
        path = profile_path(name)
        save(path, memory, dice.name)
    left = [
        str(number + 1) for one, words in named for number in open_groups(one.groups, words) if number not in one.mixed
    ]
    if left:
        click.echo(f"Groups without a name were left out: {', '.join(left)}.", err=True)
    click.echo(f"Learnt {len(memory.exemplars)} looks of the {dice.name} dice as {name}, saved in {path}.")


def _gathered(source: str, throws: int) -> "tuple[SeenFace, ...]":
    from calibration.learning.gather import Gatherer, throws_of

    gatherer = Gatherer()
    faces: list[SeenFace] = []
    try:
        for number, image in enumerate(throws_of(source, throws)):
            seen = gatherer.faces(image, number)
            faces += seen
            click.echo(f"Throw {number + 1}: {len(seen)} faces.", err=True)
    except KeyboardInterrupt:  # Ctrl-C ends the throws early, and nothing is lost
        click.echo("Stopped; the throws so far are learnt.", err=True)
    return tuple(faces)


def _show(named: "Sequence[tuple[SortedFaces, NamedGroups]]", name: str, sheet: Path | None, page: Path | None) -> None:
    """Print and draw the names of the groups so far."""
    from calibration.learning.sheet import draw_sheet, shown, words_of, write_page, write_sheet

    drawn = []
    for one, words in named:
        members = one.members()
        patches = [face.patch for face in one.faces]
        drawn += shown(patches, members, one.typical, words.names)
        click.echo(f"{OUTLINES[one.outline].capitalize()}:", err=True)
        for number, own in enumerate(members):
            source_note = f", by the {words.names[number].source}" if number in words.names else ""
            click.echo(f"  {words_of(number + 1, len(own), words.names.get(number))}{source_note}", err=True)
        for note in words.notes:
            click.echo(note, err=True)
    if sheet is not None:
        write_sheet(sheet, draw_sheet(drawn))
    if page is not None:
        write_page(page, f"The groups of {name}", drawn)


def _asked(one: "SortedFaces", words: "NamedGroups", *, ask: bool) -> "Mapping[int, Name]":
    """Return the names, with those that the owner types for the groups without a name."""
    from calibration.learning.naming import name_of, open_groups

    names = dict(words.names)
    faces = list(dict.fromkeys(text for _, text in one.texts))
    for number in open_groups(one.groups, names) if ask else ():
        if number not in one.mixed:
            question = f"What does group {number + 1} of the {OUTLINES[one.outline]} show"
            names[number] = typed_face(question, NO_DIE, lambda typed: name_of(typed, one.texts), faces)
    return names


def typed_face(question: str, guess: str, meant: Callable[[str], T | None], faces: Sequence[str]) -> T:
    """Ask at the prompt which of some faces a die shows, until somebody types one, and return what is ``meant`` by it.

    ``guess``: what Enter says; ``meant``: returns None for what is no face and no other answer.
    """
    while True:
        typed: str = click.prompt(question, default=guess)
        known = meant(typed.strip())
        if known is not None:
            return known
        click.echo(f"Expected one of {', '.join(faces)}, or {NO_DIE} for none, but got {typed.strip()[:40]!r}.")
