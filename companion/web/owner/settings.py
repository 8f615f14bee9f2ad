"""The owner's choices on the page, in one file: languages, kept pictures, learning, audits, how bright lights are."""

import json
import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from companion.language.sentence import Sentence, SentenceError
from companion.live.keeping import Keeping, KeepingError
from companion.live.led_board import DIMMEST
from companion.rules.strict_json import read_json
from companion.web.app_state import AppKey
from companion.whole_file import UnwrittenFileError, write_whole

log = logging.getLogger(__name__)

KIND: Final = "Alea settings"
VERSION: Final = 1
MOST_BYTES: Final = 64 * 1024


class SettingsError(SentenceError):
    """Settings are not possible or cannot be kept; ``sentence`` says why and what to do."""


NO_LANGUAGES: Final = Sentence("Expected a list of languages, such as en and de.")
NO_SHARE: Final = Sentence(
    "Expected {least} to 100 percent of the lights' brightness: nobody sees darker ones.",
    least=round(DIMMEST * 100),
)

NO_AUDITS: Final = Sentence("Expected true or false for whether dice are picked for checks.")

NO_CHOICE: Final = Sentence("Expected true or false for whether the table learns its dice.")


@dataclass(frozen=True)
class Settings:
    """The owner's choices.

    ``languages``: those that the page offers, in this order; an empty tuple means all. ``keeping``: which pictures are
    kept on the disk, and for how long. ``lights``: the brightness of a board's lights as a share of the full one.
    ``learning``: whether the table learns the faces of its dice while people play. ``audits``: whether dice that were
    read without a question are drawn, for the owner to look at.
    """

    languages: tuple[str, ...] = ()
    keeping: Keeping = field(default_factory=Keeping)
    lights: float = 1.0
    learning: bool = True
    audits: bool = True

    def offered(self, there: tuple[str, ...]) -> tuple[str, ...]:
        """Return the languages in ``there`` that the page offers, in the owner's order."""
        chosen = tuple(name for name in self.languages if name in there)
        return chosen or there

    def to_json(self) -> dict[str, Any]:
        """Return the settings as the file keeps them."""
        return {
            "kind": KIND,
            "version": VERSION,
            "languages": list(self.languages),
            "pictures": {"keep": self.keeping.which, "days": self.keeping.days},
            "lights": self.lights,
            "learning": self.learning,
            "audits": self.audits,
        }


def settings_from_json(data: Any) -> Settings:
    """Return the settings that `Settings.to_json` wrote; what a file omits has its default.

    Raises:
        SettingsError: the data does not have that form, or is of a newer version.
    """
    if not isinstance(data, Mapping) or data.get("kind") != KIND:
        raise SettingsError(Sentence("it contains no settings of this program"))
    if data.get("version") != VERSION:
        version = str(data.get("version"))[:20]
        raise SettingsError(Sentence("it has format {version} of another version of the program", version=version))
    pictures = data.get("pictures", {})
    if not isinstance(pictures, Mapping):
        raise SettingsError(Sentence("what it says about pictures is not valid"))
    try:
        keeping = Keeping(pictures.get("keep", "never"), pictures.get("days", Keeping.days))
    except KeepingError as why:
        raise SettingsError(why.sentence) from why
    learning = data.get("learning", True)
    if not isinstance(learning, bool):
        raise SettingsError(NO_CHOICE)
    audits = data.get("audits", True)
    if not isinstance(audits, bool):
        raise SettingsError(NO_AUDITS)
    offered, lights = language_list(data.get("languages", [])), share(data.get("lights", 1.0))
    return Settings(offered, keeping, lights, learning, audits)


def language_list(value: Any) -> tuple[str, ...]:
    """Return a list of languages by their codes, each once.

    Raises:
        SettingsError: the value is no such list.
    """
    if not isinstance(value, list) or not all(isinstance(one, str) and one.isascii() for one in value):
        raise SettingsError(NO_LANGUAGES)
    return tuple(dict.fromkeys(value))


def share(value: Any) -> float:
    """Return a share of the lights' brightness.

    Raises:
        SettingsError: the value is no share, or so small that the lights would be invisible.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not DIMMEST <= value <= 1:
        raise SettingsError(NO_SHARE)
    return float(value)


class SettingsFile:
    """The current settings, and the file that keeps them. Thread-safe; ``notice``: what was wrong with the file."""

    def __init__(self, path: Path | None = None) -> None:
        """``path``: the file that keeps them, or None to keep them until the program ends.

        A file that cannot be read is set aside under another name, and every setting has its default.
        """
        self.path = path
        self.notice: Sentence | None = None
        self._lock = threading.Lock()
        self._now = Settings()
        if path is not None:
            self._read(path)

    @property
    def now(self) -> Settings:
        """Return the current settings."""
        return self._now

    def change(self, **changes: Any) -> Settings:
        """Change some settings, by their names in `Settings`; they take effect once they are on the disk.

        Raises:
            SettingsError: they could not be written, and nothing changed.
        """
        with self._lock:
            changed = replace(self._now, **changes)
            if self.path is not None:
                try:
                    write_whole(self.path, json.dumps(changed.to_json(), indent=1).encode(), mode=0o600, folders=True)
                except UnwrittenFileError as why:
                    raise SettingsError(why.sentence) from why
            self._now = changed
            return changed

    def _read(self, path: Path) -> None:
        try:
            with path.open("rb") as opened:
                data = opened.read(MOST_BYTES + 1)
            if len(data) > MOST_BYTES:
                raise SettingsError(Sentence("it is far too large for settings"))  # noqa: TRY301 (one way out)
            self._now = settings_from_json(read_json(data))
        except FileNotFoundError:
            return
        except (SettingsError, ValueError, RecursionError, OSError) as why:
            self._set_aside(path, why)

    def _set_aside(self, path: Path, why: Exception) -> None:
        number = 1
        while (aside := path.with_name(f"{path.name}.broken-{number}")).exists():
            number += 1
        try:
            path.rename(aside)
            where = aside.name
        except OSError:
            where = path.name
        reason = why.sentence if isinstance(why, SettingsError) else Sentence("it cannot be read")
        self.notice = Sentence(
            "The settings could not be used, because {reason}: the file is kept as {file}, and all settings are back "
            "to the defaults. Choose them again.",
            reason=reason,
            file=where,
        )
        log.warning("%s", self.notice)


SETTINGS = AppKey[SettingsFile]("settings")


def settings_file() -> SettingsFile:
    """Return the settings file of the running app."""
    return SETTINGS.get()
