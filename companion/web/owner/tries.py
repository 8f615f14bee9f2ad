"""How slowly a PIN or a code can be guessed: the waits grow with every wrong try. Nothing here depends on the page."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

FREE_TRIES: Final = 3  # wrong tries of one address before it has to wait
FREE_TRIES_OF_ALL: Final = 20  # wrong tries of all addresses together before everyone has to wait
LONGEST_WAIT: Final = 300.0  # seconds; 10,000 tries then take 34 days, a PIN of six digits nine years
DOUBLED_AT_MOST: Final = 16  # doublings, which exceed the longest wait anyway; 2.0 ** 10000 would overflow
ADDRESSES_KEPT: Final = 1024  # limits the memory that a flood of addresses can take


@dataclass
class _Failures:
    count: int = 0
    until: float = 0.0  # time on the clock before which no further try counts

    def add(self, now: float, free: int) -> None:
        self.count += 1
        if self.count >= free:
            self.until = now + min(LONGEST_WAIT, 2.0 ** min(self.count - free, DOUBLED_AT_MOST))


class Tries:
    """Counts wrong tries for each address and for all together, and says who has to wait. Thread-safe.

    Somebody at the device itself does not wait because of others in the network: nobody can lock the owner out.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: in seconds."""
        self._clock = clock
        self._lock = threading.Lock()
        self._of_all = _Failures()
        self._of_address: OrderedDict[str, _Failures] = OrderedDict()

    @property
    def addresses(self) -> int:
        """The number of addresses with wrong tries that are remembered."""
        return len(self._of_address)

    def wait(self, address: str) -> float:
        """Return for how many seconds no try from this address counts; 0.0 or less: it may try now."""
        with self._lock:
            own = self._of_address.get(address, _Failures())
            until = own.until if on_loopback(address) else max(own.until, self._of_all.until)
            return until - self._clock()

    def right(self, address: str) -> None:
        """Forget the wrong tries of this address, and those of all together."""
        with self._lock:
            self._of_address.pop(address, None)
            self._of_all = _Failures()

    def wrong(self, address: str) -> bool:
        """Count a wrong try; return whether somebody has to wait because of it."""
        with self._lock:
            now = self._clock()
            own = self._of_address.get(address, _Failures())
            own.add(now, FREE_TRIES)
            self._of_all.add(now, FREE_TRIES_OF_ALL)
            self._of_address[address] = own
            self._of_address.move_to_end(address)
            while len(self._of_address) > ADDRESSES_KEPT:
                self._of_address.popitem(last=False)
            return max(own.until, self._of_all.until) > now


def on_loopback(address: str) -> bool:
    """Return whether an address is this machine's own."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
