"""How slowly a PIN or a code can be guessed: the waits grow with every wrong try. Nothing here depends on the page."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

FREE_TRIES: Final = 3  # wrong tries of one address before it has to wait
FREE_TRIES_OF_ALL: Final = 20  # wrong tries of all addresses together before each address has one free try only
LONGEST_WAIT: Final = 300.0  # seconds; 10,000 tries of one address then take 34 days, a PIN of six digits nine years
DOUBLED_AT_MOST: Final = 16  # doublings, to 18 hours: the longest wait for two hundred addresses
ADDRESSES_KEPT: Final = 16_384  # limits the memory that a flood of addresses can take
OWN_BITS: Final = 64  # of an IPv6 address: a device may give itself any of the addresses that share them


@dataclass(slots=True)
class _Failures:
    count: int = 0
    last: float = 0.0  # time on the clock


class Tries:
    """Counts wrong tries of each address, and says who has to wait. Thread-safe.

    What others do never takes an address's first try away, and its first waits are as long as its own tries make them.
    The longest wait grows with the number of addresses that tried: up to two hundred together guess no faster than one.
    Who has thousands of addresses guesses faster, if only by a first try from each.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, longest: float = LONGEST_WAIT) -> None:
        """``clock`` and ``longest``, the longest wait, are in seconds."""
        self._clock = clock
        self._longest = longest
        self._lock = threading.Lock()
        self._of_all = 0
        self._of_address: OrderedDict[str, _Failures] = OrderedDict()

    @property
    def addresses(self) -> int:
        """The number of addresses with wrong tries that are remembered."""
        return len(self._of_address)

    def wait(self, address: str) -> float:
        """Return for how many seconds no try from this address counts; 0.0 or less: it may try now.

        ``address``: of the network, or the name of a known `device`.
        """
        with self._lock:
            return self._wait(network_of(address))

    def _wait(self, address: str) -> float:
        own = self._of_address.get(address)
        whole_device = address.startswith(_DEVICE)
        free = FREE_TRIES if whole_device or self._of_all < FREE_TRIES_OF_ALL else 1
        if own is None or own.count < free:
            return 0.0
        longest = self._longest * (1 if whole_device else len(self._of_address))
        return own.last + min(longest, 2.0 ** min(own.count - free, DOUBLED_AT_MOST)) - self._clock()

    def right(self, address: str) -> None:
        """Forget the wrong tries of this address, and how many there were of all together."""
        with self._lock:
            self._of_address.pop(network_of(address), None)
            self._of_all = 0

    def wrong(self, address: str) -> bool:
        """Count a wrong try; return whether this address has to wait because of it."""
        address = network_of(address)
        with self._lock:
            own = self._of_address.setdefault(address, _Failures())
            own.count, own.last = own.count + 1, self._clock()
            self._of_all += 1
            self._of_address.move_to_end(address)
            while len(self._of_address) > ADDRESSES_KEPT:
                self._of_address.popitem(last=False)
            return self._wait(address) > 0


_DEVICE: Final = "device "


def device(token: str) -> str:
    """Return the name of a device that is known otherwise than by its address: others there cannot make it wait."""
    return _DEVICE + token


def network_of(address: str) -> str:
    """Return what distinguishes senders: an IPv4 address itself, of an IPv6 address the network of its device."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if not isinstance(known, IPv6Address):
        return address
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return address if known.is_loopback else str(ip_network((known.packed, OWN_BITS), strict=False))
