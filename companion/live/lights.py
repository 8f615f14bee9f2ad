"""What the LEDs of a board mean: who holds each site, in the player's colour, and how it stands with the table."""

from companion.live.state import State
from companion.referee.match import Match
from firmware_bridge.frame import DARK, Colour, LedFrame

# Six hues that people with any common colour vision tell apart (after Okabe and Ito), at LED strength.
PLAYERS = (
    Colour(230, 120, 0),
    Colour(40, 140, 233),
    Colour(0, 158, 60),
    Colour(204, 60, 140),
    Colour(240, 220, 30),
    Colour(200, 40, 0),
)
WAITING = Colour(60, 60, 60)
RESTING = 0.25  # share of their brightness while the table and the match do not agree


def look(match: Match | None, state: State) -> LedFrame:
    """Return one colour a site of the game's board, in its order; dimmed where play stands still."""
    if match is None:
        return LedFrame(())
    holders = match.position.occupancy()
    colours = (_of_player(holders.get(site.name)) for site in match.game.board.sites)
    share = RESTING if state in ("MISMATCH", "BLIND") or match.paused else 1.0
    if state == "PROPOSED":
        return LedFrame.of(WAITING if colour == DARK else colour.dimmed(RESTING) for colour in colours)
    return LedFrame.of(colour.dimmed(share) for colour in colours)


def _of_player(holder: object) -> Colour:
    return PLAYERS[(holder - 1) % len(PLAYERS)] if isinstance(holder, int) and holder > 0 else DARK
