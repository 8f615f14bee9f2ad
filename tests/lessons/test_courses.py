"""Every course against the rules: each line that a learner can play is answered, and only the goal is done."""

from collections.abc import Iterator

import pytest

from companion.language.texts import load
from companion.lessons.course import THROW, Course, Step, courses
from companion.lessons.study import LONGEST_LINE, after, study
from companion.rules.game import Position
from companion.rules.rithmomachia.position import RithmoPosition

MOST_WORDS = 35
NUMBERED = [
    (f"{course.name}-{number}", step)
    for course in courses().values()
    for number, step in enumerate(course.steps, start=1)
]
STEPS = [pytest.param(step, id=name) for name, step in NUMBERED]
MOVED = [pytest.param(step, id=name) for name, step in NUMBERED if not step.answers]
QUESTIONS = [pytest.param(step, id=name) for name, step in NUMBERED if step.answers]


def played(step: Step) -> Iterator[tuple[tuple[str, ...], Position]]:
    """Yield every line that a learner can play to its end, with the position there; throws fall as the step says."""
    ahead: list[tuple[tuple[str, ...], Position, tuple[str, ...]]] = [((), step.start, step.throws)]
    seen = set()
    while ahead:
        line, position, throws = ahead.pop()
        waits = position.awaits
        own = waits.player == step.goal.player
        if own and waits.kind == "throw" and throws:
            ahead.append(((*line, THROW), position.after(position.parse(throws[0])), throws[1:]))
        elif own and waits.kind == "choice" and not step.goal.reached(position):
            for choice in position.legal():
                reached = position.after(choice)
                if (reached, throws) not in seen:
                    seen.add((reached, throws))
                    ahead.append(((*line, position.text(choice)), reached, throws))
        else:
            yield line, position


@pytest.mark.parametrize("course", courses().values(), ids=lambda course: course.name)
def test_a_course_is_short(course: Course) -> None:
    assert 4 <= len(course.steps) <= 8
    assert course.minutes <= len(course.steps), "a step takes less than a minute"


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
@pytest.mark.parametrize("step", STEPS)
def test_a_step_has_few_words_in_every_language(step: Step, language: str) -> None:
    words = load(language)
    shown = [words.translate(one.to_json()) for one in (step.idea, step.task)]
    assert len(" ".join(shown).split()) <= MOST_WORDS


@pytest.mark.parametrize("step", STEPS)
def test_a_step_begins_in_a_position_without_faults(step: Step) -> None:
    assert not step.start.faults()
    assert step.answers or step.right


@pytest.mark.parametrize("step", MOVED)
def test_each_right_line_reaches_the_goal_at_its_last_act_and_not_before(step: Step) -> None:
    for line in step.right:
        verdicts = [study(step, line[:count]).verdict for count in range(len(line) + 1)]
        assert verdicts[-1] == "done", line
        assert set(verdicts[:-1]) == {"open"}, line


@pytest.mark.parametrize("step", MOVED)
def test_every_line_to_the_end_of_a_turn_is_done_or_wrong_with_a_reason(step: Step) -> None:
    ends = set()
    for line, position in played(step):
        assert len(line) <= LONGEST_LINE
        studied = study(step, line)
        assert studied.verdict == ("done" if step.goal.reached(position) else "wrong"), line
        assert studied.sentence in {step.why, step.otherwise, *(wrong.why for wrong in step.wrong)}
        ends.add(studied.verdict)
    assert "done" in ends


@pytest.mark.parametrize("step", MOVED)
def test_a_named_wrong_line_is_answered_by_its_own_reason_and_by_the_other_side(step: Step) -> None:
    for wrong in step.wrong:
        studied = study(step, wrong.line)
        assert (studied.verdict, studied.sentence) == ("wrong", wrong.why)
        assert len(studied.reply) == len(wrong.reply)
        for act in studied.reply:
            assert act.before.awaits.player != step.goal.player
        if wrong.reply:
            assert studied.replied == after(studied.reply[-1]) != studied.position
        for count in range(1, len(wrong.line)):
            assert study(step, wrong.line[:count]).verdict == "open", "a learner may finish the wrong line"


@pytest.mark.parametrize("step", QUESTIONS)
def test_a_question_has_one_right_answer_and_says_nothing_of_it_before(step: Step) -> None:
    asked = study(step, (THROW,))
    assert (asked.verdict, asked.sentence, asked.taps) == ("open", None, step.answers)
    verdicts = [study(step, (THROW, site)).verdict for site in step.answers]
    assert sorted(verdicts) == ["done", *["wrong"] * (len(step.answers) - 1)]


def test_what_the_rules_refuse_gets_their_reason_and_changes_nothing() -> None:
    step = courses()["tables"].steps[2]
    refused = study(step, (THROW, "hand-b"))
    assert refused.verdict == "refused"
    assert refused.position == study(step, (THROW,)).position
    assert "two men" in str(refused.sentence)


def test_a_text_that_is_no_move_is_refused_too() -> None:
    for step in (course.steps[1] for course in courses().values()):
        assert study(step, ("pass the salt",)).verdict == "refused"


def test_a_throw_that_the_step_does_not_have_is_refused() -> None:
    step = courses()["ludus-regularis"].steps[1]
    assert study(step, (THROW,)).verdict == "done"
    assert study(step, (THROW, THROW)).verdict == "refused"


def test_a_step_that_cannot_be_done_any_more_says_so_before_the_turn_ends() -> None:
    step = courses()["rithmomachia"].steps[2]
    lost = study(step, ("d2-e3",))
    assert isinstance(lost.position, RithmoPosition)
    assert lost.position.awaits.player == step.goal.player, "the turn could still go on"
    assert (lost.verdict, lost.sentence) == ("wrong", step.otherwise)


def test_moves_of_a_wrong_line_count_in_any_order() -> None:
    step = courses()["tables"].steps[0]
    assert study(step, (THROW, "a-d", "a-b")).sentence == step.wrong[0].why
