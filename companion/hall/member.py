"""A running table's part in the hall: its publisher, its show control, and the thread that watches the table."""

import logging
import threading
from pathlib import Path
from typing import Final

from companion.hall.publisher import Publisher
from companion.hall.settings import HallSettings
from companion.hall.show_control import ShowControl
from companion.hall.table_seen import Doors, HallTable

log = logging.getLogger(__name__)

CHECK_EVERY_SECONDS: Final = 0.5
"""Seconds after which the screen is checked even if the table has not changed."""

END_WAIT: Final = 5.0


class Member:
    """Takes part in the hall until it is stopped."""

    def __init__(self, settings: HallSettings, journal: Path, table: HallTable, doors: Doors) -> None:
        """``journal``: the file that the table writes."""
        self._table = table
        self._doors = doors
        self._show = None if settings.osc is None else ShowControl(settings.osc, settings.table)
        if settings.invitations:
            doors.greet(None)  # from now on the pages ask who is invited
        self.publisher = Publisher(settings, journal, table, doors)
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="hall's watch", daemon=True)

    def start(self) -> None:
        """Start the threads; what is there now is no news to lights and sounds."""
        if self._show is not None:
            self._show.show(self._table.snapshot().data, self._doors.screen())
        self.publisher.start()
        self._thread.start()

    def stop(self) -> None:
        """End the threads."""
        self._ending.set()
        self.publisher.stop()
        if self._thread.ident is not None:
            self._thread.join(END_WAIT)
        if self._show is not None:
            self._show.close()

    def _watch(self) -> None:
        version = -1
        while not self._ending.is_set():
            try:
                newer = self._table.wait(version, CHECK_EVERY_SECONDS)
                if newer is not None:
                    version = newer.version
                    self.publisher.wake()
                if self._show is not None:
                    self._show.resolve()
                    self._show.show(self._table.snapshot().data, self._doors.screen())
            except Exception:
                log.exception("the hall's watch goes on after this")
                self._ending.wait(CHECK_EVERY_SECONDS)
