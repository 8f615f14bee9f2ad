"""Readings made from true positions: perfect ones, and ones as noise, hands and light would have them."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from companion.referee.board.seating import Seating, seatings
from companion.referee.board.standing import BAR, MOST_COUNTED, Stand, Waiting, expected_board, sites_of
from companion.rules.game import Game, Position
from companion.rules.rithmomachia.men import COLOURS, army
from companion.vision.board_readings import BoardReading, Men, SiteReading, Standing

SURE = 0.9995
TOKENS = ("red", "blue", "green", "yellow", "white", "black")


def seating_of(game: Game, lies: int = 0) -> Seating:
    """Return one of the seatings that a game can have."""
    if not game.board.colours:
        return Seating(game.slug, "as named", tuple((colour, owner) for owner, colour in enumerate(TOKENS, 1)))
    every = list(seatings(game))
    return every[lies % len(every)]


def seen(position: Position, seating: Seating) -> dict[str, tuple[Standing, bool]]:
    """Return what stands on each site by the picture's names, and whether it is piled; hit men lie on the bar."""
    shown = expected_board(position)
    found: dict[str, tuple[Standing, bool]] = {}
    for site in sites_of(position.game):
        expected = shown.get(site)
        men = seating.men(expected)
        piled = False
        if isinstance(expected, Waiting):
            men = _on_the_bar(expected, seating) if not _begins_in_hand(position.game) else None
        elif isinstance(expected, Stand) and men is not None and men.shape == "pyramid":
            men = replace(men, number={1: 91, 2: 190}[expected.owner])  # whatever parts it has left
        elif isinstance(expected, Stand) and men is not None and men.count >= MOST_COUNTED:
            men, piled = replace(men, count=MOST_COUNTED), True
        found[seating.site(site)] = (men, piled)
    return found


def _begins_in_hand(game: Game) -> bool:
    return bool(getattr(getattr(game, "variant", None), "enters", False))


def _on_the_bar(waiting: Waiting, seating: Seating) -> Men | None:
    men: Men | None = None
    for owner, count in ((1, waiting.first), (2, waiting.second)):
        if count:
            men = Men(seating.colour(owner), count, also=men)
    return men


def reading(sites: Mapping[str, tuple[Standing, bool]], board: str = "") -> BoardReading:
    """Return a reading that is sure of everything."""
    read = {
        name: SiteReading(name, ((standing, SURE), (_other(standing), 1 - SURE)), "read", piled)
        for name, (standing, piled) in sites.items()
    }
    return BoardReading(board, read, ((0, 0), (1, 0), (1, 1), (0, 1)), "read")


def perfect(position: Position, seating: Seating) -> BoardReading:
    """Return the reading of a position as a perfect reader has it."""
    return reading(seen(position, seating), position.game.board.name)


def _other(standing: Standing) -> Standing:
    return Men("light") if standing is None else None


def hidden(whole: BoardReading, sites: Iterable[str]) -> BoardReading:
    """Return a reading in which something covers these sites."""
    covered = {name: SiteReading(name, (), "hidden") for name in sites}
    return replace(whole, sites={**whole.sites, **covered})


def shown_as(whole: BoardReading, changed: Mapping[str, Standing]) -> BoardReading:
    """Return a reading in which these sites are read otherwise."""
    sites = {name: SiteReading(name, ((men, SURE),), "read") for name, men in changed.items()}
    return replace(whole, sites={**whole.sites, **sites})


@dataclass
class Camera:
    """Reads positions with errors. ``rate``: the share of sites read wrongly, however sure.

    Half of the errors are new at each look; the other half belong to what stands there, and stay until it changes.
    ``hands``: the share of looks in which a hand covers some sites.
    """

    chance: random.Random
    game: Game
    rate: float = 0.003
    hands: float = 0.1
    kept: dict[str, tuple[Standing, Standing]] = field(default_factory=dict)
    known: dict[str, Standing] = field(default_factory=dict)

    def observe(self, sites: Mapping[str, tuple[Standing, bool]]) -> BoardReading:
        """Return a reading of what stands there."""
        dull = self.chance.choice((0.0, 0.0, 0.02, 0.08, 0.2))
        covered = self._covered(list(sites)) if self.chance.random() < self.hands else frozenset()
        read = {}
        for name, (standing, piled) in sites.items():
            if name in covered:
                read[name] = SiteReading(name, (), "hidden")
                continue
            if name not in self.known or self.known[name] != standing:
                self.known[name] = standing
                self.kept.pop(name, None)
                if self.chance.random() < self.rate / 2:
                    self.kept[name] = (standing, self._wrong(name, standing))
            shown = self.kept[name][1] if name in self.kept else standing
            if self.chance.random() < self.rate / 2:
                shown = self._wrong(name, standing)
            doubt = min(0.6, self.chance.expovariate(1 / (0.004 + dull)))
            other = standing if shown != standing else self._wrong(name, standing)
            status = "read" if doubt < 0.1 else "ask"
            pairs = sorted(((shown, 1 - doubt), (other, doubt)), key=lambda pair: -pair[1])
            read[name] = SiteReading(name, tuple(pairs), "read" if status == "read" else "ask", piled)
        return BoardReading(self.game.board.name, read, ((0, 0), (1, 0), (1, 1), (0, 1)), "read")

    def _covered(self, names: list[str]) -> frozenset[str]:
        """Return the sites under a hand: some that lie together."""
        places = {site.name: (site.x, site.y) for site in self.game.board.sites} | {BAR: (0.5, 0.5)}
        x, y = places[self.chance.choice(names)]
        reach = self.chance.uniform(0.05, 0.2)
        return frozenset(
            name for name in names if abs(places[name][0] - x) < reach and abs(places[name][1] - y) < 2 * reach
        )

    def _wrong(self, name: str, standing: Standing) -> Standing:
        """Return what a reader may take it for: mostly what looks alike."""
        first, second = self.game.board.colours or TOKENS[:2]
        kinds = "rithmomachia" in self.game.slug
        if standing is None:
            return Men(first, 1, "circle", 2) if kinds else Men(self.chance.choice((first, second)))
        if name == BAR or self.chance.random() < 0.2:
            return None
        if not kinds:
            return replace(standing, count=max(1, standing.count + self.chance.choice((-1, 1))) % 15 or 2)
        if standing.shape == "pyramid" or self.chance.random() < 0.1:
            return replace(standing, colour=second if standing.colour == first else first)
        numbers = [part.number for side in COLOURS for part in army(side) if part.number != standing.number]
        return replace(standing, number=self.chance.choice(numbers))
