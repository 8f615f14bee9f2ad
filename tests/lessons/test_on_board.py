"""What a learner did on a real board is found from the men that stand there: every step with men, every right line."""

import random
from typing import Any

import pytest

from companion.lessons.course import THROW, Step, courses
from companion.lessons.on_board import Stands, found_on_board
from companion.lessons.study import study
from companion.rules.game import Position
from companion.web.learning.positions import with_men

STEPS = [
    pytest.param(step, id=f"{course.name}-{number}")
    for course in courses().values()
    for number, step in enumerate(course.steps, start=1)
    if step.start.game.slug in with_men() and not step.answers
]
ELSEWHERE = Stands({"b": {"1": 4}, "h16": {"colour": "black", "shape": "square", "number": 121}}, ())


def stands(position: Position, *doubtful: str) -> Stands:
    shown = {site: men for site, men in position.occupancy().items() if site not in doubtful}
    return Stands({site: men for site, men in shown.items() if site not in ("hand", "off")}, doubtful)


def board(position: Position) -> dict[str, Any]:
    return dict(stands(position).men)


@pytest.mark.parametrize("step", STEPS)
def test_every_right_line_is_found_on_the_board(step: Step) -> None:
    begun = [THROW] * len(step.throws)
    now = study(step, begun).position
    assert found_on_board(step, begun, [ELSEWHERE, stands(now)]) == ((), ())
    for line in step.right:
        done = study(step, line).position
        found = found_on_board(step, begun, [stands(done), ELSEWHERE])
        assert found.differ == ()
        reached = study(step, [*begun, *found.acts])
        assert reached.verdict == "done"
        assert board(reached.position) == board(done)


@pytest.mark.parametrize("step", STEPS)
def test_a_turn_that_fails_is_found_too_and_what_no_turn_leads_to_is_named(step: Step) -> None:
    begun = [THROW] * len(step.throws)
    now = study(step, begun).position
    chance = random.Random(str(step.task))
    for choice in chance.sample(list(now.legal()), k=min(3, len(list(now.legal())))):
        after = now.after(choice)
        found = found_on_board(step, begun, [stands(after)])
        assert found.differ == ()
        assert board(study(step, [*begun, *found.acts]).position) == board(after)
    site = min(board(now))
    without = Stands({name: one for name, one in board(now).items() if name != site}, ())
    lost = found_on_board(step, begun, [without])
    assert lost.differ, "a man who stands nowhere was not moved"
    assert found_on_board(step, begun, [without._replace(doubtful=(site,))]).differ, "a doubtful man is still there"


def test_a_doubtful_site_shows_whose_men_stand_there_but_does_not_tell_two_turns_apart() -> None:
    """Of two men on each of two points one moves to the other: with both doubtful the picture shows neither turn."""
    step = courses()["tables"].steps[0]
    begun = [THROW] * len(step.throws)
    now = study(step, begun).position
    piles = Stands(board(now), tuple(board(now)))
    assert found_on_board(step, begun, [piles]) == ((), ())
    done = study(step, step.right[0]).position
    acts = found_on_board(step, begun, [Stands(board(done), tuple(board(done)))]).acts
    assert board(study(step, [*begun, *acts]).position) == board(done)
    (big, count) = max(((site, men["1"]) for site, men in board(done).items() if "1" in men), key=lambda one: one[1])
    more = board(done) | {big: {"1": count + 3}}
    assert found_on_board(step, begun, [Stands(more, (big,))]).acts == acts, "more men lie on that point than are seen"
    assert found_on_board(step, begun, [Stands(more, ())]).differ == (big,)
