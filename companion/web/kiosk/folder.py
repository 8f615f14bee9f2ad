"""The curator's folder: changed files are read again; if a file has faults, its last good version stays in force."""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from companion.language import texts
from companion.language.sentence import Sentence
from companion.web.kiosk.settings import KioskSettings, read_settings
from companion.web.kiosk.words import KioskWords, own_words, read_words
from companion.whole_file import make_folder, write_whole

log = logging.getLogger(__name__)

SETTINGS: Final = "kiosk.toml"
T = TypeVar("T")

LARGEST_FILE_BYTES: Final = 256 * 1024
"""The most bytes of a file to read: nobody writes more by hand."""


def begin_folder(folder: Path) -> tuple[list[Path], list[Path]]:
    """Write the default files into a folder; return the files written, and the existing ones that stay as they are.

    Raises:
        UnwrittenFileError: the folder cannot be written.
    """
    written, kept = [], []
    make_folder(folder)
    for default in sorted((files(__package__) / "defaults").iterdir(), key=lambda entry: entry.name):
        if not default.name.endswith(".toml"):
            continue
        path = folder / default.name
        if path.exists():
            kept.append(path)
            continue
        write_whole(path, default.read_bytes())
        written.append(path)
    return written, kept


def check_folder(folder: Path, more: Path | None = None) -> list[Sentence]:
    """Return a sentence for each fault of a curator's folder; ``more`` as in `Curated`."""
    curated = Curated(folder, in_force=False, more=more)
    return [*curated.faults, *_too_few_names(curated)]


def table_settings(folder: Path) -> Mapping[str, Any]:
    """Return the settings of the table that the curator's file names; none while it has faults."""
    return Curated(folder, in_force=False).settings.table


@dataclass(frozen=True)
class _Read(Generic[T]):
    """A file as last read: the stamp that shows a change, the content in force, and the faults."""

    stamp: tuple[int, int] | None = None
    good: T | None = None
    faults: tuple[Sentence, ...] = ()


@dataclass
class Curated:
    """The settings and words of a folder that are in force. One thread reads the files; any may read the properties.

    ``in_force``: whether a kiosk goes by them; where they are only checked, nothing stays in force and none is logged.
    ``more``: a folder with further languages.
    """

    folder: Path
    in_force: bool = True
    more: Path | None = None
    _settings: _Read[KioskSettings] = field(default_factory=_Read)
    _words: dict[str, _Read[KioskWords]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the files for the first time."""
        self.refresh()

    @property
    def settings(self) -> KioskSettings:
        """The settings in force; the program's own until the file could be read once."""
        return self._settings.good or _own_settings()

    @property
    def usable(self) -> bool:
        """Whether the curator's settings are in force."""
        return self._settings.good is not None

    @property
    def faults(self) -> list[Sentence]:
        """The faults of the files as they are now, whatever is in force."""
        return [*self._settings.faults, *(fault for read in self._words.values() for fault in read.faults)]

    def words(self, language: str) -> KioskWords:
        """Return a language's words in force; the program's own if the curator wrote none."""
        read = self._words.get(language)
        return own_words(language) if read is None or read.good is None else read.good

    def names_in(self, language: str) -> dict[str, str]:
        """Return how the players of every language, and the machine, are called in this one."""
        here, found = self.words(language), dict[str, str]()
        for other in self.settings.languages:
            theirs = self.words(other)
            found |= dict(
                zip(
                    (*theirs.players, theirs.program, *theirs.men),
                    (*here.players[: len(theirs.players)], here.program, *here.men),
                    strict=False,
                )
            )
        return found

    def refresh(self) -> bool:
        """Read the files that changed since the last time; return whether any did."""
        before = (self._settings, dict(self._words))
        self._settings = _again(self._settings, self.folder / SETTINGS, partial(read_settings, more=self.more))
        if self._settings.stamp is None and not self._settings.faults:
            fault = Sentence(
                "There is no kiosk.toml in {folder}: `companion kiosk init` makes one.", folder=str(self.folder)
            )
            self._settings = _Read(None, self._settings.good, (fault,))
        languages = self.settings.languages if self.usable else texts.languages(self.more)
        self._words = {
            language: _again(
                self._words.get(language, _Read()),
                self.folder / f"texts.{language}.toml",
                partial(read_words, language),
            )
            for language in languages
        }
        changed = before != (self._settings, self._words)
        if changed and self.in_force:
            self._log_faults(self.faults)
        return changed

    @staticmethod
    def _log_faults(faults: Iterable[Sentence]) -> None:
        for fault in faults:
            log.warning("kiosk: %s The last good one stays in force.", fault)


def _own_settings() -> KioskSettings:
    settings, faults = read_settings((files(__package__) / "defaults" / SETTINGS).read_text(encoding="utf-8"))
    assert settings is not None, faults
    return settings


def _too_few_names(curated: Curated) -> list[Sentence]:
    if not curated.usable:
        return []
    most = max(offer.players[-1] for offer in curated.settings.games)
    return [
        Sentence(
            "texts.{language}.toml calls {there} players, but {most} may play.", language=one, there=there, most=most
        )
        for one in curated.settings.languages
        if (there := len(curated.words(one).players)) < most
    ]


def _again(read: _Read[T], path: Path, parse: Callable[[str], tuple[T | None, list[Sentence]]]) -> _Read[T]:
    """Return a file as it is now; read it only if its stamp has changed."""
    try:
        status = path.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        if stamp == read.stamp:
            return read
        if status.st_size > LARGEST_FILE_BYTES:
            sentence = Sentence("{file} is larger than {most} bytes.", file=path.name, most=LARGEST_FILE_BYTES)
            return _Read(stamp, read.good, (sentence,))
        good, faults = parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return _Read(None, read.good)  # deleted: its content stays in force until the next start
    except (OSError, UnicodeError) as why:
        return _Read(None, read.good, (Sentence("{file} cannot be read ({why}).", file=path.name, why=str(why)),))
    return _Read(stamp, read.good if good is None else good, tuple(faults))
