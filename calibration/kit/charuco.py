"""The calibration sheet for a camera's lens."""

from calibration.kit.markers import draw_charuco
from calibration.kit.paper import Paper
from calibration.kit.pen import Pen
from calibration.kit.plans import charuco_plan
from calibration.kit.sheets import PrintedPage
from companion.language.sentence import Sentence


def charuco_corner(paper: Paper) -> tuple[float, float]:
    """Return the place of the pattern's upper left corner in the sheet's room, in millimetres."""
    plan = charuco_plan()
    width, height = paper.room
    return (width - plan.columns * plan.square) / 2, (height - plan.rows * plan.square) / 2


def charuco_pages(paper: Paper) -> list[PrintedPage]:
    """Return the one page of the calibration sheet."""
    plan = charuco_plan()
    notes = (
        Sentence(
            "ChArUco, {columns} x {rows} squares of {square} mm, markers of {marker} mm, {dictionary}.",
            columns=plan.columns,
            rows=plan.rows,
            square=plan.square,
            marker=plan.marker,
            dictionary=plan.dictionary,
        ),
        Sentence("Glue it flat on a board; a bent sheet spoils the measurement."),
    )

    def draw(pen: Pen) -> None:
        with pen.at(*charuco_corner(paper)):
            draw_charuco(pen, plan)

    return [PrintedPage(notes, paper, draw)]
