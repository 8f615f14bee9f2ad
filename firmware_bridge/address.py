"""The address of a device on the network, as a person types it."""

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Address:
    """Which kind of device is where. ``port``: None without; ``path``: what follows, without its slashes."""

    scheme: str
    host: str
    port: int | None
    path: str


def address(words: str) -> Address | None:
    """Read ``SCHEME://HOST[:PORT][/PATH]``; None if it is no such address, or names no host that there can be."""
    try:
        parts = urlsplit(words.strip())
        host, port = parts.hostname or "", parts.port
        host.encode("idna")
    except ValueError:  # a port that is no number or too large, half an IPv6 address, an empty or endless label
        return None
    plain = not (parts.query or parts.fragment or parts.username) and port != 0
    if not plain or not host or not host.isprintable() or " " in host:
        return None
    return Address(parts.scheme, host, port, parts.path.strip("/"))
