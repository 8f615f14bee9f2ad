"""The web server: waitress with threads enough for eight live streams, a printed address, a clean stop."""

import contextlib
import errno
import signal
import socket
import threading
import time
from collections.abc import Callable
from ipaddress import ip_address
from types import FrameType
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from flask import Flask
from waitress.server import create_server  # type: ignore[import-untyped]

from companion.kiosk.streams import Streams

THREADS = 24  # eight streams hold eight; the others answer (measured by others: four streams on four threads hang all)
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
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def trusted_names(host: str, others: tuple[str, ...] = ()) -> list[str]:
    """Name the hosts under which the page may be asked when it listens on ``host``."""
    host = host.strip("[]")
    names = ["localhost", "127.0.0.1", "[::1]", *others]
    if not is_loopback(host):
        own = socket.gethostname()
        names += [own, f"{own.split('.')[0]}.local", *_addresses()]
    if host not in {"0.0.0.0", "::", ""}:  # noqa: S104 - compared, not bound
        names.append(f"[{host}]" if ":" in host else host)
    return list(dict.fromkeys(names))


def serve(app: Flask, host: str, port: int, announce: Callable[[str], None]) -> None:
    """Serve until interrupted; ``announce`` gets the address once it answers.

    Raises:
        PortTakenError, AddressError: with a sentence on what to do.
    """
    host = host.strip("[]")
    listening = _listen(host, port)
    bound = listening.getsockname()[1]
    # With lookahead a stream learns that its page is gone before it writes the next heartbeat.
    server = create_server(app, sockets=[listening], threads=THREADS, ident=None, channel_request_lookahead=1)
    shown = socket.gethostname() if host in {"0.0.0.0", "::"} else host  # noqa: S104 - compared, not bound
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{bound}/"
    probe = "127.0.0.1" if host == "0.0.0.0" else "[::1]" if host == "::" else shown  # noqa: S104 - likewise
    threading.Thread(target=_announce, args=(f"http://{probe}:{bound}/healthz", address, announce), daemon=True).start()
    streams: Streams = app.extensions["alea_streams"]
    _end_on_signals(streams)
    try:
        server.run()
    finally:
        server.close()


def _listen(host: str, port: int) -> socket.socket:
    """Take the port, so that what keeps us from it is said in words."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address, family=family, backlog=1024)
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
    """Call the server until it answers, so that the printed address is one that works."""
    direct = build_opener(ProxyHandler({}))  # our own address is not to be asked for through anybody
    end = time.monotonic() + ANSWERS_WITHIN
    while time.monotonic() < end:
        try:
            with direct.open(probe, timeout=2):
                announce(address)
                return
        except (URLError, OSError):
            time.sleep(0.05)


def _addresses() -> list[str]:
    """Return this machine's addresses in its networks."""
    found: list[str] = []
    with contextlib.suppress(OSError):
        found += [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None)]
    # A datagram socket that is only connected sends nothing, but tells which of our addresses a network would see.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            found.append(str(probe.getsockname()[0]))
        except OSError:
            pass
    return [f"[{address}]" if ":" in address else address for address in dict.fromkeys(found)]
