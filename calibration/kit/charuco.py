"""The calibration sheet for a camera's lens."""

from calibration.kit.markers import draw_charuco
from calibration.kit.paper import Paper
from calibration.kit.pen import Pen
from calibration.kit.plans import charuco_plan
from calibration.kit.sheets import PrintedPage


def charuco_corner(paper: Paper) -> tuple[float, float]:
    """Return the place of the pattern's upper left corner in the sheet's room, in millimetres."""
    plan = charuco_plan()
    width, height = paper.room
    return (width - plan.columns * plan.square) / 2, (height - plan.rows * plan.square) / 2


def charuco_pages(paper: Paper) -> list[PrintedPage]:
    """Return the one page of the calibration sheet."""
    plan = charuco_plan()
    note = (
        f"ChArUco, {plan.columns} x {plan.rows} squares of {plan.square:g} mm, markers of {plan.marker:g} mm, "
        f"{plan.dictionary}. Glue it flat on a board; a bent sheet spoils the measurement."
    )

    def draw(pen: Pen) -> None:
        with pen.at(*charuco_corner(paper)):
            draw_charuco(pen, plan)

    return [PrintedPage("Calibration sheet for the lens", note, paper, draw)]
