"""The web server: waitress with threads enough for eight live streams, a printed address, a clean stop."""

import contextlib
import errno
import logging
import signal
import socket
import threading
import time
from collections.abc import Callable
from ipaddress import ip_address
from types import FrameType
from typing import Any
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from flask import Flask

from companion.web.serving.fair_server import FairServer
from companion.web.serving.memory import keep_small
from companion.web.streams import STREAMS, Streams

THREADS = 24  # eight streams hold eight; the others answer (measured by others: four streams on four threads hang all)
ANYWHERE = "0.0.0.0"  # noqa: S104 - what an owner asks for who opens the page to a network; it then needs a PIN
ANSWERS_WITHIN = 15.0  # seconds


class PortTakenError(OSError):
    """Another program listens there already."""


class AddressError(OSError):
    """The host is no address of this machine."""


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach the host."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def trusted_names(host: str, others: tuple[str, ...] = ()) -> list[str]:
    """Name the hosts under which the page may be asked when it listens on ``host``."""
    names = ["localhost", "127.0.0.1", *others]
    if not is_loopback(host):
        own = socket.gethostname()
        names += [own, f"{own.split('.')[0]}.local", *_addresses()]
    if host != ANYWHERE:
        names.append(host)
    return list(dict.fromkeys(names))


def web_server(
    app: Flask,
    threads: int = THREADS,
    connections: dict[int, Any] | None = None,
    listening: socket.socket | None = None,
    **where: Any,
) -> FairServer:
    """Make the server of an app, on a socket that listens or where ``where`` tells waitress; `run` runs it.

    ``connections``: waitress's own map of what is open, for who wants to look into it.
    """
    return FairServer(app, connections, listening, threads=threads, **where)


def serve(app: Flask, host: str, port: int, announce: Callable[[str], None]) -> None:
    """Serve until interrupted; ``announce`` gets the address once it answers.

    Raises:
        PortTakenError, AddressError: with a sentence on what to do.
    """
    listening = _listen(host, port)
    keep_small()
    bound = listening.getsockname()[1]
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it tells of every request that waits a moment
    server = web_server(app, listening=listening)
    probe = f"http://{'127.0.0.1' if host == ANYWHERE else host}:{bound}/"
    address = f"http://{_outside_address()}:{bound}/" if host == ANYWHERE else probe
    threading.Thread(target=_announce, args=(probe, address, announce), daemon=True).start()
    streams = STREAMS.get(app)
    _end_on_signals(streams)
    try:
        server.run()
    finally:
        server.close()


def _outside_address() -> str:
    """Return an address under which other devices reach this machine; its name where it is in no network."""
    return outside_addresses()[0]


def outside_addresses() -> list[str]:
    """Return the addresses under which other devices reach this machine, the likeliest first; else its name."""
    outside = [address for address in _addresses() if not is_loopback(address)]
    return outside[::-1] or [socket.gethostname()]


def _listen(host: str, port: int) -> socket.socket:
    """Take the port, so that what keeps us from it is said in words."""
    if ":" in host:
        raise AddressError(f"Expected a name or an IPv4 address to listen on, but got {host}.")
    try:
        return socket.create_server((host, port), backlog=1024)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTakenError(
                f"Port {port} is taken by another program; choose another with --port, or --port 0 for any free one."
            ) from error
        raise AddressError(f"Cannot listen on {host} port {port}: {error.strerror or error}.") from error


def _end_on_signals(streams: Streams) -> None:
    """Stop at Ctrl-C and SIGTERM: the streams first, for waitress waits for its threads."""

    def end(number: int, frame: FrameType | None) -> None:
        del number, frame
        streams.close()
        raise KeyboardInterrupt

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, end)


def _announce(probe: str, address: str, announce: Callable[[str], None]) -> None:
    """Call the server until it answers and load the page once, then print the address.

    Its templates are compiled by that, and which sentences it needs is found, before a visitor waits for it: when
    fifty pages came first, each of their requests did all of that, and they waited ten seconds.
    """
    direct = build_opener(ProxyHandler({}))  # our own address is not to be asked for through anybody
    end = time.monotonic() + ANSWERS_WITHIN
    while time.monotonic() < end:
        try:
            with direct.open(f"{probe}healthz", timeout=2):
                break
        except (URLError, OSError):
            time.sleep(0.05)
    else:
        return
    with contextlib.suppress(URLError, OSError), direct.open(probe, timeout=ANSWERS_WITHIN) as page:
        page.read()
    announce(address)


def _addresses() -> list[str]:
    """Return this machine's IPv4 addresses in its networks."""
    found: list[str] = []
    with contextlib.suppress(OSError):
        found += [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    # A datagram socket that is only connected sends nothing, but tells which of our addresses a network would see.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            found.append(str(probe.getsockname()[0]))
        except OSError:
            pass
    return list(dict.fromkeys(found))
