"""The riddle of the author's name as a page: the verses, the old alphabet, and a name that a visitor hides."""

from flask import Blueprint, render_template, request

from companion.language.sentence import Sentence
from companion.rules.ludus_regularis.puzzle import ALPHABET, STEPS, PuzzleError, letters_of, numbers_of, solution
from companion.web.pages import LONGEST_PLAYER
from companion.web.streams import WATCHED

blueprint = Blueprint("riddle", __name__)


@blueprint.get("/riddle")
def page() -> str:
    """Show the riddle, its solution folded; ``?name=Anna`` shows that name as numbers."""
    name = request.args.get("name", "").strip()[:LONGEST_PLAYER]
    numbers: tuple[int, ...] = ()
    wrong: Sentence | None = None
    try:
        numbers = numbers_of(name) if name else ()
    except PuzzleError as why:
        wrong = why.sentence
    return render_template(
        "learning/riddle.html",
        steps=STEPS,
        alphabet=ALPHABET,
        solution=solution(),
        author=letters_of(solution()),
        name=name,
        longest=LONGEST_PLAYER,
        numbers=numbers,
        hidden=letters_of(numbers),
        wrong=wrong,
        state=WATCHED.get().snapshot().data,
    )
