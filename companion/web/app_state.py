"""What all pages of one app share, each value under a typed key: the table, its settings, the streams, the PIN."""

from typing import Generic, TypeVar

from flask import Flask, current_app

from companion.live.table import LiveTable
from companion.settings.file import SettingsFile

T = TypeVar("T")


class AppKey(Generic[T]):
    """The key of one value that an app holds; the module that owns the value declares it once."""

    def __init__(self, name: str) -> None:
        self._name = f"alea_{name}"

    def put(self, app: Flask, value: T) -> None:
        """Store the value in an app."""
        app.extensions[self._name] = value

    def get(self, app: Flask | None = None) -> T:
        """Return the app's value; the default app is that of the current request.

        Raises:
            KeyError: the app has no such value, because `create_app` or its like did not make it.
        """
        value: T = (app or current_app).extensions[self._name]
        return value


TABLE = AppKey[LiveTable]("table")
SETTINGS = AppKey[SettingsFile]("settings")  # that keeps what the owner chose
ADDRESS = AppKey[str]("address")  # at which the page is shown, "" before it is


def table() -> LiveTable:
    """Return the running table."""
    return TABLE.get()
