"""The options of commands that set fields of the table's settings, made from the record that declares them.

And those of every command that opens a page: where it listens and who owns it.
"""

import re
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any

import click

from companion.settings.record import DECLARED, Declared


def setting_options(*names: str, kept: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options of these settings to a command, in this order.

    ``kept``: a file keeps the settings, so an option that is not given is None; otherwise it has its default.
    """
    options = [_option(DECLARED[name], kept=kept) for name in names]
    return lambda command: reduce(lambda taken, option: option(taken), reversed(options), command)


def given(options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that were given: the options that are not None, nor an empty list."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def _option(setting: Declared, *, kept: bool) -> Callable[[Any], Any]:
    names, default = (setting.option, setting.name), None if kept else setting.default
    if setting.kind is bool:
        return click.option(
            *names, is_flag=True, flag_value=not setting.default, default=default, help=setting.description
        )
    shown: str | bool = str(setting.default) if setting.default not in (None, "", ()) else False
    several, kind = setting.kind is tuple, None if setting.kind is tuple else _type(setting)
    return click.option(
        *names,
        type=kind,
        multiple=several,
        default=() if several else default,
        show_default=shown,
        metavar=None if setting.choices else setting.metavar,
        help=setting.description,
        callback=_checked if setting.pattern else None,
    )


def _checked(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    del context
    setting = DECLARED[parameter.name or ""]
    if value is not None and setting.pattern is not None and not re.search(setting.pattern, value):
        raise click.BadParameter(f"Expected a path like /alea, but got {value}.")
    return value


def _type(setting: Declared) -> Any:
    if setting.choices:
        return click.Choice(setting.choices)
    if setting.kind is int:
        return click.IntRange(_whole(setting.least), _whole(setting.most))
    return click.FloatRange(setting.least, setting.most) if setting.kind is float else str


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)


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
