"""Files that are written whole or not at all: settings, a PIN, how far something has come."""

import contextlib
import os
import secrets
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read: atomically and durably.

    Raises:
        OSError: writing failed; the old file is unchanged.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
        half.replace(path)
        _make_durable(path.parent)
    finally:
        with contextlib.suppress(OSError):
            half.unlink()


def _make_durable(folder: Path) -> None:
    with contextlib.suppress(OSError):  # not every system can open a folder; the file itself is written
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
