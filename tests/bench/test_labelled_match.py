"""A match in labelled pictures: what is read is judged by the labels, and these answer what is asked."""

import random
from itertools import pairwise

import pytest

from bench.boards.labelled_match import LabelledMatch, LabelledMatchError, men_of, seating_of_labels
from bench.boards.matches import played as played_on
from bench.boards.matches import thrown
from companion.referee.board.standing import expected_board
from companion.rules.game import Position
from companion.rules.registry import game
from companion.vision.board_readings import BoardReading, Men, Standing
from tests.referee.board.simulated import hidden, perfect, seating_of, seen, shown_as

Turn = tuple[list[str], Position]


def turns(slug: str, plies: int, seed: int) -> tuple[Position, list[Turn]]:
    """Return a random match: its start, and after each turn what was thrown and where it led."""
    chance = random.Random(seed)
    start = position = game(slug).start(2)
    found: list[Turn] = []
    while len(found) < plies:
        position, throws = thrown(position, chance)
        position, _ = played_on(position, chance)
        found.append(([face for _, face in throws[-1].shown] if throws else [], position))
    return start, found


def standing(position: Position) -> dict[str, Standing]:
    return {name: men for name, (men, _) in seen(position, seating_of(position.game)).items() if men and name != "bar"}


def read(position: Position) -> BoardReading:
    return perfect(position, seating_of(position.game))


def begun(slug: str, plies: int = 1, seed: int = 3) -> tuple[LabelledMatch, Position, list[Turn]]:
    start, played = turns(slug, plies, seed)
    seen_first = [standing(start), *(standing(position) for _, position in played)]
    match = LabelledMatch(start, seating_of_labels(start, seen_first, [None, *(faces for faces, _ in played)]))
    match.observe(read(start), standing(start))
    return match, start, played


@pytest.mark.parametrize("dice", ["labelled", "unknown"])
def test_turns_that_are_seen_are_committed_whether_the_dice_are_labelled_or_not(dice: str) -> None:
    match, _, played = begun("tables/zeno", 8)
    for faces, position in played:
        judged = match.observe(read(position), standing(position), faces if dice == "labelled" else None)
        assert judged.right, judged
        assert bool(judged.committed) == judged.played
        assert not judged.asked


def test_a_misread_turn_is_asked_about_and_the_match_goes_on_from_the_labels() -> None:
    match, _, played = begun("tables/zeno", 2)
    (faces, first), (then, second) = played
    site = next(name for name, men in standing(first).items() if men == Men("light"))
    judged = match.observe(shown_as(read(first), {site: Men("dark")}), standing(first), faces)
    assert (judged.asked, judged.committed, judged.played) == (True, (), True)
    assert judged.right is not True
    assert match.observe(read(second), standing(second), then).committed


def test_an_illegal_move_is_told_and_is_right_to_be_told() -> None:
    match, start, _ = begun("tables/zeno")
    board = shown_as(read(start), {"a": Men("light", 14), "g": Men("light")})
    shown = {**standing(start), "a": Men("light", 14), "g": Men("light")}
    judged = match.observe(board, shown, ["1", "1", "2"])
    assert judged.illegal
    assert judged.right
    assert not judged.committed


def test_nothing_is_said_under_a_hand_and_the_turn_is_committed_after_it() -> None:
    match, _, [(faces, position)] = begun("tables/zeno")
    covered = hidden(read(position), list(seen(position, seating_of(position.game)))[:20])
    under = match.observe(covered, standing(position), faces)
    assert (under.committed, under.asked, under.right) == ((), False, None)
    assert match.observe(read(position), standing(position), faces).committed


def test_a_turn_that_may_be_over_waits_for_the_next_throw() -> None:
    ended = 0
    for seed in (4, 5, 9, 17):
        match, _, played = begun("tables/ludus-anglicorum", 16, seed)
        for (faces, position), (coming, _) in pairwise(played):
            judged = match.observe(read(position), standing(position), faces, faces)
            assert not judged.asked
            if judged.committed or not match.behind:
                continue
            again = match.observe(read(position), standing(position), faces, coming)
            if sorted(coming) == sorted(faces) or not again.committed:
                break  # the same faces are taken for the same throw; or nothing of the turn can be seen
            assert again.right
            ended += 1
    assert ended >= 2


def test_a_turn_under_a_hand_that_was_never_seen_does_not_stop_the_match() -> None:
    match, _, played = begun("tables/zeno", 2)
    (faces, first), (then, second) = played
    match.observe(hidden(read(first), list(seen(first, seating_of(first.game)))[:20]), standing(first), faces)
    judged = match.observe(read(second), standing(second), then)
    assert (judged.right, judged.missed) == (True, True)


def test_a_turn_of_which_nothing_is_seen_is_missed_and_not_asked_about() -> None:
    match, start, played = begun("tables/zeno", 2)
    (faces, first), (then, second) = played
    unseen = match.observe(read(start), standing(first), faces)
    assert (unseen.asked, unseen.right, unseen.played) == (False, None, False)
    assert match.behind
    judged = match.observe(read(second), standing(second), then)
    assert (judged.right, judged.missed) == (True, 1)
    assert not match.behind


def test_what_was_read_wrongly_when_the_labels_answered_how_the_board_lies_is_no_change_later() -> None:
    start, [(_, after)] = turns("rithmomachia/durnil-guardia", 1, 3)
    match = LabelledMatch(start, seating_of_labels(start, [standing(start), standing(after)], [None, None]))
    site = next(name for name, men in standing(after).items() if men == standing(start).get(name))
    wrong = {site: Men(standing(start)[site].colour, 1, "circle", 2)}  # type: ignore[union-attr]
    assert match.observe(shown_as(read(start), wrong), standing(start)).asked
    assert match.observe(shown_as(read(after), wrong), standing(after)).right


def test_labels_of_another_game_are_refused_in_a_sentence() -> None:
    start = game("tables/zeno").start(2)
    with pytest.raises(LabelledMatchError, match="how tables/zeno begins"):
        seating_of_labels(start, [{"c": Men("light", 7)}], [None])


@pytest.mark.parametrize("way", range(8))
@pytest.mark.parametrize("slug", ["tables/zeno", "tables/todas-tablas", "tables/ludus-anglicorum"])
def test_where_a_start_looks_alike_in_several_ways_the_first_turns_tell_how_the_board_lies(slug: str, way: int) -> None:
    start, played = turns(slug, 4, way)
    seating = seating_of(start.game, way)
    boards = [
        {name: men for name, (men, _) in seen(position, seating).items() if men and name != "bar"}
        for position in (start, *(position for _, position in played))
    ]
    faces = [None, *(faces for faces, _ in played)]
    match = LabelledMatch(start, seating_of_labels(start, boards, faces))
    values = [
        match.observe(perfect(position, seating), board, shown)
        for position, board, shown in zip((start, *(one for _, one in played)), boards, faces, strict=True)
    ]
    assert not any(judged.forbidden or judged.illegal for judged in values)
    assert all(judged.right for judged in values if judged.committed)


def test_dice_that_this_game_does_not_throw_are_refused_in_a_sentence() -> None:
    match, _, [(_, position)] = begun("tables/zeno")
    with pytest.raises(LabelledMatchError, match="the 3 dice of a throw show"):
        match.observe(read(position), standing(position), ["2", "5"])


@pytest.mark.parametrize("sites", [{"a": {"light": 0}}, {"a": {"light": "2"}}])
def test_men_in_no_form_of_labels_are_refused(sites: dict[str, dict[str, object]]) -> None:
    with pytest.raises(LabelledMatchError, match="on a"):
        men_of(sites)


def shown_in(match: LabelledMatch) -> dict[str, Men] | None:
    """Return the men of the newest picture."""
    return match.men


def test_the_men_of_a_picture_are_known_once_it_is_agreed_what_it_shows() -> None:
    match, start, played = begun("tables/zeno", 2)
    assert shown_in(match) == match.seating.board(expected_board(start))
    (faces, first), _ = played
    match.observe(hidden(read(first), ["a", "b", "c", "d", "e", "f", "g", "h", "i"]), standing(first), faces)
    assert shown_in(match) is None
    match.observe(read(first), standing(first), faces)
    assert shown_in(match) == match.seating.board(expected_board(first))


@pytest.mark.parametrize("slug", ["tables/ludus-anglicorum", "tables/zeno", "rithmomachia/durnil-guardia"])
def test_turns_that_nobody_saw_are_counted_and_the_next_one_is_followed(slug: str) -> None:
    match, _, played = begun(slug, 4)
    values = []
    for number, (faces, position) in enumerate(played):
        whole = read(position)
        seen_by_camera = whole if number == 3 else hidden(whole, whole.sites)
        values.append(match.observe(seen_by_camera, standing(position), faces))
    assert sum(judged.missed for judged in values) == 3
    assert values[-1].committed
    assert values[-1].right


def test_labels_that_no_turn_explains_and_that_are_not_marked_as_illegal_are_counted_as_such() -> None:
    match, start, _ = begun("rithmomachia/durnil-guardia")
    sites = standing(start)
    moved = next(site for site, men in sites.items() if men is not None and men.shape == "pyramid")
    board = {"d8" if site == moved else site: men for site, men in sites.items()}
    reading = shown_as(read(start), {moved: None, "d8": sites[moved]})
    match.show(board, illegal=False)
    judged = match.judge(reading)
    assert (judged.unexplained, judged.forbidden, judged.right) == (True, False, None)
    match.show(board, illegal=True)
    judged = match.judge(reading)
    assert (judged.unexplained, judged.forbidden, judged.right) == (False, True, True)
