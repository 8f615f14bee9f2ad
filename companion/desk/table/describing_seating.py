"""How a board lies, in words with which somebody at the board can check it."""

from companion.language.sentence import Listing, Sentence, player
from companion.referee.board.seating import Seating
from companion.rules.appearance_words import colour
from companion.rules.game import Game


def describe_seating(game: Game, seating: Seating) -> Sentence:
    """Say of a seating whose the colours are and where the first point, or White's side, lies in the picture."""
    colours = [
        Sentence("{colour} is {player}'s", colour=colour(name), player=player(owner)) for name, owner in seating.colours
    ]
    where = [] if game.board.holds_tokens and colours else [game.where_it_lies(seating.site)]
    return Sentence("{said}.", said=Listing([*colours, *where], "comma"))
