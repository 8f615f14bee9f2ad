"""The options of commands that set fields of the table's settings, made from the record that declares them."""

import re
from collections.abc import Callable
from functools import reduce
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
