"""The courses as pages: the list, one course, and what a learner's line leads to. The table is not touched.

A match with notes is a course as well; its address holds the notes, so that nothing is kept and a link hands it on.
"""

from collections.abc import Sequence
from typing import Annotated, Final
from urllib.parse import quote

import msgspec
from flask import Blueprint, Response, abort, render_template, request

from companion.desk.command import Refusal
from companion.desk.page.noted import course_of, step_of_turn
from companion.language.sentence import Sentence, SentenceError, SentenceText, why_of
from companion.lessons.course import Course, Step, courses
from companion.lessons.study import LONGEST_LINE, study
from companion.web import starting
from companion.web.games import setup_for
from companion.web.json_bodies import body_as, json_object, takes
from companion.web.languages import here
from companion.web.learning.drawn import fresh, study_json
from companion.web.matches.replay import review_of
from companion.web.pages import brought_json
from companion.web.streams import WATCHED

SCRIPT: Final = "learning/lesson.js"
LONGEST_ACT: Final = 80  # characters
LONGEST_NUMBER: Final = 9  # digits
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
    return _shown(
        course, [f"lessons/{name}/{number}" for number, _ in enumerate(course.steps, start=1)], own_board=True
    )


@blueprint.get("/learn/match/<int:match>")
def of_match(match: int) -> str:
    """Show the course that the notes of this address make of a match: ``?note=34:Why this was good``."""
    review = review_of(match)
    notes = [_note(text) for text in request.args.getlist("note")]
    try:
        course = course_of(review.head()["name"], review.turns(), notes)
    except SentenceError as why:
        abort(409, SentenceText(why_of(why)))
    addresses = [f"lessons/match/{match}/{event}/{quote(note, safe='')}" for event, note in notes]
    return _shown(course, addresses, own_board=False)


def _note(text: str) -> tuple[int, str]:
    event, _, note = text.partition(":")
    if not (event.isascii() and event.isdecimal() and len(event) <= LONGEST_NUMBER):
        abort(400, SentenceText(Sentence("Expected a note as the number of its event, a colon, and the words.")))
    return int(event), note


def _shown(course: Course, addresses: Sequence[str], *, own_board: bool) -> str:
    """Show a course; ``addresses``: where each step's lines are judged; ``own_board``: also from a picture of one."""
    catalogue = here()
    steps = [
        {
            "idea": catalogue.translate(step.idea.to_json()),
            "task": catalogue.translate(step.task.to_json()),
            "best": list(step.right[0] if step.right else ()),
            "line": [],
            "address": address,
            "now": study_json(step, study(step, ())),
        }
        for step, address in zip(course.steps, addresses, strict=True)
    ]
    return render_template(
        "learning/lesson.html",
        course=course,
        brought_setup=brought_json(setup_for([SCRIPT])),
        brought_course=brought_json({"steps": steps, "own_board": own_board}),
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


@blueprint.post("/api/lessons/match/<int:match>/<int:event>/<path:note>")
@takes(Line)
def judged_of_match(match: int, event: int, note: str) -> Response:
    """Return what a line leads to in the step that a note makes of a turn of a match; nothing is kept."""
    try:
        step = step_of_turn(review_of(match).turns(), event, note)
    except SentenceError as why:
        abort(409, SentenceText(why_of(why)))
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
