"""What several commands take or print alike: a game, options, JSON, refusals as one sentence."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from companion.rules.dice import ThrowError
from companion.rules.game import Game, GameError, OptionValue

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
players = click.option("--players", default=2, show_default=True, help="How many play.")


def _read_options(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> dict[str, OptionValue]:
    del context
    read: dict[str, OptionValue] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"Expected NAME=VALUE, but {text!r} came.", param=parameter)
        read[name.strip()] = option_value(value.strip())
    return read


def option_value(text: str) -> OptionValue:
    """Return what a typed value means: yes or no, a whole number, or a word."""
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


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what the rules refuse into a command's one-sentence error."""
    try:
        yield
    except (GameError, ThrowError) as refused:
        raise click.ClickException(str(refused)) from refused


def the_game(slug: str) -> Game:
    """Return the game of a slug, or end the command with the list of those there are."""
    from companion.rules.registry import game

    with refusals():
        return game(slug)


def show_json(data: Any) -> None:
    """Print JSON, letters as they are."""
    click.echo(json.dumps(data, ensure_ascii=False))
