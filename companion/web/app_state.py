"""What all pages of one app share, each thing under a key that knows its type: the table, the streams, the PIN."""

from typing import Generic, TypeVar

from flask import Flask, current_app

T = TypeVar("T")


class AppKey(Generic[T]):
    """The key of one thing that an app holds; the module that owns the thing declares it once."""

    def __init__(self, name: str) -> None:
        self._name = f"alea_{name}"

    def put(self, app: Flask, value: T) -> None:
        """Let an app hold this from now on."""
        app.extensions[self._name] = value

    def get(self, app: Flask | None = None) -> T:
        """Return what the app holds, by default the one whose request is being answered.

        Raises:
            KeyError: it was never put there: the app was not made by `create_app` or its like.
        """
        value: T = (app or current_app).extensions[self._name]
        return value
