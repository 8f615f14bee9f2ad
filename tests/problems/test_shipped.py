"""Every shipped problem against the rules: it begins a match, its answers are right, and all others are wrong."""

import json
import random
from datetime import date, timedelta
from itertools import pairwise

import pytest

from companion.lessons.course import THROW
from companion.problems.judging import ANSWERS, first_line, judged, step_of
from companion.problems.problem import KINDS, LEVELS, SCENE, Kind, Problem, levels, of_the_day, shipped, unpacked
from companion.rules.beginning import begun
from workshop.problems.found import packed

LEAST = 300
SAMPLED = 6
"""Wrong lines tried in each problem."""


def of(kind: Kind) -> list[Problem]:
    return [problem for problem in shipped() if problem.kind == kind]


def drawn(problem: Problem, chance: random.Random) -> tuple[str, ...]:
    """Return a line of legal choices by lot, to the end of the turn."""
    line, position = list(first_line(problem)), problem.asked
    while position.awaits.kind == "choice" and position.awaits.player == problem.player:
        choice = chance.choice(list(position.legal()))
        line.append(position.text(choice))
        position = position.after(choice)
    return tuple(line)


@pytest.mark.parametrize("kind", KINDS)
def test_each_position_begins_a_match_and_is_packed_and_read_alike(kind: Kind) -> None:
    for problem in of(kind):
        start = problem.start
        assert begun(problem.game, start.players, {}, start.to_json()) == start, problem.number
        assert unpacked(packed(start.to_json()))["turn"] == start.to_json()["turn"]
        assert problem.game.from_json({"game": problem.slug, **unpacked(packed(start.to_json()))}) == start


@pytest.mark.parametrize("kind", KINDS)
def test_each_right_answer_is_accepted_at_its_end_and_not_before(kind: Kind) -> None:
    for problem in of(kind):
        for line in problem.right:
            whole = (*first_line(problem), *line)
            verdicts = [judged(problem, whole[:count]).verdict for count in range(len(first_line(problem)), len(whole))]
            assert set(verdicts) <= {"open"}, (problem.number, line)
            answered = judged(problem, whole)
            assert answered.verdict == "done", (problem.number, line)
            assert str(answered.sentence) != str(step_of(problem).why), "an answer says why"


def test_a_problem_ends_as_its_kind_claims() -> None:
    for problem in of("win"):
        outcome = problem.after(problem.right[0]).outcome
        assert outcome is not None
        assert outcome.winners == (problem.player,)
    for problem in (*of("best"), *of("point"), *of("only")):
        assert problem.after(problem.right[0]).awaits.player != problem.player
    for problem in of("all"):
        assert [str(choice) for choice in problem.after(problem.right[0]).legal()] == ["done"]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "odds"])
def test_any_other_legal_line_is_wrong_with_a_reason_or_one_of_the_right_ones(kind: Kind) -> None:
    wrong = 0
    for problem in of(kind)[:30]:
        chance = random.Random(problem.number)
        for _ in range(SAMPLED):
            line = drawn(problem, chance)
            studied = judged(problem, line)
            assert studied.verdict in ("done", "wrong"), (problem.number, line)
            assert str(studied.sentence)
            wrong += studied.verdict == "wrong"
            if studied.verdict == "done" and kind not in ("all", "take", "win"):
                assert problem.goal.reached(problem.after(line[len(first_line(problem)) :]))
    assert bool(wrong) == (kind != "only"), "of an only play there is no other"


def test_a_question_has_one_right_answer() -> None:
    for problem in of("odds"):
        verdicts = [judged(problem, (answer,)).verdict for answer in ANSWERS]
        assert verdicts.count("done") == 1
        assert verdicts.count("wrong") == len(ANSWERS) - 1
        assert judged(problem, ()).taps == ANSWERS


def test_what_the_rules_forbid_is_refused_with_their_reason() -> None:
    for kind in KINDS:
        problem = of(kind)[0]
        if kind != "odds":
            refused = judged(problem, (*first_line(problem), "pass the salt"))
            assert (refused.verdict, bool(str(refused.sentence))) == ("refused", True)
    (scene,) = [problem for problem in of("only") if problem.origin.startswith(SCENE)]
    assert judged(scene, (THROW, "k-m")).verdict == "refused"


def test_there_are_many_of_every_kind_and_no_two_alike() -> None:
    assert len(shipped()) >= LEAST
    assert all(of(kind) for kind in KINDS)
    asked = [problem.to_json() for problem in shipped()]
    questions = [json.dumps([one[name] for name in ("kind", "position", "right")]) for one in asked]
    dice = [f"{problem.throw} {problem.shows}" for problem in shipped()]
    assert len(set(zip(questions, dice, strict=True))) == len(questions)


def test_the_problems_of_a_kind_are_easy_and_hard_where_they_differ() -> None:
    for kind in KINDS:
        found = {problem.number: problem.found for problem in of(kind)}
        assert all(0 <= share <= 1 for share in found.values())
        order = sorted(found, key=lambda number: -found[number])
        ranks = [LEVELS.index(levels()[number]) for number in order]
        assert ranks == sorted(ranks), "what is found more often is not harder"
        assert len(set(ranks)) > 1 or len(set(found.values())) == 1


def test_each_problem_has_its_day_before_one_comes_again() -> None:
    first, count = date(2026, 11, 29), len(shipped())
    days = [of_the_day(first + timedelta(days=day)).number for day in range(2 * count)]
    assert sorted(days[:count]) == list(range(1, count + 1))
    assert days[count:] == days[:count]
    kinds = [shipped()[number - 1].kind for number in days[:count]]
    assert sum(one != other for one, other in pairwise(kinds)) > count / 2, "most days bring another kind"
