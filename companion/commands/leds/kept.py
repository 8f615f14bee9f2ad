"""The place of the LED maps, beside the matches, and how to find a map by its name."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.refusing import refusing
from companion.program import own_folder

if TYPE_CHECKING:
    from companion.live.led_board import Lights
    from firmware_bridge.wiring import Wiring


def map_path(name: str) -> Path:
    """Return the path of the map of this name; the file need not exist yet."""
    from firmware_bridge.wiring import ENDING

    return own_folder() / "leds" / f"{name}{ENDING}"


def kept_map(name: str) -> "Wiring":
    """Return a map by its name, or by the path of its file.

    Raises:
        click.ClickException: the map does not exist or cannot be read.
    """
    from firmware_bridge.wiring import ENDING, NAME, Wiring, WiringError

    if not (name.endswith(ENDING) or NAME.fullmatch(name)):
        raise click.ClickException(f"Expected the name of a map of LEDs, or a file *{ENDING}, but got {name!r}.")
    with refusing(WiringError):
        return Wiring.load(Path(name) if name.endswith(ENDING) else map_path(name))


def lights(map_name: str | None, theme_name: str) -> "Lights":
    """Return how to use an LED board, from the typed names of map and theme.

    Raises:
        click.ClickException: there is no such map or theme.
    """
    from companion.desk.lights.theme import ThemeError, theme
    from companion.live.led_board import Lights

    with refusing(ThemeError):
        style = theme(theme_name)
    return Lights(None if map_name is None else kept_map(map_name), style)
