"""Words that a person wrote into a position: one that nobody knows is refused, with the one that was likely meant."""

import difflib
from collections.abc import Iterable, Mapping

from companion.rules.errors import PositionFormatError


def check_words(data: object, known: Iterable[str], where: str, inside: Mapping[str, str] = {}) -> None:
    """Refuse an object of a position's JSON with a word that is not known there.

    To ignore it would be to judge another position. ``where`` says which object it is, ``inside`` where else a word
    belongs.

    Raises:
        PositionFormatError: the object has such a word.
    """
    words = tuple(known)
    if not isinstance(data, Mapping):
        return  # its reader says what it should be
    for name in data:
        if name in words:
            continue
        if name in inside:
            raise PositionFormatError(f'"{name}" belongs inside {inside[name]}, but it stands in {where}.')
        near = nearest(str(name), words)
        meant = f'did you mean "{near}"?' if near else f"known are {', '.join(words)}."
        raise PositionFormatError(f'Nothing called "{name}" belongs in {where}: {meant}')


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like another one, None if none is like it."""
    found = difflib.get_close_matches(word, list(known), 1)
    return found[0] if found else None
