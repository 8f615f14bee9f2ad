"""List the boards that can be read, and where their sites lie, without loading a reader."""

from companion.vision.boards.layout import LAYOUTS, Layout, UnknownBoardError, layout
from companion.vision.boards.tokens.layout import ANY, TokenLayout, token_layouts

Sites = Layout | TokenLayout
"""What knows which site a place of a board belongs to."""


def holds_tokens(name: str) -> bool:
    """Whether this is a board of tokens: one of those of the virtues, or whichever of them lies there."""
    return name == ANY or name in token_layouts()


def known_boards() -> tuple[str, ...]:
    """Return the names of all boards that can be read."""
    return (*LAYOUTS, *token_layouts(), ANY)


def plan(name: str) -> Layout | None:
    """Return the layout of a board of men, None for a board of tokens.

    Raises:
        UnknownBoardError: there is no such board to be read.
    """
    if holds_tokens(name):
        return None
    if name not in LAYOUTS:
        raise UnknownBoardError(f"Expected a board that can be read ({', '.join(known_boards())}), but got {name!r}.")
    return layout(name)


def sites_of(name: str, found: str) -> Sites:
    """Return where the sites of a board lie; ``found``: the board that was read, where ``name`` leaves that open."""
    return token_layouts()[found] if holds_tokens(name) else layout(name)


def same_board(one: str, other: str) -> bool:
    """Whether two names mean the same board; a board of tokens may have the name that all of them share."""
    if holds_tokens(one) or holds_tokens(other):
        return one == other or (ANY in (one, other) and holds_tokens(one) and holds_tokens(other))
    return layout(one) == layout(other)
