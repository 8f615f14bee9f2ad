"""Round robin by Berger's tables: everybody meets everybody once, and first throws differ by one at most."""

from companion.hall.tournament.records import Pairing


def rounds_for(players: int) -> int:
    """Return how many rounds it takes until everybody has met everybody."""
    return players - 1 + players % 2


def berger(players: int, number: int) -> list[tuple[int, int]]:
    """Return the pairs of a round, from 1; the first of each throws first. Of an odd number one is free in each round.

    The tables are those of FIDE's Handbook, C.05, annex 1. The last number of an even table meets in the round 2k - 1
    the player k, and in the round 2k the player that stands half a table further; the others stand around this player
    in pairs. In a table for an odd number of players, the one who meets the last number is free: that pair is left out.
    """
    even = players + players % 2
    ring = even - 1
    middle = (number + 1) // 2 if number % 2 else even // 2 + number // 2
    pairs = [(middle, even) if number % 2 else (even, middle)] if even == players else []
    around = range(1, even // 2)
    return pairs + [((middle - 1 + step) % ring + 1, (middle - 1 - step) % ring + 1) for step in around]


def draw(players: int, number: int, gone: frozenset[int] = frozenset()) -> list[Pairing]:
    """Return the pairings of a round; a player without an opponent, because of the table or of who is gone, is free."""
    pairs = [pair for pair in berger(players, number) if not gone & {*pair}]
    paired = {player for pair in pairs for player in pair}
    free = [player for player in range(1, players + 1) if player not in paired | gone]
    return [
        *(Pairing(number, board, first, second) for board, (first, second) in enumerate(pairs, start=1)),
        *(Pairing(number, board, player, None) for board, player in enumerate(free, start=len(pairs) + 1)),
    ]
