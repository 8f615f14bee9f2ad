"""What the page shows: immutable states with a rising version, and the one place that publishes a new one."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Data = Mapping[str, Any]


@dataclass(frozen=True)
class Snapshot:
    """One state of the table. ``data`` is ready for JSON and never changed once it is here."""

    version: int
    data: Mapping[str, Any]


class SnapshotStore:
    """Holds the newest snapshot. One thread publishes, any number read and wait."""

    def __init__(self, first: int) -> None:
        self._changed = threading.Condition()
        self._newest = Snapshot(first, {})
        self._closed = False

    def publish(self, data: Data) -> None:
        """Publish this state unless it is shown already."""
        with self._changed:
            before = self._newest
            if _lasting(before.data) == _lasting(data):
                return
            version = before.version + 1
            self._newest = Snapshot(version, {"version": version, **data})
            self._changed.notify_all()

    def newest(self) -> Snapshot:
        """Return the newest state."""
        return self._newest

    def wait_newer(self, version: int, timeout: float) -> Snapshot | None:
        """Return a state newer than ``version``, waiting up to ``timeout`` seconds, or None."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._newest.version > version, timeout)
            return self._newest if self._newest.version > version else None

    def close(self) -> None:
        """Wake everybody who waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


def _lasting(data: Mapping[str, Any]) -> Data:
    kept = {key: value for key, value in data.items() if key != "version"}
    return kept | {"health": {**kept.get("health", {}), "frame_age": None}}
