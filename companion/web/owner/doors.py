"""What the owner may do with a table's screen from outside, for the hall: attract, close, open, language."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Flask

from companion.hall.table_seen import DoorsError, Screen
from companion.hall.topics import Given, Invitation
from companion.language import texts
from companion.live.table import LiveTable
from companion.settings.file import SettingsError
from companion.web.addresses import is_loopback
from companion.web.app_state import ADDRESS, SETTINGS
from companion.web.owner.invited import INVITED

if TYPE_CHECKING:
    from companion.web.kiosk.attendant import Attendant


class TableDoors:
    """The doors of a table, or of a kiosk if it has an attendant. Thread-safe."""

    def __init__(self, app: Flask, table: LiveTable, attendant: "Attendant | None") -> None:
        self._app = app
        self._settings = SETTINGS.get(app)
        self._invited = INVITED.get(app)
        self._table = table
        self._attendant = attendant
        self._closed = False

    def screen(self) -> Screen:
        """Return what the screen shows now."""
        if self._attendant is not None:
            return self._attendant.screen
        return "closed" if self._closed else "table"

    def watch(self) -> str:
        """Return the address of the page for spectators, "" where nobody else in the network can open it."""
        address = ADDRESS.get(self._app)
        return "" if is_loopback(urlsplit(address).hostname or "localhost") else f"{address}watch"

    def attract(self) -> str:
        """Return to the beginning; a match that is not over is paused and kept.

        Raises:
            DoorsError: the table is no kiosk.
        """
        if self._attendant is None:
            raise DoorsError("Only a kiosk has a beginning to return to.")
        self._attendant.leave()
        return "The kiosk is at its beginning."

    def close(self) -> str:
        """Close a kiosk whatever its hours say; close a table's cameras and darken its lights.

        Raises:
            DoorsError: the table has not answered.
        """
        self._shut(shut=True)
        return "The table is closed until it is opened."

    def open(self) -> str:
        """Let the hours of a kiosk decide again, or open a table.

        Raises:
            DoorsError: the table has not answered.
        """
        self._shut(shut=False)
        return "The table is open, as far as its hours allow."

    def greet(self, invitation: Invitation | Given | None) -> None:
        """Show who is invited to the table, or which game it is given; a kiosk shows neither."""
        if self._attendant is None:
            self._invited.show(None, invitation) if isinstance(invitation, Given) else self._invited.show(invitation)

    def _shut(self, *, shut: bool) -> None:
        if self._attendant is not None:
            self._attendant.shut(shut=shut)
            return
        reply = self._table.set_suspended(suspended=shut)
        if not reply.ok:
            raise DoorsError(str(reply.sentence))
        self._closed = shut

    def language(self, code: str) -> str:
        """Offer a language first.

        Raises:
            DoorsError: the table does not offer it, or cannot keep the choice.
        """
        offered = (
            self._settings.now.offered(texts.languages()) if self._attendant is None else self._attendant.languages
        )
        if code not in offered:
            raise DoorsError(f"This table speaks {', '.join(offered)}.")
        if self._attendant is not None:
            self._attendant.speak_first(code)
            return f"The kiosk speaks {code} first."
        try:
            self._settings.change(languages=(code, *(one for one in offered if one != code)))
        except SettingsError as why:
            raise DoorsError(str(why)) from why
        return f"The table speaks {code} first."
