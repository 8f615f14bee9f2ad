"""The error of a request that the match refuses; alone, so that reading a command loads no match."""

from companion.language.sentence import SentenceError


class RefusedError(SentenceError, ValueError):
    """The match refuses a request; ``sentence`` says why and what to do."""
