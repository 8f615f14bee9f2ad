"""The referee's sentences about a board: what has left, what has come, what was expected and what is seen."""

from collections.abc import Mapping, Sequence

from companion.data_file import data_of
from companion.language.sentence import N_, Listing, Sentence, Template, player
from companion.referee.board.evidence import Evidence
from companion.referee.board.results import Difference
from companion.referee.board.seating import Seating
from companion.referee.board.standing import BAR, Expected, ExpectedBoard, Stand
from companion.rules.appearance_words import colour as colour_word
from companion.rules.appearance_words import shape as shape_word
from companion.rules.game import Position
from companion.vision.board_readings import Men

NUMBERS, _FIRST = (
    tuple(Sentence.of(Template(word)) for word in data_of(__package__, "numbers.toml")[place]["sentences"])
    for place in ("within", "first")
)
MOST_NAMED = 4
"""Most changes that are named one by one; if more sites are wrong, only their number is."""


def differences(evidence: Evidence, expected_board: ExpectedBoard, sites: Sequence[str]) -> tuple[Difference, ...]:
    """Return what was expected and what is seen on each of these sites."""
    return tuple(
        Difference(site, evidence.seating.men(expected_board.get(site)), evidence.seen(site))
        for site in evidence.sites
        if site in sites
    )


def moved(evidence: Evidence, sites: Sequence[str]) -> dict[tuple[str, int], int]:
    """Return by how many men of each owner each site differs from the agreement, as far as that is visible."""
    found: dict[tuple[str, int], int] = {}
    for site in sites:
        if site == BAR:
            continue
        now = counted(evidence.seen(site), evidence.seating)
        was = _agreed(evidence.agreed.get(site))
        for owner in {*now, *was}:
            if (change := now.get(owner, 0) - was.get(owner, 0)) != 0:
                found[site, owner] = change
    return found


def counted(seen: Men | None, seating: Seating) -> dict[int, int]:
    """Return how many men of each owner are seen on a site."""
    found: dict[int, int] = {}
    while seen is not None:
        found[seating.owners.get(seen.colour, 0)] = seen.count
        seen = seen.also
    return found


def _agreed(expected: Expected) -> dict[int, int]:
    return {expected.owner: expected.count} if isinstance(expected, Stand) else {}


def mismatch_sentence(position: Position, evidence: Evidence, sites: Sequence[str]) -> Sentence:
    """Say what does not fit, as in "Two light men have left h, but the throw was 2 and 5"."""
    changes = list(moved(evidence, sites).items())
    named = _identities(evidence, sites)
    if named is not None:
        sentence = named
    elif not changes or len(changes) > MOST_NAMED:
        sentence = Sentence("{count} places do not match the game", count=len(sites))
    else:
        changes.sort(key=lambda change: change[1])
        sentence = _change(*changes[0], evidence.seating, first=True)
        for change in changes[1:]:
            sentence = Sentence("{said}, {more}", said=sentence, more=_change(*change, evidence.seating))
    return Sentence("{what}, {but}.", what=sentence, but=_but(position))


def _change(where: tuple[str, int], count: int, seating: Seating, *, first: bool = False) -> Sentence:
    site, owner = where
    colour = colour_word(seating.colour(owner) or "unknown")
    words = _FIRST if first else NUMBERS
    number = words[abs(count)] if abs(count) < len(words) else abs(count)
    if abs(count) == 1:
        if count < 0:
            return Sentence("{number} {colour} man has left {site}", number=number, colour=colour, site=site)
        return Sentence("{number} {colour} man has come to {site}", number=number, colour=colour, site=site)
    if count < 0:
        return Sentence("{number} {colour} men have left {site}", number=number, colour=colour, site=site)
    return Sentence("{number} {colour} men have come to {site}", number=number, colour=colour, site=site)


def _identities(evidence: Evidence, sites: Sequence[str]) -> Sentence | None:
    """Say which men with numbers are missing, and which stand where, if that fits in one line."""
    sentence: Sentence | None = None
    if len(sites) > MOST_NAMED or not any(_shaped(evidence, site) for site in sites):
        return None
    for site in sites:
        was, now = evidence.agreed.get(site), evidence.seen(site)
        parts: dict[str, object] = {"site": site}
        if isinstance(was, Stand):
            parts["man"] = man(evidence.seating.men(was), first=sentence is None and now is None)
        if now is not None:
            parts["seen"] = man(now, first=sentence is None)
        template = N_("{man} has left {site}") if now is None else N_("{seen} stands on {site}")
        if isinstance(was, Stand) and now is not None:
            template = N_("{site} shows {seen} instead of {man}")
        one = Sentence.of(template, **parts)
        sentence = one if sentence is None else Sentence("{said}, {more}", said=sentence, more=one)
    return sentence


def _shaped(evidence: Evidence, site: str) -> bool:
    was, now = evidence.agreed.get(site), evidence.seen(site)
    return (isinstance(was, Stand) and bool(was.shape)) or (now is not None and bool(now.shape))


def man(men: Men | None, *, first: bool = False) -> Sentence:
    """Name what stands on a site as the picture shows it, as the ``first`` words of a sentence or within it."""
    if men is None:
        return Sentence("nothing")
    if men.shape:
        template = N_("The {colour} {shape} {number}") if first else N_("the {colour} {shape} {number}")
        return Sentence.of(template, colour=colour_word(men.colour), shape=shape_word(men.shape), number=men.number)
    if men.count == 1:
        return Sentence("one {colour} man", colour=colour_word(men.colour))
    return Sentence("{count} {colour} men", count=men.count, colour=colour_word(men.colour))


def _but(position: Position) -> Sentence:
    """Say what would have been expected instead."""
    waits = position.awaits
    if waits.kind in ("throw", "recast"):
        return Sentence("but {player} has not thrown yet", player=player(waits.player))
    dice: Sequence[int] = position.to_json().get("dice", ())
    if dice:
        return Sentence("but the throw was {dice}", dice=Listing(dice))
    return Sentence("but no move of {player} explains it", player=player(waits.player))


def to_play(position: Position) -> Sentence:
    """Say what is left of an unfinished turn."""
    dice: Sequence[int] = position.to_json().get("dice", ())
    if dice:
        return Sentence("Go on: {dice} still to be played.", dice=Listing(dice))
    return Sentence("Go on.")


def missing_tokens(missing: Mapping[str, int], called: Mapping[str, Sentence | str]) -> Sentence:
    """Say whose tokens must still be put where."""
    sentence = [
        Sentence("{player} puts a token on {site}.", player=player(owner), site=called[site])
        for site, owner in missing.items()
    ]
    whole = sentence[0]
    for more in sentence[1:]:
        whole = Sentence("{said} {more}", said=whole, more=more)
    return whole
