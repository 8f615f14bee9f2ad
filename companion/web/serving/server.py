"""The web server: waitress with enough threads for eight live streams, a printed address, a clean stop."""

import contextlib
import ctypes
import errno
import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Final
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from flask import Flask

from companion.web.addresses import ANYWHERE, outside_addresses
from companion.web.serving.fair_server import FairServer
from companion.web.streams import STREAMS, Streams

SERVER_THREADS = (
    24  # eight streams hold eight, the others answer (others measured: four streams on four threads block all)
)
ANSWERS_WITHIN = 15.0  # seconds
THREAD_SWITCH_SECONDS = (
    0.001  # seconds for which one thread computes while others want to: a picture waits for that several times
)


class PortTakenError(OSError):
    """Another program listens on the port already."""


class AddressError(OSError):
    """The host is no address of this machine."""


def web_server(
    app: Flask,
    threads: int = SERVER_THREADS,
    connections: dict[int, Any] | None = None,
    listening: socket.socket | None = None,
    **where: Any,
) -> FairServer:
    """Make the server of an app, on a listening socket or at waitress's address arguments ``where``; `run` runs it.

    ``connections``: waitress's own map of open connections, for callers that inspect it.
    """
    return FairServer(app, connections, listening, threads=threads, **where)


def serve(app: Flask, host: str, port: int, announce: Callable[[str], None], base_path: str = "") -> None:
    """Serve until interrupted; ``announce`` gets the address once it answers.

    ``base_path``: where a proxy shows the pages, whether it leaves that path out of its requests or not. No header of a
    request is trusted with that: everybody can send one.

    Raises:
        PortTakenError, AddressError: with a sentence on what to do.
    """
    listening, base_path = listen(host, port), base_path.rstrip("/")
    sys.setswitchinterval(THREAD_SWITCH_SECONDS)
    bound = listening.getsockname()[1]
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns about every request that waits a moment
    server = web_server(app, listening=listening, url_prefix=base_path)
    probe = f"http://{'127.0.0.1' if host == ANYWHERE else host}:{bound}/"
    shown = f"http://{outside_addresses()[0]}:{bound}/" if host == ANYWHERE else probe
    address = f"{shown[:-1]}{base_path}/"
    ended = threading.Event()
    threading.Thread(target=_announce, args=(probe, address, announce, ended), daemon=True).start()
    streams = STREAMS.get(app)
    _end_on_signals(streams)
    try:
        server.run()
    finally:
        ended.set()
        server.close()


def listen(host: str, port: int, option: str = "--port") -> socket.socket:
    """Take the port; ``option``: with which another one is chosen.

    Raises:
        PortTakenError, AddressError: with a sentence on what to do.
    """
    if ":" in host:
        raise AddressError(f"Expected a name or an IPv4 address to listen on, but got {host}.")
    try:
        return socket.create_server((host, port), backlog=1024)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTakenError(
                f"Port {port} is taken by another program; "
                f"choose another with {option}, or {option} 0 for any free one."
            ) from error
        raise AddressError(f"Cannot listen on {host} port {port}: {error.strerror or error}.") from error


def _end_on_signals(streams: Streams) -> None:
    """Stop at Ctrl-C and SIGTERM: the streams first, because waitress waits for its threads."""

    def end(number: int, frame: FrameType | None) -> None:
        del number, frame
        streams.close()
        raise KeyboardInterrupt

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, end)


def _announce(probe: str, address: str, announce: Callable[[str], None], ended: threading.Event) -> None:
    """Call the server until it answers, however slow the computer, load the page once, then announce the address.

    Loading the page compiles its templates and finds its sentences before a visitor waits for it. Without that, each
    request of fifty pages at once did all of it, and the pages waited ten seconds.
    """
    direct = build_opener(ProxyHandler({}))  # no proxy for this machine's own address
    while not ended.is_set():
        with contextlib.suppress(URLError, OSError), direct.open(f"{probe}healthz", timeout=2):
            break
        ended.wait(0.05)
    else:
        return
    with contextlib.suppress(URLError, OSError), direct.open(probe, timeout=ANSWERS_WITHIN) as page:
        page.read()
    announce(address)


log = logging.getLogger(__name__)

SHARED_HEAPS: Final = 2
"""Heaps that all threads share; the default is eight for each core."""

RELEASE_SECONDS: Final = 15.0
"""Seconds between two releases of unused pages; each takes some milliseconds in its own thread."""

LARGE_BYTES: Final = 3 << 20
"""What is larger than this, such as a picture of 1280x960, gets pages of its own, which go when it is freed.

By itself the C library raises this limit to 32 MB. Then pictures and what nets compute with lie between small things
that live longer, and leave holes that no other picture fits into. With less, the reader takes longer: at 1 MB by 15 ms
a throw, for pages that the system clears.
"""

KEPT_BYTES: Final = 64 << 20
"""So much unused memory stays at a heap's end until the next release; with the default, 128 kB, it would come and go
with each picture."""

_TRIM_THRESHOLD: Final = -1  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD and M_ARENA_MAX of <malloc.h>
_MMAP_THRESHOLD: Final = -3
_ARENA_MAX: Final = -8


def keep_small() -> None:
    """Return unused memory to the system from now on, so that the server stays small after many matches.

    Before cameras and nets begin: what they take before stays among everything else.

    Python frees what a finished match held, but the C library keeps the pages: one heap for each of the server's
    threads, each as large as the largest answer that it ever computed. With a C library other than glibc this does
    nothing.
    """
    library = _glibc()
    if library is None:
        return
    for option, value in ((_ARENA_MAX, SHARED_HEAPS), (_MMAP_THRESHOLD, LARGE_BYTES), (_TRIM_THRESHOLD, KEPT_BYTES)):
        library.mallopt(option, value)
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
