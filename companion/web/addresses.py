"""The names and addresses at which this machine is reached: by itself, and by other devices of its networks."""

import contextlib
import socket
from ipaddress import ip_address

ANYWHERE = "0.0.0.0"  # noqa: S104 - for an owner who opens the page to a network; it then needs a PIN


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach the host."""
    return host == "localhost" or on_loopback(host)


def on_loopback(address: str) -> bool:
    """Return whether an address is this machine's own."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def trusted_names(host: str, others: tuple[str, ...] = ()) -> list[str]:
    """Return the host names that requests may use when the page listens on ``host``."""
    names = ["localhost", "127.0.0.1", *others]
    if not is_loopback(host):
        own = socket.gethostname()
        names += [own, f"{own.split('.')[0]}.local", *_addresses()]
    if host != ANYWHERE:
        names.append(host)
    return list(dict.fromkeys(names))


def outside_addresses() -> list[str]:
    """Return the addresses at which other devices reach this machine, the likeliest first; else its name."""
    outside = [address for address in _addresses() if not is_loopback(address)]
    return outside[::-1] or [socket.gethostname()]


def _addresses() -> list[str]:
    """Return the IPv4 addresses of this machine in its networks."""
    found: list[str] = []
    with contextlib.suppress(OSError):
        found += [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    # Connecting a datagram socket sends nothing, but shows which of this machine's addresses a network would see.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            found.append(str(probe.getsockname()[0]))
        except OSError:
            pass
    return list(dict.fromkeys(found))
