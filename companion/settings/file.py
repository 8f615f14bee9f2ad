"""The file that keeps the settings of a table, and the options that stand in for some of them until the table ends."""

import json
import logging
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from companion.desk.command import CommandDataError, read_record
from companion.language.sentence import Sentence, SentenceError
from companion.rules.strict_json import read_json
from companion.settings.record import DECLARED, TableSettings
from companion.whole_file import UnwrittenFileError, set_aside, write_whole

log = logging.getLogger(__name__)

KIND: Final = "Alea settings"
FILE_VERSION: Final = 1
MOST_BYTES: Final = 64 * 1024
ALWAYS: Final = frozenset({"languages", "pictures", "lights", "learning", "audits"})
"""What every file says, since the first format; another setting stands there only where it is not at its default."""


MEMBERSHIP_END: Final = "-hall"
"""The ending of the file beside a journal that says which hall its table has joined by a code."""


class SettingsError(SentenceError):
    """Settings are not possible or cannot be kept; ``sentence`` says why and what to do."""


def settings_to_json(settings: TableSettings) -> dict[str, Any]:
    """Return the settings as the file keeps them."""
    usual = {name for name, declared in DECLARED.items() if getattr(settings, name) == declared.default} - ALWAYS
    kept = {name: value for name, value in msgspec.to_builtins(settings).items() if name not in usual}
    return {"kind": KIND, "version": FILE_VERSION} | {
        name: list(value) if isinstance(value, tuple) else value for name, value in kept.items()
    }


def settings_from_json(data: Any) -> TableSettings:
    """Return the settings that `settings_to_json` wrote; what a file omits has its default.

    Raises:
        SettingsError: the data does not have that form, or is of a newer version.
    """
    if not isinstance(data, Mapping) or data.get("kind") != KIND:
        raise SettingsError(Sentence("it contains no settings of this program"))
    if data.get("version") != FILE_VERSION:
        version = str(data.get("version"))[:20]
        raise SettingsError(Sentence("it has format {version} of another version of the program", version=version))
    return read_settings(data)


def read_settings(data: Mapping[str, Any]) -> TableSettings:
    """Return the settings in a JSON object; what it omits has its default, and what is no setting is left alone.

    Raises:
        SettingsError: a value does not fit its setting.
    """
    try:
        return read_record(TableSettings, data)
    except CommandDataError as why:
        raise SettingsError(why.sentence) from why


class SettingsFile:
    """The current settings, and the file that keeps them. Thread-safe; ``notice``: what was wrong with the file."""

    def __init__(self, path: Path | None = None) -> None:
        """``path``: the file that keeps them, or None to keep them until the program ends.

        A file that cannot be read is set aside under another name, and every setting has its default.
        """
        self.path = path
        self.notice: Sentence | None = None
        self._lock = threading.Lock()
        self._kept = self._now = TableSettings()
        self.given: frozenset[str] = frozenset()
        """The settings that options set at this start: they hold until the owner changes them or the program ends."""
        if path is not None:
            self._read(path)

    @property
    def now(self) -> TableSettings:
        """Return the current settings."""
        return self._now

    def give(self, given: Mapping[str, Any]) -> TableSettings:
        """Let the options of this start stand in for what the file keeps, by the names in `TableSettings`."""
        self.given |= frozenset(given)
        self._now = msgspec.structs.replace(self._now, **given)
        return self._now

    def change(self, **changes: Any) -> TableSettings:
        """Change some settings, by their names in `TableSettings`; they take effect once they are on the disk.

        Raises:
            SettingsError: they could not be written, and nothing changed.
        """
        with self._lock:
            kept = msgspec.structs.replace(self._kept, **changes)
            if self.path is not None:
                text = json.dumps(settings_to_json(kept), indent=1)
                try:
                    write_whole(self.path, text.encode(), mode=0o600, folders=True)
                except UnwrittenFileError as why:
                    raise SettingsError(why.sentence) from why
            self.given -= frozenset(changes)
            self._kept, self._now = kept, msgspec.structs.replace(self._now, **changes)
            return self._now

    def _read(self, path: Path) -> None:
        try:
            with path.open("rb") as opened:
                data = opened.read(MOST_BYTES + 1)
            if len(data) > MOST_BYTES:
                raise SettingsError(Sentence("it is far too large for settings"))  # noqa: TRY301 (one way out)
            self._kept = self._now = settings_from_json(read_json(data))
        except FileNotFoundError:
            return
        except (SettingsError, ValueError, RecursionError, OSError) as why:
            self._set_aside(path, why)

    def _set_aside(self, path: Path, why: Exception) -> None:
        reason = why.sentence if isinstance(why, SettingsError) else Sentence("it cannot be read")
        self.notice = Sentence(
            "The settings could not be used, because {reason}: the file is kept as {file}, and all settings are back "
            "to the defaults. Choose them again.",
            reason=reason,
            file=set_aside(path),
        )
        log.warning("%s", self.notice)
