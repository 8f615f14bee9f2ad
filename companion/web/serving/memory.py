"""Memory that the program no longer uses goes back to the system, so that a server of many matches stays small.

Python frees what a finished match held, but the C library keeps the pages: one heap for each of the server's threads,
each as large as the largest answer that it ever worked out. Nothing happens where the library is not glibc.
"""

import ctypes
import logging
import threading
from typing import Any, Final

log = logging.getLogger(__name__)

HEAPS: Final = 2
"""Heaps that all threads share; by default there would be eight for each core."""

EVERY: Final = 15.0
"""Seconds between two times that unused pages are given back; each takes some milliseconds in a thread of its own."""

_ARENA_MAX: Final = -8  # M_ARENA_MAX of <malloc.h>


def keep_small() -> None:
    """Share few heaps from now on, and give unused pages back until the program ends."""
    library = _glibc()
    if library is None:
        return
    library.mallopt(_ARENA_MAX, HEAPS)
    threading.Thread(target=_trim_for_ever, args=(library,), name="memory", daemon=True).start()


def _trim_for_ever(library: Any) -> None:
    ending = threading.Event()
    while not ending.wait(EVERY):
        library.malloc_trim(0)


def _glibc() -> Any:
    """Return the C library if it has what is needed, else None."""
    try:
        library = ctypes.CDLL(None)
        library.malloc_trim.argtypes = [ctypes.c_size_t]
        library.mallopt.argtypes = [ctypes.c_int, ctypes.c_int]
    except (AttributeError, OSError, TypeError):
        log.debug("this C library keeps what it has")
        return None
    return library
