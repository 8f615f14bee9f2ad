"""The board reader: from a picture to what stands on every site."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.language.sentence import Sentence, SentenceText
from companion.vision.board_readings import EMPTY, BoardReading, SiteReading, Standing
from companion.vision.boards.field.frame import Field
from companion.vision.boards.field.search import FieldSearch
from companion.vision.boards.layout import BAR, Layout
from companion.vision.boards.lessons.lesson import UNDER_A_HAND, Compared, Lesson, evened, side_appearances
from companion.vision.boards.lessons.witness import as_before, denied, may_teach, miscounted, with_lesson
from companion.vision.boards.men import FoundMan, Maps, canvas_of, peaks, straighten
from companion.vision.boards.nets import NUMBERED_MEN, TABLES_MEN, card, load
from companion.vision.boards.numbers import KindChances, NumberReader, around, patch
from companion.vision.boards.shade import beside_ground
from companion.vision.boards.sides import Sides, appearance_of, two_sides
from companion.vision.boards.sites import (
    MIDDLING_CHANCE,
    MIXED_FACTOR,
    PILED_FROM,
    ask_about_excess,
    counted,
    hidden_sites,
    nothing_there,
    numbered,
    off_centre,
    on_board,
    placed,
)
from companion.vision.dice.geometry import Points, mapped, mapping
from companion.vision.dice.nets import Net, net_input
from companion.vision.readings import Image

NOT_CERTAIN: Final = Sentence(
    "It is not certain where the board is: calibrate it, or let the camera see all of it as a player does, not from "
    "the side."
)
_UNIT: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])

LEAST_MAN_CHANCE: Final = 0.01
"""A chance below this that something is a man leaves no doubt."""

MEN_DISTANCE_CELLS: Final = {True: 3.2, False: 3.6}
"""The least distance between the feet of two men, in cells, at tables (True) and on squares (False)."""


MISPLACED_SITE_PART: Final = 0.22
"""The field is misplaced if the median distance of men from the middle of their site is above this fraction of it."""

UNCHANGED_UNITS: Final = 1.5
"""A square that differs from the lesson by less than this, in units of what most of them do, has the same man still:
from here on its look alone says no more for him (`witness.MOST_SAME`)."""

TOP_PITCHES: Final = 0.25
"""How far around the middle of a man's top his colour is measured, in pitches."""


@dataclass(frozen=True, eq=False)
class _Observation:
    """The newest view of the board: where it lay, the straightened picture, its men, and the reading.

    ``by_nets``: the sites as the nets alone read them; ``under``: those that seem covered, as they are read without
    that: where all the men are seen, nothing covers them. ``numbers``: what the number net said of each square.
    """

    place: Field
    flat: Image
    men: Sequence[FoundMan]
    reading: BoardReading
    by_nets: Mapping[str, SiteReading]
    under: Mapping[str, SiteReading]
    astray: float
    numbers: Mapping[str, KindChances]


@dataclass(frozen=True)
class Chosen:
    """Thresholds chosen with the weights, on drawn boards: see the model card.

    Temperatures divide the logits of the men nets and the number net. A site is read without asking from ``..._above``
    upwards. A board counts as found for certain up to ``..._error_below`` and from ``chance_above`` upwards.
    """

    tables_temperature: float
    tables_above: float
    numbered_temperature: float
    numbers_temperature: float
    numbered_above: float
    tables_error_below: float
    numbered_error_below: float
    chance_above: float

    @classmethod
    def from_card(cls) -> "Chosen":
        """Return the thresholds of the model card."""
        return cls(**{name: float(value) for name, value in card()["chosen"].items()})


class BoardReader:
    """Reads boards of one layout. Loads its nets when they are first used. Not for two threads at once."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.chosen = Chosen.from_card()
        allowed = self.chosen.tables_error_below if layout.is_tables else self.chosen.numbered_error_below
        self._search = FieldSearch(layout, allowed, self.chosen.chance_above)
        self._numbers = NumberReader(self.chosen.numbers_temperature)
        self._men: Net | None = None
        self._lesson: Lesson | None = None
        self._agreed: Mapping[str, Standing] | None = None  # the men of the newest agreement, whatever it taught
        self._stood: Counter[tuple[str, int]] = Counter()  # most men of each shape and number that stood at once
        self._observation: _Observation | None = None
        self._newest: tuple[Image, Field, Compared] | None = None
        self._learnt_numbers: tuple[Lesson | None, Mapping[str, KindChances]] = (None, {})  # said of the lesson's look

    def learn(self, men: Mapping[str, Standing]) -> None:
        """Learn from the picture that was read last: everybody agrees that these men stood there, and no others.

        ``men``: on each occupied site, by the picture's names. A site that changed since the agreement before, and on
        which another number of men was read, teaches nothing: a man who was hit may still lie there. A picture in which
        the place of the board was in doubt is a lesson only if every site was read as agreed.
        """
        observed, agreed, self._agreed = self._observation, self._agreed, dict(men)
        standing = Counter((one.shape, one.number) for one in men.values() if one is not None)
        self._stood |= standing
        if observed is None:
            return
        known = {
            name: men.get(name)
            for name, site in observed.reading.sites.items()
            if name != BAR
            and (
                may_teach(observed.under.get(name, site), men.get(name))
                or (site.candidates and (agreed is None or as_before(men.get(name), agreed.get(name))))
            )
        }
        whole = all(
            as_before(site.standing, men.get(name)) for name, site in observed.reading.sites.items() if name != BAR
        )
        if observed.reading.status != "read" and (observed.astray > MISPLACED_SITE_PART or not whole):
            return
        found, _, _ = placed(observed.men, self.layout, canvas_of(self.layout), observed.place.bar)
        shown = [
            (man, was.colour == self.layout.colours[1], site)
            for site, was in known.items()
            if was is not None and was.also is None
            for man in found.get(site, ())
            if man.chance > MIDDLING_CHANCE
        ]
        darker = np.array([of_darker for _, of_darker, _ in shown], bool)
        stood = [man for man, _, _ in shown]
        feet = np.array([(man.x, man.y) for man in stood]).reshape(-1, 2)
        seen = appearance_of(observed.flat, stood, self._radius)
        sides = side_appearances(seen, darker, [site for _, _, site in shown], feet) if shown else None
        uncovered = known.keys() & observed.under.keys() | (
            self._lesson.uncovered if self._lesson is not None else set()
        )
        place = observed.place
        canvas = canvas_of(self.layout)
        lesson = Lesson(
            self.layout,
            canvas,
            known,
            {name: denied(observed.by_nets[name], was, tables=self.layout.is_tables) for name, was in known.items()},
            observed.flat,
            place.corners,
            place.bar,
            sides,
            frozenset(uncovered),
            miscounted(observed.by_nets, known),
            self._stood - standing,
        )
        numbers = {site: chances for site, chances in observed.numbers.items() if site in known}
        if self._lesson is not None:
            earlier, read_before = self._lesson.men, self._learnt_numbers[1]
            unseen = {site for site in earlier.keys() - known.keys() if as_before(men.get(site), earlier[site])}
            lesson = lesson.with_earlier(self._lesson, unseen)
            numbers |= {site: read_before[site] for site in unseen & lesson.men.keys() & read_before.keys()}
        self._newest = None
        self._lesson, self._learnt_numbers = lesson, (lesson, numbers)

    def find(self, image: Image) -> Field | None:
        """Return where the board's field lies in a BGR picture, or None where there is none.

        A board that lies where it lay in the lesson is not searched for.
        """
        return self._as_it_lay(image) or self._search.find(image, self._lay)

    def correct(self, image: Image, corners: Points) -> Field | None:
        """Return the field near roughly known corners (4 x 2 pixels, from the top left clockwise), made exact.

        A board that lies where it lay in the lesson is not searched for.
        """
        return self._as_it_lay(image) or self._search.correct(image, corners, self._lay)

    def certain(self, field: Field) -> bool:
        """Whether the place of a field is certain, by all evidence together."""
        return self._search.certain(field)

    def known(self, image: Image, corners: Points) -> Field:
        """Return the field whose corners are known for certain: it was calibrated, or a person marked them."""
        return self._as_it_lay(image, corners) or self._search.known(image, corners)

    def _as_it_lay(self, image: Image, corners: Points | None = None) -> Field | None:
        """Return the field if the board looks as it did at these corners, by default the lesson's; else None."""
        lesson = self._lesson
        if lesson is None:
            return None
        corners = lesson.corners if corners is None else corners
        compared = lesson.compared(straighten(image, corners, canvas_of(self.layout)))
        if not lesson.lies_as_before(compared):
            return None
        field = Field(corners, lesson.bar, 0.0, 1.0, 1.0, 1.0, as_it_lay=True)
        self._newest = image, field, compared
        return field

    def read(self, image: Image, field: Field | None = None) -> BoardReading:
        """Return what stands on each site; ``field``: where the board lies, if that is known already."""
        begun = time.perf_counter()
        place = field if field is not None else self.find(image)
        if place is None or not (place.as_it_lay or self.certain(place)):
            place = self._under_a_hand(image) or place
        found = time.perf_counter()
        if place is None:
            reason = SentenceText(Sentence("No board was found: bring the whole board into the picture."))
            return BoardReading(self.layout.board, {}, (), "ignored", reason, milliseconds=(found - begun) * 1e3)
        flat = straighten(image, place.corners, canvas_of(self.layout))
        maps = self._maps(flat)
        hidden = hidden_sites(maps, self.layout, canvas_of(self.layout), place.bar, _shown(image, place, self.layout))
        compared = self._compared(image, place, flat, hidden)
        if self._lesson is not None and compared is not None:
            hidden -= self._lesson.shown(compared, hidden)
        men, sides = self._found(flat, maps, compared)
        men_read = time.perf_counter()
        numbers: dict[str, KindChances] = {} if self.layout.is_tables else self._read_before(compared, hidden)
        sites, across = (
            self._points(men, place) if self.layout.is_tables else self._squares(image, men, sides, place, numbers)
        )
        under = {name: sites[name] for name in hidden if sites[name].standing is not EMPTY}
        hidden -= self._lesson.uncovered & under.keys() if self._lesson is not None else set()
        by_nets = dict(sites)
        sites |= {name: SiteReading(name, (), "hidden") for name in hidden}
        if self._lesson is not None and compared is not None:
            above = self.chosen.tables_above if self.layout.is_tables else self.chosen.numbered_above
            sites = with_lesson(sites, self._lesson, self._lesson.unusual(compared, hidden), above)
        ended = time.perf_counter()
        astray = off_centre(men, self.layout, canvas_of(self.layout), place.bar)
        found_well = self.certain(place) or (self._search.exact(place) and not hidden)
        certain = place.as_it_lay or (found_well and astray <= MISPLACED_SITE_PART)
        corners = tuple((float(x), float(y)) for x, y in place.corners)
        reading = BoardReading(
            self.layout.board,
            sites,
            corners,
            "read" if certain else "ask",
            "" if certain else SentenceText(NOT_CERTAIN),
            float(place.chance),
            (ended - begun) * 1e3,
            {"find": (found - begun) * 1e3, "men": (men_read - found) * 1e3, "sites": (ended - men_read) * 1e3},
            across=across,
        )
        self._observation = _Observation(place, flat, men, reading, by_nets, under, astray, numbers)
        return reading

    def _under_a_hand(self, image: Image) -> Field | None:
        """Return the lesson's field if the board lies there still, by all that the hand over it leaves to see."""
        lesson = self._lesson
        if lesson is None:
            return None
        field = Field(lesson.corners, lesson.bar, 0.0, 1.0, 1.0, 1.0, as_it_lay=True)
        canvas = canvas_of(self.layout)
        flat = straighten(image, field.corners, canvas)
        shown = _shown(image, field, self.layout)
        hidden = hidden_sites(self._maps(flat), self.layout, canvas, field.bar, shown)
        compared = lesson.compared(flat)
        if not lesson.in_place(compared, hidden, UNDER_A_HAND):
            return None
        self._newest = image, field, compared
        return field

    @property
    def _lay(self) -> Points | None:
        """Where the field lay in the lesson, in pixels of the whole picture."""
        return None if self._lesson is None else self._lesson.corners

    def _maps(self, flat: Image) -> Maps:
        if self._men is None:
            self._men = load(TABLES_MEN if self.layout.is_tables else NUMBERED_MEN)
        maps: Maps = self._men.run(net_input(flat)[None])[0]
        return maps

    def _compared(self, image: Image, place: Field, flat: Image, hidden: frozenset[str]) -> Compared | None:
        """Return the picture beside the lesson; None without a lesson, or if the board does not lie where it lay."""
        if self._lesson is None:
            return None
        if self._newest is not None and self._newest[0] is image and self._newest[1] is place:
            return self._newest[2]
        compared = self._lesson.compared(flat)
        return compared if self._lesson.in_place(compared, hidden) else None

    @property
    def _radius(self) -> float:
        """How far around the middle of a man's top his colour is measured, in pixels of the canvas."""
        return TOP_PITCHES * self._column

    @property
    def _column(self) -> float:
        """The width of a column, in pixels of the canvas."""
        return canvas_of(self.layout).field_width / (self.layout.columns + self.layout.is_tables)

    def _found(self, flat: Image, maps: Maps, compared: Compared | None) -> tuple[list[FoundMan], Sides]:
        """Return the men and their sides."""
        layout, canvas = self.layout, canvas_of(self.layout)
        temperature = self.chosen.tables_temperature if layout.is_tables else self.chosen.numbered_temperature
        men = peaks(maps, temperature, least=LEAST_MAN_CHANCE, distance=MEN_DISTANCE_CELLS[layout.is_tables])
        men = on_board(men, layout, canvas)
        if self._lesson is None or self._lesson.sides is None:
            beside = beside_ground(flat, men, self._radius, self._column) if layout.is_tables else None
            sides = two_sides(men, appearance_of(flat, men, self._radius), beside)
        else:  # also where the board was found again, or a hand lies over it: the men are the same
            gain = (compared or self._lesson.compared(flat)).gain
            sides = self._lesson.sides.decided(men, appearance_of(evened(flat, gain), men, self._radius))
        men = [replace(man, darker=float(chance)) for man, chance in zip(men, sides.mixed(), strict=True)]
        return men, sides

    def _points(self, men: Sequence[FoundMan], place: Field) -> tuple[dict[str, SiteReading], dict[str, str]]:
        """Return the points as the net reads them, and those that a man lies across."""
        found, between, across = placed(men, self.layout, canvas_of(self.layout), place.bar)
        out = {}
        for site in self.layout.sites:
            mixed = 1.0 if site == BAR else MIXED_FACTOR
            there = (
                counted(found[site], self.layout.colours, mixed)
                if site in found
                else nothing_there(1 - LEAST_MAN_CHANCE / 10)
            )
            best, chance = there[0] if there else (None, 0.0)
            sure = chance >= self.chosen.tables_above and site not in between
            many = best is not None and best.count >= PILED_FROM
            out[site] = SiteReading(site, there, "read" if sure else "ask", many)
        return ask_about_excess(out), across

    def _read_before(self, compared: Compared | None, hidden: frozenset[str]) -> dict[str, KindChances]:
        """Return what the number net said of the squares that look as in the lesson: it would say the same again."""
        lesson, read_before = self._learnt_numbers
        if lesson is None or lesson is not self._lesson or compared is None:
            return {}
        unusual = lesson.unusual(compared, hidden)
        return {name: chances for name, chances in read_before.items() if unusual.get(name, np.inf) < UNCHANGED_UNITS}

    def _squares(
        self, image: Image, men: Sequence[FoundMan], sides: Sides, place: Field, read_before: dict[str, KindChances]
    ) -> tuple[dict[str, SiteReading], dict[str, str]]:
        """Return the squares as the nets read them, and those that a man lies across.

        ``read_before``: what the number net need not be asked again, by square; what it says of the others is added.
        """
        layout, canvas = self.layout, canvas_of(self.layout)
        found, between, across = placed(men, layout, canvas, place.bar)
        to_image, to_pixels = mapping(_UNIT, place.corners), mapping(canvas.places, place.corners)
        order = [(site, max(there, key=lambda man: man.chance)) for site, there in found.items()]
        numbers = {id(man): number for number, man in enumerate(men)}
        fresh, patches = [(site, man) for site, man in order if site not in read_before], []
        for _, man in fresh:
            foot = canvas.to_field(man.x, man.y)
            top = mapped(to_pixels, np.array([man.top]))[0]
            patches.append(patch(image, around(to_image, foot, (1 / layout.columns, 1 / layout.rows), top)))
        read_before |= zip((site for site, _ in fresh), self._numbers.read(patches), strict=True)
        chances = np.array([read_before[site] for site, _ in order])
        out = {site: SiteReading(site, nothing_there(1 - LEAST_MAN_CHANCE / 10), "read") for site in layout.sites}
        decided = sides.of([numbers[id(man)] for _, man in order])
        standing = numbered([man for _, man in order], chances, decided, layout.colours)
        for (site, _), candidates in zip(order, standing, strict=True):
            two = sum(one.chance > 0.3 for one in found[site]) > 1  # noqa: PLR2004 (two men on a square are nothing to read)
            sure = candidates[0][1] >= self.chosen.numbered_above and site not in between and not two
            out[site] = SiteReading(site, candidates, "read" if sure else "ask")
        return ask_about_excess(out), across


def _shown(image: Image, place: Field, layout: Layout) -> npt.NDArray[np.bool_]:
    """Return which pixels of the canvas the picture shows."""
    canvas = canvas_of(layout)
    whole = np.full(image.shape[:2], 255, np.uint8)
    warp = mapping(place.corners, canvas.places)
    return np.asarray(cv2.warpPerspective(whole, warp, (canvas.width, canvas.height), flags=cv2.INTER_NEAREST) > 0)
