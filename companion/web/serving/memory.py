"""Return unused memory to the system, so that a server stays small after many matches.

Python frees what a finished match held, but the C library keeps the pages: one heap for each of the server's threads,
each as large as the largest answer that it ever computed. With a C library other than glibc this does nothing.
"""

import ctypes
import logging
import threading
from typing import Any, Final

log = logging.getLogger(__name__)

SHARED_HEAPS: Final = 2
"""Heaps that all threads share; the default is eight for each core."""

RELEASE_SECONDS: Final = 15.0
"""Seconds between two releases of unused pages; each takes some milliseconds in its own thread."""

_ARENA_MAX: Final = -8  # M_ARENA_MAX of <malloc.h>


def keep_small() -> None:
    """Share few heaps from now on, and release unused pages until the program ends."""
    library = _glibc()
    if library is None:
        return
    library.mallopt(_ARENA_MAX, SHARED_HEAPS)
    threading.Thread(target=_trim_for_ever, args=(library,), name="memory", daemon=True).start()


def _trim_for_ever(library: Any) -> None:
    ending = threading.Event()
    while not ending.wait(RELEASE_SECONDS):
        library.malloc_trim(0)


def _glibc() -> Any:
    """Return the C library if it has the needed functions, else None."""
    try:
        library = ctypes.CDLL(None)
        library.malloc_trim.argtypes = [ctypes.c_size_t]
        library.mallopt.argtypes = [ctypes.c_int, ctypes.c_int]
    except (AttributeError, OSError, TypeError):
        log.debug("this C library keeps what it has")
        return None
    return library
