"""Choose the reader for a board: nets read boards of men, the print itself shows what lies on boards of tokens."""

from companion.vision.boards.known import plan
from companion.vision.boards.reader import BoardReader
from companion.vision.boards.tokens.reader import TokenReader


def reader_of(name: str) -> BoardReader | TokenReader:
    """Return the reader of a board; nets are loaded when it first reads.

    Raises:
        UnknownBoardError: there is no such board to be read.
    """
    men = plan(name)
    return TokenReader(name) if men is None else BoardReader(men)
