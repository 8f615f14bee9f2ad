"""The options of every command that opens a page: where it listens and who owns it."""

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any

import click

from companion.commands.setting_options import setting_options

SHORTEST_PIN = 4  # characters


def _enough(context: click.Context, parameter: click.Parameter, pin: str | None) -> str | None:
    del context, parameter
    if pin is not None and len(pin) < SHORTEST_PIN:
        raise click.ClickException(
            f"Expected a PIN of at least {SHORTEST_PIN} characters: a shorter one is too easy to guess."
        )
    return pin


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--pin",
        metavar="PIN",
        callback=_enough,
        help="The owner's PIN, which the page asks for when it is open to a network.",
    ),
    click.option(
        "--pin-file",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="The file with the owner's PIN: the PIN on its first line, or the hash of a PIN chosen on the page.",
    ),
    click.option(
        "--settings",
        "settings_file",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="The file for the owner's choices on the page; beside the journal if one is named.",
    ),
)


def page_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a page with a camera: `desk_options`, phone and phone_port."""
    phone = click.option(
        "--phone", is_flag=True, help="Use a phone in the same network as the camera: see the page /camera."
    )
    return desk_options(phone(setting_options("phone_port")(command)))


def desk_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a page without cameras: host, port, allow_host, base_path, and those of its owner."""
    return setting_options("host", "port", "allow_host", "base_path")(owner_options(command))


def owner_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a page's owner: pin, pin_file and settings_file."""
    return reduce(lambda taken, option: option(taken), reversed(_OPTIONS), command)
