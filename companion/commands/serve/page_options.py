"""The options of every command that opens a page: where it listens, who owns it, which dice to read and where."""

import re
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from firmware_bridge.lamps import Lamps

SHORTEST_PIN = 4  # characters

mat_option = click.option(
    "--mat",
    type=click.Choice(["auto", "whole"]),
    default="auto",
    show_default=True,
    help="auto looks for a tray or mat in the first picture and keeps nothing outside it; whole uses all of it.",
)
lamps_option = click.option(
    "--lamps",
    metavar="STRIPS",
    help="Two lamps over the dice, lit one at a time when a picture leaves a question: wled://HOST for two segments "
    "of one WLED strip, or two strips with a comma between them.",
)
profile_option = click.option("--profile", metavar="NAME", help="Read your own dice as `companion learn` learnt them.")


def _enough(context: click.Context, parameter: click.Parameter, pin: str | None) -> str | None:
    del context, parameter
    if pin is not None and len(pin) < SHORTEST_PIN:
        raise click.ClickException(
            f"Expected a PIN of at least {SHORTEST_PIN} characters: a shorter one is too easy to guess."
        )
    return pin


def chosen_lamps(words: str | None, camera: str | None) -> "Lamps | None":
    """Return the lamps that ``words`` name; None without words.

    Raises:
        click.ClickException: they name no pair of lamps, or no camera looks at the dice.
    """
    if words is None:
        return None
    from firmware_bridge.lamps import UnknownLampsError, lamps_of

    if camera is None:
        raise click.ClickException("Expected --camera beside --lamps: no camera sees the dice.")
    try:
        return lamps_of(words)
    except UnknownLampsError as error:
        raise click.ClickException(str(error)) from error


_BASE_PATH = f"{__name__}.base_path"
_TEXTS = f"{__name__}.texts"
_PATH = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")


def _kept_path(context: click.Context, option: click.Parameter, path: str) -> None:
    del option
    trimmed = path.rstrip("/")
    if trimmed and not _PATH.fullmatch(trimmed):
        raise click.BadParameter(f"Expected a path like /alea, but got {path}.")
    context.meta[_BASE_PATH] = trimmed


def base_path() -> str:
    """Return the path that the command's --base-path names, "" for none."""
    return str(click.get_current_context().meta.get(_BASE_PATH, ""))


def _kept_texts(context: click.Context, option: click.Parameter, folder: Path | None) -> None:
    del option
    context.meta[_TEXTS] = folder


def texts_folder() -> Path | None:
    """Return the folder of further languages and texts that the command's --texts names."""
    folder: Path | None = click.get_current_context().meta.get(_TEXTS)
    return folder


texts_option = click.option(
    "--texts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    expose_value=False,
    callback=_kept_texts,
    help="A folder with further languages of the page, one folder each; `companion texts` helps to write them.",
)

_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--host",
        default="127.0.0.1",
        show_default=True,
        help="Address to listen on; 0.0.0.0 opens the page to the network.",
    ),
    click.option(
        "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes any free port."
    ),
    click.option(
        "--allow-host", multiple=True, metavar="NAME", help="Another host name under which the page may be reached."
    ),
    click.option(
        "--base-path",
        default="",
        metavar="PATH",
        expose_value=False,
        callback=_kept_path,
        help="The path under which a proxy shows the page, like /alea.",
    ),
    texts_option,
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
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="The file for the owner's choices on the page; beside the journal if one is named.",
    ),
)


_PHONE_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("--phone", is_flag=True, help="Use a phone in the same network as the camera: see the page /camera."),
    click.option(
        "--phone-port",
        default=8443,
        show_default=True,
        type=click.IntRange(0, 65535),
        help="The port of the phone's encrypted page; 0 takes any free port.",
    ),
)


def page_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a page to a command: host, port, phone, phone_port, allow_host, pin, pin_file and settings."""
    return desk_options(reduce(lambda taken, option: option(taken), reversed(_PHONE_OPTIONS), command))


def desk_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a page without cameras: host, port, allow_host, pin, pin_file and settings."""
    return reduce(lambda taken, option: option(taken), reversed(_OPTIONS), command)
