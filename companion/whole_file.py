"""Files that are written whole or not at all, and files for their owner alone: settings, a PIN, what was asked for."""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from companion.language.sentence import N_, Sentence, SentenceError, Template, why_of

_NO_ROOM: Final = N_("{file} cannot be written, because the disk is full: make room, or name a place on another disk.")
_READ_ONLY: Final = N_("{file} cannot be written, because the disk is read-only: name a place on another disk.")
_FORBIDDEN: Final = N_("{file} cannot be written, because you have no permission to write there: name another place.")
_NO_FOLDER: Final = N_("{file} cannot be written, because it does not lie in a folder: name another place.")
_A_FOLDER: Final = N_("{file} cannot be written, because it is a folder: name a file.")
_REASONS: Final[dict[int | None, Template]] = {
    errno.ENOSPC: _NO_ROOM,
    errno.EDQUOT: _NO_ROOM,
    errno.EFBIG: _NO_ROOM,
    errno.EROFS: _READ_ONLY,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.ENOTDIR: _NO_FOLDER,
    errno.EEXIST: _NO_FOLDER,
    errno.ENOENT: _NO_FOLDER,
    errno.EISDIR: _A_FOLDER,
}


class UnwrittenFileError(SentenceError, OSError):
    """A file could not be written, and what was there is unchanged; ``sentence`` says why and what to do."""

    def __init__(self, path: Path, why: OSError) -> None:
        OSError.__init__(self, why.errno, why.strerror)
        reason = _REASONS.get(why.errno)
        self.sentence = (
            Sentence("{file} cannot be written ({why}): name another place.", file=str(path), why=why_of(why))
            if reason is None
            else Sentence.of(reason, file=str(path))
        )

    def __str__(self) -> str:
        """Return the sentence."""
        return str(self.sentence)


def write_whole(
    path: Path, data: bytes | Iterable[bytes], *, mode: int = 0o666, durable: bool = True, folders: bool = False
) -> None:
    """Write a file atomically; a device or a pipe is written as it is.

    ``data``: all of it, or piece by piece. ``mode``: who may read it, less what the user forbids (umask), or what the
    file that is there forbids; at no time may others. ``durable``: it survives a power cut once this returns.
    ``folders``: make the folder where it lies if there is none.

    Raises:
        UnwrittenFileError: what was there is unchanged, and nothing is left beside it.
    """
    pieces = (data,) if isinstance(data, bytes) else data
    try:
        there = path.resolve()  # the file that a link names, not the link
        if folders:
            make_folder(there.parent)
        if there.exists() and not there.is_file():
            with there.open("wb") as opened:
                opened.writelines(pieces)
            return
        kept = mode & there.stat().st_mode if there.exists() else None
        half = there.with_name(f".{there.name[:100]}.{secrets.token_hex(4)}")
        try:
            descriptor = os.open(
                half, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode if kept is None else kept
            )
            with os.fdopen(descriptor, "wb") as opened:
                opened.writelines(pieces)
                opened.flush()
                if durable:
                    os.fsync(opened.fileno())
            if kept is not None:
                with contextlib.suppress(OSError):  # not every disk knows modes
                    half.chmod(kept)
            half.replace(there)
        finally:
            with contextlib.suppress(OSError):
                half.unlink()
    except OSError as why:
        raise UnwrittenFileError(path, why) from why
    if durable:
        make_durable(there.parent)


def set_aside(path: Path, ending: str = "broken") -> str:
    """Rename a file that cannot be used, so that it stays beside a new one; return its name now, which it may keep."""
    number = 1
    while (aside := path.with_name(f"{path.name}.{ending}-{number}")).exists():
        number += 1
    try:
        path.rename(aside)
    except OSError:
        return path.name
    return aside.name


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder and those above it where they are missing.

    Raises:
        UnwrittenFileError: one of them cannot be made.
    """
    try:
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
    except OSError as why:
        raise UnwrittenFileError(folder, why) from why


def make_durable(folder: Path) -> None:
    """Make the names of a folder durable, where the system lets a folder be opened."""
    with contextlib.suppress(OSError):  # not every system can open a folder; the file itself is written
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def for_owner_alone(path: Path, *ends: str) -> None:
    """Make a file that only this account may read, or keep others out of ours and of those beside it.

    ``ends``: what the names of those add to this one's. SQLite gives the files beside a database its rights, but
    leaves those that are there as they are.

    Raises:
        OSError: the file is missing and cannot be made.
    """
    if not path.exists():
        path.touch(mode=0o600)
    for one in (path, *(path.with_name(path.name + end) for end in ends)):
        with contextlib.suppress(OSError):  # it is not there, or its disk knows no rights
            found = one.stat()
            ours = found.st_uid == getattr(os, "geteuid", lambda: None)() and stat.S_ISREG(found.st_mode)
            if ours and found.st_mode & 0o077:
                one.chmod(0o600)
