"""Scripts that a browser asks for once; served as the program serves them, each page asks whether they changed."""

from collections.abc import Callable

from flask import Flask

YEAR = 31_536_000  # seconds


def keep_scripts(put: Callable[[object, str, object], None] = setattr) -> None:
    """Let browsers keep what every app of this process serves from files; ``put`` as of `keep_builders`."""
    put(Flask, "default_config", {**Flask.default_config, "SEND_FILE_MAX_AGE_DEFAULT": YEAR})
