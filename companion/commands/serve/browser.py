"""Opening the browser on the page of a table that has just started."""

import os
import sys
import webbrowser
from collections.abc import Mapping

SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")


def has_screen(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> bool:
    """Tell whether a person may sit before this computer.

    Nobody does in continuous integration or over SSH. Without a display a text browser would take the console.
    """
    if environment.get("CI") or environment.get("SSH_CONNECTION"):
        return False
    return system in {"darwin", "win32"} or any(environment.get(name) for name in SCREENS)


def open_start(address: str) -> bool:
    """Open the start page of the table at ``address``, if there is a screen; tell whether a browser was asked to."""
    return has_screen() and webbrowser.open(f"{address}start")
