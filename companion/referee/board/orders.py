"""How to bring a board into agreement with a position: which man goes where, in words."""

from collections.abc import Iterator, Mapping
from typing import Final

from companion.language.sentence import Sentence
from companion.referee.board.evidence import CONTRADICTING_CHANCE
from companion.referee.board.results import Arrow
from companion.referee.board.seating import Seating
from companion.referee.board.standing import BAR, Expected, Stand, expected_board, sites_of
from companion.referee.board.words import NUMBERS, man
from companion.rules.appearance_words import colour
from companion.rules.game import Position
from companion.vision.board_readings import BoardReading, Men

BESIDE: Final = ""
"""The place of a man who must leave the board or comes onto it."""

Orders = tuple[tuple[Sentence, Arrow], ...]


def orders(position: Position, reading: BoardReading, seating: Seating) -> Orders:
    """Return what to do, man by man, to turn what is seen into the position; each order with its arrow.

    Hidden sites, the bar, and the number of men in a pile are left alone.
    """
    expected = expected_board(position)
    seen = {seating.site(name): site for name, site in reading.sites.items() if site.candidates}
    much: dict[tuple[int, str, int], dict[str, int]] = {}
    few: dict[tuple[int, str, int], dict[str, int]] = {}
    for site in sites_of(position.game):
        if site == BAR or site not in seen:
            continue
        wanted = expected.get(site)
        admitted = sum(
            chance for men, chance in seen[site].candidates if _fits(wanted, men, seating, piled=seen[site].piled)
        )
        if admitted > CONTRADICTING_CHANCE:
            continue
        for kind, change in _changes(wanted, seen[site].standing, seating).items():
            (much if change > 0 else few).setdefault(kind, {})[site] = abs(change)
    return tuple(_order_sentences(much, few, seating))


def _fits(wanted: Expected, men: Men | None, seating: Seating, *, piled: bool) -> bool:
    return men is None if wanted is None else wanted.admits(men, seating.owners, piled=piled)


def _changes(wanted: Expected, seen: Men | None, seating: Seating) -> Mapping[tuple[int, str, int], int]:
    """Return by how many men of each kind (owner, shape, number) too many are seen."""
    found: dict[tuple[int, str, int], int] = {}
    while seen is not None:
        kind = (seating.owners.get(seen.colour, 0), seen.shape, seen.number)
        found[kind] = found.get(kind, 0) + seen.count
        seen = seen.also
    if isinstance(wanted, Stand):
        kind = (wanted.owner, wanted.shape, wanted.number)
        found[kind] = found.get(kind, 0) - wanted.count
        if wanted.beside:
            other = (3 - wanted.owner, "", 0)
            found[other] = found.get(other, 0) - wanted.beside
    return {kind: change for kind, change in found.items() if change}


def _order_sentences(
    much: Mapping[tuple[int, str, int], dict[str, int]],
    few: Mapping[tuple[int, str, int], dict[str, int]],
    seating: Seating,
) -> Iterator[tuple[Sentence, Arrow]]:
    for kind in dict.fromkeys((*much, *few)):
        owner, shape, number = kind
        starts, ends = dict(much.get(kind, {})), dict(few.get(kind, {}))
        while starts or ends:
            start, end = next(iter(starts), BESIDE), next(iter(ends), BESIDE)
            count = min(there[site] for there, site in ((starts, start), (ends, end)) if site)
            men = Men(seating.colour(owner), count, shape, number)
            yield _order(men, start, end), Arrow(start, end)
            for there, site in ((starts, start), (ends, end)):
                if site:
                    there[site] -= count
                    if not there[site]:
                        del there[site]


def _order(men: Men, start: str, end: str) -> Sentence:
    what = man(men)
    if not men.shape and 1 < men.count < len(NUMBERS):
        what = Sentence("{number} {colour} men", number=NUMBERS[men.count], colour=colour(men.colour))
    if start and end:
        return Sentence("Put {men} from {start} to {end}.", men=what, start=start, end=end)
    if start:
        return Sentence("Take {men} off {start}.", men=what, start=start)
    return Sentence("Put {men} on {end}.", men=what, end=end)
