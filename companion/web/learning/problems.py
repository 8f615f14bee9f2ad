"""The problems as pages: the list with the one of the day, one problem on its board, and what an answer leads to."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from flask import Blueprint, Response, abort, render_template

from companion.language.sentence import Sentence, SentenceText
from companion.lessons.study import Studied
from companion.problems.problem import KINDS, LEVELS, Kind, Level, Problem, levels, of_the_day, shipped
from companion.web.games import setup_for
from companion.web.json_bodies import body_as, json_object, takes
from companion.web.languages import here
from companion.web.learning.drawn import fresh, study_json
from companion.web.learning.lessons import SCRIPT, Line
from companion.web.pages import brought_json
from companion.web.streams import WATCHED

FAMILIES: Final[Mapping[str, tuple[Kind, ...]]] = {
    "rithmomachia": ("take", "all", "win"),
    "tables": ("best", "point", "only"),
    "ludix": ("risk",),
    "ludus-regularis": ("odds",),
}
DICE: Final = "wibold"

blueprint = Blueprint("problems", __name__)


@blueprint.get("/problems")
def listed() -> str:
    """Show every problem by game and difficulty, and the one of today."""
    from companion.problems.judging import title  # noqa: PLC0415  (what judges a game loads slowly, and waits for a page)

    return render_template(
        "learning/problems.html",
        families=FAMILIES.items(),
        by_kind={kind: {level: _alike(kind, level) for level in LEVELS} for kind in KINDS},
        titles={kind: title(kind).to_json() for kind in KINDS},
        today=_today(),
        levels=levels(),
        state=WATCHED.get().snapshot().data,
    )


@blueprint.get("/problems/<int:number>")
def page(number: int) -> str:
    """Show one problem on its board."""
    from companion.problems.judging import first_line, judged, step_of, title  # noqa: PLC0415

    problem = _problem(number)
    catalogue, step, level = here(), step_of(problem), levels()[number]
    line = first_line(problem)
    shown = {
        "idea": catalogue.translate(step.idea.to_json()),
        "task": catalogue.translate(step.task.to_json()),
        "best": problem.right[0],
        "line": line,
        "address": f"problems/{number}",
        "now": _shown(problem, judged(problem, line)),
    }
    alike = _alike(problem.kind, level)
    after = alike.index(number) + 1
    return render_template(
        "learning/problem.html",
        problem=problem,
        level=level,
        title=title(problem.kind).to_json(),
        following=[*alike[after:], *alike[: after - 1]],
        brought_setup=brought_json(setup_for([SCRIPT])),
        brought_course=brought_json({"steps": [shown]}),
        state=WATCHED.get().snapshot().data,
    )


@blueprint.post("/api/problems/<int:number>")
@takes(Line)
def answered(number: int) -> Response:
    """Return what a line leads to in the problem of this number; nothing is kept."""
    from companion.problems.judging import judged  # noqa: PLC0415

    problem = _problem(number)
    asked = body_as(Line, json_object() or {})
    return fresh(_shown(problem, judged(problem, asked.line)))


def _problem(number: int) -> Problem:
    if not 1 <= number <= len(shipped()):
        why = Sentence("There are {count} problems, but no problem {number}.", count=len(shipped()), number=number)
        abort(404, SentenceText(why))
    return shipped()[number - 1]


def _today() -> Problem:
    """Return the problem of the day in universal time, so that every device has the same."""
    return of_the_day(datetime.now(UTC).date())


def _alike(kind: Kind, level: Level) -> Sequence[int]:
    return [one.number for one in shipped() if one.kind == kind and levels()[one.number] == level]


def _shown(problem: Problem, studied: Studied) -> dict[str, Any]:
    from companion.problems.judging import step_of  # noqa: PLC0415

    shown = study_json(step_of(problem), studied)
    if problem.shows:
        shown["dice"] = {"set": DICE, "faces": dict(problem.shows)}
    return shown
