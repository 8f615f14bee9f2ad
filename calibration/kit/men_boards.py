"""The boards for men: twenty-four points with a bar, and the long boards of squares of Rithmomachia."""

from calibration.kit.boards import board_pages, colour
from calibration.kit.paper import Paper
from calibration.kit.pen import Pen
from calibration.kit.plans import sizes
from calibration.kit.sheets import PrintedPage
from companion.language.sentence import Sentence
from companion.rules.rithmomachia.squares import FILES
from companion.rules.tables.points import tables_board
from companion.vision.boards.kit import KitBoard

FIELD_COLUMNS = 13
"""Twelve points in a row and the bar between the sixth and the seventh."""

TRAY_COLUMNS = 1
"""Columns of the rules' board that are not printed: men that are borne off lie beside the field."""


def tables_pages(paper: Paper) -> list[PrintedPage]:
    """Return the pages of the tables board."""
    notes = (
        Sentence("Men of {width} mm: five lie on a point without piling.", width=int(sizes()["tables"]["man"])),
        Sentence("Men that were hit lie on the bar."),
    )
    return board_pages("tables", notes, paper, _draw_tables)


def _draw_tables(pen: Pen, plan: KitBoard) -> None:
    width, height = plan.field
    column = width / FIELD_COLUMNS
    men = sizes()["tables"]
    tall = 5 * men["man"]
    pen.rectangle(0, 0, width, height, fill=colour("ground"))
    for site in tables_board().sites:
        if site.name in ("hand", "off"):
            continue
        x, below = site.x * (FIELD_COLUMNS + TRAY_COLUMNS) * column, site.y > 0.5
        foot, tip = (height, height - tall) if below else (0.0, tall)
        number = int(x / column)
        fill = colour("dark_field" if (number + below + (number > FIELD_COLUMNS // 2)) % 2 else "other_field")
        half = column / 2 - 0.6
        pen.polygon([(x - half, foot), (x, tip), (x + half, foot)], fill=fill)
        pen.text(
            x, height + 4.5 if below else -4.5, site.name, 3.0, face="bold", align="middle", colour=colour("words")
        )
    pen.rectangle(
        (FIELD_COLUMNS - 1) / 2 * column, 0, column, height, fill=colour("bar"), line=colour("line"), thick=0.4
    )
    pen.rectangle(0, 0, width, height, line=colour("line"), thick=0.6)


def rithmomachia_pages(ranks: int, paper: Paper) -> list[PrintedPage]:
    """Return the pages of the Rithmomachia board with ``ranks`` ranks."""
    notes = (
        Sentence("Men and pyramids are on sheets of their own."),
        Sentence("White sits on the left, by rank 1."),
    )
    return board_pages(f"rithmomachia-8x{ranks}", notes, paper, _draw_squares)


def _draw_squares(pen: Pen, plan: KitBoard) -> None:
    width, height = plan.field
    edge = height / len(FILES)
    ranks = round(width / edge)
    pen.rectangle(0, 0, width, height, fill=colour("ground"))
    for file in range(len(FILES)):
        for rank in range(ranks):
            if (file + rank) % 2:
                pen.rectangle(rank * edge, file * edge, edge, edge, fill=colour("dark_field"))
    for rank in range(ranks + 1):
        pen.line((rank * edge, 0), (rank * edge, height), colour=colour("line"), thick=0.2)
    for file in range(len(FILES) + 1):
        pen.line((0, file * edge), (width, file * edge), colour=colour("line"), thick=0.2)
    pen.rectangle(0, 0, width, height, line=colour("line"), thick=0.6)
    for file, name in enumerate(FILES):
        for x in (-4.5, width + 4.5):
            pen.text(x, (file + 0.5) * edge, name, 3.0, face="bold", align="middle", colour=colour("words"))
    for rank in range(ranks):
        for y in (-4.5, height + 4.5):
            pen.text((rank + 0.5) * edge, y, str(rank + 1), 3.0, face="bold", align="middle", colour=colour("words"))
