"""What several commands share: a game, options, JSON, refusals as one sentence."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

import click

from companion.commands.refusing import refusing
from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import GameError, PositionFormatError
from companion.rules.game import Game, Position
from companion.rules.options import OptionValue
from companion.rules.strict_json import NoJsonError, StrictJsonError, read_json, written_json

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
players = click.option("--players", default=2, show_default=True, help="Number of players.")


def _read_options(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> dict[str, OptionValue]:
    del context
    read: dict[str, OptionValue] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"Expected NAME=VALUE, but got {text!r}.", param=parameter)
        read[name.strip()] = option_value(value.strip())
    return read


def option_value(text: str) -> OptionValue:
    """Return the meaning of a typed value: yes or no, a whole number, or a word."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    return int(text) if text.isdecimal() else text


options = click.option(
    "-o",
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_read_options,
    help="A ruling of the game; 'companion games SLUG' lists them.",
)


strength = click.option(
    "--strength",
    type=click.Choice(["child", "beginner", "club", "master"]),
    default="club",
    show_default=True,
    help="How well the program plays in its seats.",
)


position_file = click.option(
    "--position", "file", type=click.File(encoding="utf-8"), help="A position as JSON; - for standard input."
)


def _known_language(_: click.Context, __: click.Parameter, language: str) -> str:
    from companion.language import texts

    if language not in texts.languages():
        raise click.ClickException(
            f"Expected one of the languages {', '.join(texts.languages())}, but got {language!r}."
        )
    return language


language_option = click.option(
    "--language",
    default="en",
    show_default=True,
    callback=_known_language,
    help="The language of what is written: en, de, fr, es.",
)


def read_position(game: Game, file: TextIO) -> Position:
    """Return the position in a file, if play can reach it; the file may omit ``"game"``.

    Raises:
        PositionFormatError: the file has no position of this game, or one that play cannot reach.
    """
    return position_of(game, read_object(file))


def read_object(file: TextIO) -> dict[str, Any]:
    """Return the JSON object in a file.

    Raises:
        PositionFormatError: the file does not contain one.
    """
    try:
        data = read_json(file.read())
    except NoJsonError as problem:
        raise PositionFormatError(f"{file.name} is not JSON: {problem.reason}.") from problem
    except StrictJsonError as problem:
        raise PositionFormatError(f"{file.name}: {problem}") from problem
    except UnicodeDecodeError as problem:
        raise PositionFormatError(f"{file.name} is not JSON: {problem}.") from problem
    if not isinstance(data, dict):
        raise PositionFormatError(f"Expected a JSON object in {file.name}, but it holds {type(data).__name__}.")
    return data


def position_of(game: Game, data: Mapping[str, Any]) -> Position:
    """Return the position of a JSON object, if play can reach it.

    Raises:
        PositionFormatError: the object is no position of this game, or one that play cannot reach.
    """
    position = game.from_json({"game": game.slug} | dict(data))
    if faults := position.faults():
        raise PositionFormatError("This position is not possible: " + " ".join(str(fault) for fault in faults))
    return position


def thrown(position: Position, typed: str) -> Throw:
    """Return a typed throw for this position, checked; anything else ends the command."""
    throw = position.parse(typed)
    if not isinstance(throw, Throw):
        raise click.ClickException(f"Expected a throw after --throw, but {typed!r} is a choice.")
    refusal = position.why_not(throw)
    if refusal is not None:
        raise click.ClickException(str(refusal))
    return throw


@contextmanager
def refusals() -> Iterator[None]:
    """Turn a refusal by the rules into a command's one-sentence error."""
    with refusing(GameError, ThrowError):
        yield


def the_game(slug: str) -> Game:
    """Return the game of a slug, or end the command with the list of all games."""
    from companion.rules.registry import game

    with refusals():
        return game(slug)


def show_json(data: Any) -> None:
    """Print JSON, without escapes for letters beyond ASCII."""
    click.echo(written_json(data, ensure_ascii=False))
