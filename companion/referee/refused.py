"""The error of a request that the match refuses; alone, so that reading a command loads no match."""

from collections.abc import Iterator
from contextlib import contextmanager

from companion.language.sentence import SentenceError, why_of


class RefusedError(SentenceError, ValueError):
    """The match refuses a request; ``sentence`` says why and what to do."""


@contextmanager
def refusing(*errors: type[Exception]) -> Iterator[None]:
    """Refuse what the block does if it raises any of these errors; the refusal says what the error says."""
    try:
        yield
    except errors as why:
        raise RefusedError(why_of(why)) from why
