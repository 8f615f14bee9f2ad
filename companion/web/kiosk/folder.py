"""The curator's folder: read again when its files change; a faulty file keeps the last good one in force."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Final, Generic, TypeVar

from companion.language import texts
from companion.language.sentence import Sentence
from companion.web.kiosk.settings import Settings, read_settings
from companion.web.kiosk.words import Words, own_words, read_words

log = logging.getLogger(__name__)

SETTINGS: Final = "kiosk.toml"
T = TypeVar("T")

LARGEST: Final = 256 * 1024
"""Bytes of a file that is still read: nobody writes more by hand."""


class FolderError(Exception):
    """The folder cannot be used; its text is one sentence."""


def begin_folder(folder: Path) -> tuple[list[Path], list[Path]]:
    """Write the default files into a folder; return those that were written, and those that were there and are kept.

    Raises:
        FolderError: the folder cannot be written.
    """
    written, kept = [], []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for default in sorted((files(__package__) / "defaults").iterdir(), key=lambda entry: entry.name):
            if not default.name.endswith(".toml"):
                continue
            path = folder / default.name
            if path.exists():
                kept.append(path)
                continue
            path.write_text(default.read_text(encoding="utf-8"), encoding="utf-8")
            written.append(path)
    except OSError as why:
        raise FolderError(f"The folder {folder} cannot be written ({why}): name another one.") from why
    return written, kept


def check_folder(folder: Path) -> list[Sentence]:
    """Return a sentence for each fault of a curator's folder."""
    curated = Curated(folder)
    return [*curated.faults, *_too_few_names(curated)]


@dataclass(frozen=True)
class _Read(Generic[T]):
    """A file as it was read last: the stamp by which a change is seen, what is in force, and what is wrong with it."""

    stamp: tuple[int, int] | None = None
    good: T | None = None
    faults: tuple[Sentence, ...] = ()


@dataclass
class Curated:
    """What is in force of a folder. Read by one thread; `settings` and `words` may be asked by any."""

    folder: Path
    _settings: _Read[Settings] = field(default_factory=_Read)
    _words: dict[str, _Read[Words]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read for the first time."""
        self.refresh()

    @property
    def settings(self) -> Settings:
        """The settings in force; the program's own while none could ever be read.

        Raises:
            FolderError: the program's own are faulty too, as where a language is missing.
        """
        return self._settings.good or _own_settings()

    @property
    def usable(self) -> bool:
        """Whether settings of the curator's own are in force."""
        return self._settings.good is not None

    @property
    def faults(self) -> list[Sentence]:
        """What is wrong with the files as they are now, whatever is in force."""
        return [*self._settings.faults, *(fault for read in self._words.values() for fault in read.faults)]

    def words(self, language: str) -> Words:
        """Return the words in force of a language, the program's own where the curator wrote none."""
        read = self._words.get(language)
        return own_words(language) if read is None or read.good is None else read.good

    def refresh(self) -> bool:
        """Read what has changed since; return whether anything had."""
        before = (self._settings, dict(self._words))
        self._settings = _again(self._settings, self.folder / SETTINGS, read_settings)
        if self._settings.stamp is None and not self._settings.faults:
            fault = Sentence(
                "There is no kiosk.toml in {folder}: `companion kiosk init` makes one.", folder=str(self.folder)
            )
            self._settings = _Read(None, self._settings.good, (fault,))
        languages = self.settings.languages if self.usable else texts.languages()
        self._words = {
            language: _again(
                self._words.get(language, _Read()),
                self.folder / f"texts.{language}.toml",
                partial(read_words, language),
            )
            for language in languages
        }
        changed = before != (self._settings, self._words)
        if changed:
            self._log_faults(self.faults)
        return changed

    @staticmethod
    def _log_faults(faults: Iterable[Sentence]) -> None:
        for fault in faults:
            log.warning("kiosk: %s The last good one stays in force.", fault)


def _own_settings() -> Settings:
    settings, faults = read_settings((files(__package__) / "defaults" / SETTINGS).read_text(encoding="utf-8"))
    if settings is None:
        raise FolderError(" ".join(str(fault) for fault in faults))
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
    """Return a file as it is now; read only if its stamp has changed."""
    try:
        status = path.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        if stamp == read.stamp:
            return read
        if status.st_size > LARGEST:
            said = Sentence("{file} is larger than {most} bytes.", file=path.name, most=LARGEST)
            return _Read(stamp, read.good, (said,))
        good, faults = parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return _Read(None, read.good)  # taken away: what it said stays in force until the next start
    except (OSError, UnicodeError) as why:
        return _Read(None, read.good, (Sentence("{file} cannot be read ({why}).", file=path.name, why=str(why)),))
    return _Read(stamp, read.good if good is None else good, tuple(faults))
