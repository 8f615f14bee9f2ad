"""The courses as pages: the list, one course, and what a learner's line leads to. The table is not touched."""

from typing import Annotated, Final

import msgspec
from flask import Blueprint, Response, abort, render_template

from companion.desk.command import Refusal
from companion.language.sentence import Sentence, SentenceText
from companion.lessons.course import Course, Step, courses
from companion.lessons.study import LONGEST_LINE, study
from companion.web import starting
from companion.web.games import setup_for
from companion.web.json_bodies import body_as, json_object, takes
from companion.web.languages import here
from companion.web.learning.drawn import fresh, study_json
from companion.web.pages import brought_json
from companion.web.streams import WATCHED

SCRIPT: Final = "learning/lesson.js"
LONGEST_ACT: Final = 80  # characters
NO_LINE: Final = Refusal(Sentence('Expected {{"line": ["throw", "f-i"]}}, the acts of a learner as typed.'))

blueprint = Blueprint("lessons", __name__)


@blueprint.get("/learn")
def listed() -> str:
    """Show every course."""
    found = [(course, starting.family_picture(name)) for name, course in courses().items()]
    return render_template("learning/courses.html", courses=found, state=WATCHED.get().snapshot().data)


@blueprint.get("/learn/<name>")
def page(name: str) -> str:
    """Show a course from its first step on."""
    course = _course(name)
    catalogue = here()
    steps = [
        {
            "idea": catalogue.translate(step.idea.to_json()),
            "task": catalogue.translate(step.task.to_json()),
            "best": list(step.right[0] if step.right else ()),
            "line": [],
            "address": f"lessons/{name}/{number}",
            "now": study_json(step, study(step, ())),
        }
        for number, step in enumerate(course.steps, start=1)
    ]
    return render_template(
        "learning/lesson.html",
        course=course,
        brought_setup=brought_json(setup_for([SCRIPT])),
        brought_course=brought_json({"steps": steps}),
        state=WATCHED.get().snapshot().data,
    )


class Line(msgspec.Struct, frozen=True):
    """What a learner has done in a step so far."""

    line: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=LONGEST_ACT)]],
        msgspec.Meta(max_length=LONGEST_LINE, description='The acts as typed, "throw" for a throw.'),
        NO_LINE,
    ]


@blueprint.post("/api/lessons/<name>/<int:number>")
@takes(Line)
def judged(name: str, number: int) -> Response:
    """Return what a line leads to in the step of this number, counted from 1; nothing is kept."""
    step = step_of(name, number)
    return fresh(study_json(step, study(step, body_as(Line, json_object() or {}).line)))


def step_of(name: str, number: int) -> Step:
    """Return the step of this number, counted from 1; refuse the request if there is none."""
    course = _course(name)
    if not 1 <= number <= len(course.steps):
        why = Sentence("This course has {count} steps, but not step {number}.", count=len(course.steps), number=number)
        abort(404, SentenceText(why))
    return course.steps[number - 1]


def _course(name: str) -> Course:
    if name not in courses():
        abort(404, SentenceText(Sentence("There is no course {name}.", name=name)))
    return courses()[name]
