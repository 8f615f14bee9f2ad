"""Where tests write: into memory where there is room for it, since on a disk a journal waits at every event.

That an event outlives a power cut is for SQLite's setting, which a test reads; no test cuts the power.
"""

import os
import tempfile
from pathlib import Path
from typing import Final

MEMORY: Final = Path("/dev/shm")
LEAST_FREE_BYTES: Final = 2 << 30  # the whole suite leaves a tenth of it


def has_room(folder: Path) -> bool:
    """Whether a folder may be written to, runs programs that tests build there, and holds what all tests write."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return False
    free = found.f_bavail * found.f_frsize
    return os.access(folder, os.W_OK | os.X_OK) and not found.f_flag & os.ST_NOEXEC and free >= LEAST_FREE_BYTES


def write_to_memory() -> None:
    """Let this process and what it starts keep temporary files in memory, unless TMPDIR names a place for them."""
    if "TMPDIR" not in os.environ and has_room(MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)
