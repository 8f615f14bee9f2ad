"""The contents of the kit: each part's name, title and pages on a paper."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Final

from calibration.kit.cards import card_sheets, cards_document
from calibration.kit.dice import dice_pages
from calibration.kit.harmonies import harmonies_document
from calibration.kit.led_plans import led_pages
from calibration.kit.markers import charuco_pages
from calibration.kit.men_boards import rithmomachia_pages, tables_pages
from calibration.kit.paper import Paper
from calibration.kit.pieces import rithmomachia_men_pages, tables_men_pages, tokens_pages
from calibration.kit.sheets import PrintedPage, document
from calibration.kit.virtue_boards import pairs_pages, rim_pages, wheel_pages
from companion.language.sentence import N_, Sentence, Template
from companion.printing.setting import PrintedDocument
from companion.vision.boards.kit import kit_boards


class UnknownPartError(ValueError):
    """The kit has no part of this name."""


@dataclass(frozen=True)
class KitPart(ABC):
    """One part of the kit, printed as one file."""

    name: str
    title: Template

    @abstractmethod
    def sheets(self, paper: Paper) -> int:
        """Return the number of sheets on an upright paper."""

    @abstractmethod
    def document(
        self, paper: Paper, language: str = "en", *, outline: bool = False, first: bool = False
    ) -> PrintedDocument:
        """Return the part as a document of today, or its first sheet alone; ``outline`` saves ink on a board."""

    def pdf(self, paper: Paper, language: str = "en", *, outline: bool = False) -> bytes:
        """Return the part as a PDF file."""
        return self.document(paper, language, outline=outline).pdf()


@dataclass(frozen=True)
class DrawnPart(KitPart):
    """A part that is drawn sheet by sheet; ``pages`` makes its sheets for an upright paper."""

    pages: Callable[[Paper], list[PrintedPage]]

    def sheets(self, paper: Paper) -> int:
        """Return the number of sheets."""
        return len(self.pages(paper))

    def document(
        self, paper: Paper, language: str = "en", *, outline: bool = False, first: bool = False
    ) -> PrintedDocument:
        """Return the part as a document of today, or its first sheet alone; men and dice keep their colours."""
        pages = self.pages(paper)
        outlined = outline and self.name in kit_boards()
        return document(Sentence.of(self.title), pages[:1] if first else pages, language=language, outline=outlined)


@dataclass(frozen=True)
class WrittenPart(KitPart):
    """A part of words and tables: ``count`` is its sheets, ``write`` makes them, or some things of the first."""

    count: Callable[[], int]
    write: Callable[[Paper, str, date, int | None], PrintedDocument]

    def sheets(self, paper: Paper) -> int:
        """Return the number of sheets, the same on each paper."""
        del paper
        return self.count()

    def document(
        self, paper: Paper, language: str = "en", *, outline: bool = False, first: bool = False
    ) -> PrintedDocument:
        """Return the part as a document of today, or its first sheet alone."""
        del outline
        return self.write(paper, language, datetime.now().astimezone().date(), 1 if first else None)


BOARDS: Final = (
    DrawnPart("virtues-rim", N_("Board of the 56 virtues, all around the rim"), rim_pages),
    DrawnPart("virtues-pairs", N_("Board of the 28 pairs of virtues"), pairs_pages),
    DrawnPart("virtues-wheel", N_("The wheel of virtues and its pointer"), wheel_pages),
    DrawnPart("tables", N_("Board of 24 points and a bar for the games of tables"), tables_pages),
    DrawnPart("rithmomachia-8x16", N_("Board for Rithmomachia, 8 x 16 squares"), partial(rithmomachia_pages, 16)),
    DrawnPart("rithmomachia-8x14", N_("Board for Rithmomachia, 8 x 14 squares"), partial(rithmomachia_pages, 14)),
    DrawnPart("rithmomachia-8x9", N_("Practice board for Rithmomachia, 8 x 9 squares"), partial(rithmomachia_pages, 9)),
)

PARTS: Final[dict[str, KitPart]] = {
    part.name: part
    for part in (
        WrittenPart("rule-cards", N_("A rule card for every game, half a sheet each"), card_sheets, cards_document),
        *BOARDS,
        DrawnPart("tokens", N_("Tokens in the colours of two to six players"), tokens_pages),
        DrawnPart(
            "letter-dice",
            N_("Wibold's letter dice and the tetrahedron, to cut and fold"),
            partial(dice_pages, (("wibold",),)),
        ),
        DrawnPart("ludix-dice", N_("The four dice of Ludix, to cut and fold"), partial(dice_pages, (("ludix",),))),
        DrawnPart(
            "many-sided-dice",
            N_("Dice of eight, ten, twelve and twenty faces, to cut and fold"),
            partial(dice_pages, (("d8", "d10"), ("d12", "d20"))),
        ),
        DrawnPart("tables-men", N_("Men for the games of tables, light and dark"), tables_men_pages),
        DrawnPart(
            "rithmomachia-men",
            N_("Men of Rithmomachia with two sides, and the pyramids' parts"),
            rithmomachia_men_pages,
        ),
        WrittenPart("harmonies", N_("The table of harmonies of Rithmomachia"), lambda: 1, harmonies_document),
        DrawnPart(
            "led-plans",
            N_("Where the LEDs of each board lie, in millimetres"),
            partial(led_pages, {part.name: Sentence.of(part.title) for part in BOARDS}),
        ),
        DrawnPart("charuco", N_("Calibration sheet for the camera's lens"), charuco_pages),
    )
}
"""Every part by its name, in the order of the list: the cards first, while nothing else fills the memory."""


def part_named(name: str) -> KitPart:
    """Return the part of this name.

    Raises:
        UnknownPartError: there is none; the message lists all parts.
    """
    if name not in PARTS:
        raise UnknownPartError(f"The kit has {', '.join(PARTS)}, not {name!r}.")
    return PARTS[name]
