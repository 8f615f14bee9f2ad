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


def _option(told: Declared, *, kept: bool) -> Callable[[Any], Any]:
    names, default = (told.option, told.name), None if kept else told.default
    if told.kind is bool:
        return click.option(*names, is_flag=True, flag_value=not told.default, default=default, help=told.description)
    shown: str | bool = str(told.default) if told.default not in (None, "", ()) else False
    several, kind = told.kind is tuple, None if told.kind is tuple else _type(told)
    return click.option(
        *names,
        type=kind,
        multiple=several,
        default=() if several else default,
        show_default=shown,
        metavar=None if told.choices else told.metavar,
        help=told.description,
        callback=_checked if told.pattern else None,
    )


def _checked(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    del context
    told = DECLARED[parameter.name or ""]
    if value is not None and told.pattern is not None and not re.search(told.pattern, value):
        raise click.BadParameter(f"Expected a path like /alea, but got {value}.")
    return value


def _type(told: Declared) -> Any:
    if told.choices:
        return click.Choice(told.choices)
    if told.kind is int:
        return click.IntRange(_whole(told.least), _whole(told.most))
    return click.FloatRange(told.least, told.most) if told.kind is float else str


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)
