"""Whole numbers in data from outside. JSON's true and false are not numbers, although Python counts them as such."""

from collections.abc import Mapping
from typing import Any, TypeGuard

from companion.rules.errors import PositionFormatError


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether a value is a whole number and neither true nor false."""
    return isinstance(value, int) and not isinstance(value, bool)


def whole_number(data: Mapping[str, Any], name: str, otherwise: int) -> int:
    """Return the whole number under a name of a position's JSON, or ``otherwise`` if it is missing.

    Raises:
        PositionFormatError: the value is not a whole number.
    """
    value = data.get(name, otherwise)
    if not is_whole(value):
        raise PositionFormatError(f'Expected "{name}" to be a whole number, but it is {value!r}.')
    return value
