"""The stores of pictures that the desk needs."""

from collections.abc import Iterable
from typing import Protocol

from companion.desk.sight import Sight


class PictureStore(Protocol):
    """Keeps the pictures of throws, each under its hash."""

    def hold(self, picture: bytes, *, asked: bool) -> str:
        """Keep a picture and return its hash; ``asked``: a person is asked about it."""

    def remove(self, names: Iterable[str]) -> int:
        """Delete pictures by their hashes; return how many there were."""


class PhotographStore(Protocol):
    """Keeps photographs that an owner asks for, each under its hash."""

    def take(self, sight: Sight) -> str:
        """Keep a picture of the one die that lies there now, and return its hash.

        Raises:
            RefusedError: there is not exactly one die at rest, or the disk takes no picture.
        """

    def remove(self, names: Iterable[str]) -> int:
        """Delete photographs by their hashes; return how many there were."""
