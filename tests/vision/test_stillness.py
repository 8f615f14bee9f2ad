"""What the live table may rely on: one still interval for one throw, none in a movement, a hand seen as a hand."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.change import compare, shrink
from companion.vision.mat import Mat
from companion.vision.readings import Frame
from companion.vision.stillness import REPEATS_SECONDS, Stillness, StillnessState

from .deliveries import Delivery, delivered
from .stage import DIE, HEIGHT, WIDTH, Stage, four_dice


def watch(stillness: Stillness, stage: Stage, seconds: float) -> list[StillnessState]:
    return [stillness.feed(stage.frame()) for _ in range(max(1, round(seconds * stage.fps)))]


def roll(
    stillness: Stillness, stage: Stage, end: list[tuple[float, float, float]], seconds: float = 0.6
) -> list[StillnessState]:
    """Let the dice fly in from the left and stop at ``end`` in the last frame of the movement."""
    steps = max(2, round(seconds * stage.fps))
    seen = []
    for step in range(1, steps + 1):
        left = 1 - step / steps
        stage.dice = [(x - 300 * left, y, turn + 400 * left) for x, y, turn in end]
        seen.append(stillness.feed(stage.frame()))
    return seen


def settled(stage: Stage, *, dice: bool = True) -> Stillness:
    stillness = Stillness()
    watch(stillness, stage, 0.6)
    if dice:
        roll(stillness, stage, four_dice())
        watch(stillness, stage, 0.6)
    return stillness


@pytest.mark.parametrize("fps", [5.0, 10.0, 15.0, 30.0])
def test_a_throw_is_one_still_interval_within_a_quarter_second_at_any_frame_rate(fps: float) -> None:
    stage = Stage(fps=fps)
    stillness = settled(stage, dice=False)
    before = stillness.feed(stage.frame())
    assert before.phase == "still"
    rolling = roll(stillness, stage, four_dice(), seconds=1.0)
    assert {state.phase for state in rolling} == {"moving"}
    after = watch(stillness, stage, 1.5)
    first = next(index for index, state in enumerate(after, 1) if state.phase == "still")
    assert first / fps <= 0.25
    assert after[-1].phase == "still"
    assert after[-1].interval == before.interval + 1
    assert not after[-1].hand
    assert all(not state.hand for state in after)


def test_frames_of_a_still_interval_are_up_to_three_and_from_after_the_movement() -> None:
    stage = Stage()
    stillness = settled(stage, dice=False)
    roll(stillness, stage, four_dice())
    moved_until = stage.now
    state = watch(stillness, stage, 1.0)[-1]
    assert len(state.frames) == 3
    assert all(frame.taken >= moved_until for frame in state.frames)
    assert len({frame.number for frame in state.frames}) == 3


def test_the_sharpest_frames_come_first() -> None:
    stage = Stage(noise=0.5, dice=four_dice())
    stillness = Stillness()
    frames = [stage.frame() for _ in range(10)]
    blurred = [
        Frame(np.asarray(cv2.GaussianBlur(f.image, (3, 3), 0), np.uint8), f.taken, f.source, f.number)
        if f.number not in (3, 6)
        else f
        for f in frames
    ]
    states = [stillness.feed(frame) for frame in blurred]
    assert {frame.number for frame in states[-1].frames[:2]} == {3, 6}


@pytest.mark.parametrize("noise", [0.0, 2.0, 8.0, 15.0])
def test_sensor_noise_is_no_movement(noise: float) -> None:
    stage = Stage(noise=noise, dice=four_dice())
    stillness = Stillness()
    watch(stillness, stage, 1.0)
    assert {(r.phase, r.interval) for r in watch(stillness, stage, 2.0)} == {("still", stillness._interval)}


def test_an_exposure_step_is_no_movement() -> None:
    stage = Stage()
    stillness = settled(stage)
    interval = stillness.feed(stage.frame()).interval
    for light in (0.7, 1.0, 1.3, 0.8):
        stage.light = light
        seen = watch(stillness, stage, 0.6)
        assert {(r.phase, r.interval, r.hand) for r in seen} == {("still", interval, False)}


def test_flickering_lamps_and_a_slow_dusk_are_no_movement() -> None:
    stage = Stage()
    stillness = settled(stage)
    interval = stillness.feed(stage.frame()).interval
    for i in range(100):
        stage.light = (1 - 0.004 * i) * (1 + 0.06 * np.sin(2.1 * i))
        seen = stillness.feed(stage.frame())
        assert (seen.phase, seen.interval, seen.hand) == ("still", interval, False)


def test_a_soft_shadow_is_neither_movement_nor_hand() -> None:
    stage = Stage()
    stillness = settled(stage)
    interval = stillness.feed(stage.frame()).interval
    x = np.arange(WIDTH, dtype=np.float32)
    for i in range(30):
        edge = WIDTH - 12 * i
        shade = 1 - 0.25 / (1 + np.exp(-(x - edge) / 40))
        frame = stage.frame()
        image = (frame.image * shade[None, :, None]).astype(np.uint8)
        seen = stillness.feed(Frame(image, frame.taken, "stage", frame.number))
        assert (seen.phase, seen.interval, seen.hand) == ("still", interval, False)


def test_one_die_pushed_a_little_begins_a_new_still_interval() -> None:
    stage = Stage()
    stillness = settled(stage)
    interval = stillness.feed(stage.frame()).interval
    stage.dice[0] = (stage.dice[0][0] + 6, stage.dice[0][1], stage.dice[0][2])
    assert stillness.feed(stage.frame()).phase == "moving"
    last = watch(stillness, stage, 0.6)[-1]
    assert (last.phase, last.interval) == ("still", interval + 1)


def test_a_die_that_creeps_does_not_lie_still() -> None:
    stage = Stage(noise=1.0)
    stillness = settled(stage)
    start = stage.dice[0][0]
    phases = []
    for i in range(45):
        stage.dice[0] = (start + 1.5 * i, stage.dice[0][1], stage.dice[0][2])
        phases.append(stillness.feed(stage.frame()).phase)
    assert phases.count("still") < 12


def test_a_hand_is_a_hand_while_it_moves_while_it_is_still_and_not_after() -> None:
    stage = Stage()
    stillness = settled(stage)
    for reach in range(30, 271, 30):
        stage.hand = reach
        seen = stillness.feed(stage.frame())
    assert seen.hand
    still = watch(stillness, stage, 8.0)
    assert all(state.hand for state in still)
    assert still[-1].phase == "still"
    for reach in range(240, -1, -40):
        stage.hand = reach
        stillness.feed(stage.frame())
    stage.hand = 0
    gone = watch(stillness, stage, 1.0)[-1]
    assert (gone.phase, gone.hand) == ("still", False)
    assert gone.interval > still[-1].interval


def test_a_die_moved_by_a_hand_is_one_still_interval_without_a_hand() -> None:
    stage = Stage()
    stillness = settled(stage)
    stage.hand = 230
    watch(stillness, stage, 0.5)
    for i in range(8):
        stage.dice[3] = (420 + 6 * i, 250, 25 + 10 * i)
        stage.hand = 230 - 6 * i
        assert stillness.feed(stage.frame()).hand
    stage.hand = 0
    seen = watch(stillness, stage, 1.0)
    assert len({state.interval for state in seen if state.phase == "still" and not state.hand}) == 1
    assert not seen[-1].hand


@pytest.mark.parametrize(
    "dice",
    [
        [(DIE / 2 + 1, 120, 0), (260, 240, 40), (330, 110, 70), (420, 250, 25)],
        [(WIDTH - DIE / 2, 60, 0), (WIDTH - DIE / 2, 110, 5), (330, 110, 70), (420, 250, 25)],
        [(200, HEIGHT - DIE / 2 - 2, 30), (300, DIE / 2, 80), (10, 10, 45), (420, 250, 25)],
    ],
)
def test_dice_at_the_edge_are_no_hand(dice: list[tuple[float, float, float]]) -> None:
    stage = Stage()
    stillness = settled(stage)
    for place in (dice, four_dice(30), dice):
        roll(stillness, stage, place)
        seen = watch(stillness, stage, 0.6)[-1]
        assert (seen.phase, seen.hand) == ("still", False)


def test_a_hand_there_from_the_beginning_leaves_no_ghost() -> None:
    stage = Stage(hand=260)
    stillness = Stillness()
    watch(stillness, stage, 1.0)
    stage.hand = 0
    seen = watch(stillness, stage, 1.0)[-1]
    assert (seen.phase, seen.hand) == ("still", False)


def test_something_laid_over_the_edge_is_taken_in_after_a_while_or_when_told() -> None:
    stage = Stage(fps=5.0)
    stillness = settled(stage)
    stage.hand = 200
    seen = watch(stillness, stage, 40.0)[-1]
    assert seen.hand
    later = watch(stillness, stage, 15.0)[-1]
    assert not later.hand
    assert later.interval == seen.interval + 1
    stage.hand = 320
    assert watch(stillness, stage, 2.0)[-1].hand
    stillness.accept()
    assert not stillness.feed(stage.frame()).hand
    stage.hand = 0
    assert not watch(stillness, stage, 2.0)[-1].hand


def test_nothing_is_known_across_a_gap_in_the_frames() -> None:
    stage = Stage()
    stillness = settled(stage, dice=False)
    roll(stillness, stage, four_dice())
    stage.now += 5
    assert stillness.feed(stage.frame()).phase != "still"
    assert watch(stillness, stage, 0.5)[-1].phase == "still"


def test_a_camera_that_is_always_slow_shows_rest_by_a_third_equal_picture() -> None:
    stage = Stage()
    stillness = settled(stage, dice=False)
    roll(stillness, stage, four_dice())
    seen = []
    for _ in range(2):  # the last picture of the rolling is the first of the three
        stage.now += 1.8
        seen.append(stillness.feed(stage.frame()).phase)
    assert seen == ["settling", "still"]


def test_an_old_frame_and_another_size_do_no_harm() -> None:
    stage = Stage()
    stillness = settled(stage)
    before = stillness.feed(stage.frame())
    assert stillness.feed(Frame(stage.picture(), 1.0, "stage", 1)) is before
    wide = Stage(width=800, height=600, now=stage.now)
    assert stillness.feed(wide.frame()).phase == "settling"
    again = watch(stillness, wide, 0.6)[-1]
    assert (again.phase, again.interval) == ("still", before.interval + 1)


def test_the_edge_of_a_round_mat_is_the_edge_for_a_hand() -> None:
    stage = Stage()
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    mat = Mat(tuple((float(320 + 250 * np.cos(t)), float(180 + 160 * np.sin(t))) for t in turn), size=(WIDTH, HEIGHT))
    stillness = Stillness(mat, (WIDTH, HEIGHT))

    def feed() -> StillnessState:
        return stillness.feed(mat.crop(stage.frame()))

    for _ in range(8):
        feed()
    stage.hand = 280
    assert feed().hand
    assert all(feed().hand for _ in range(8))
    stage.hand = 0
    assert not [feed() for _ in range(8)][-1].hand


def test_comparing_a_picture_with_itself_finds_nothing() -> None:
    small = shrink(Stage(dice=four_dice()).picture())
    change = compare(small, small, 0.0)
    assert not change.moved
    assert change.noise == 0


@pytest.mark.parametrize(
    "how",
    [
        Delivery(fps=15, real=4),
        Delivery(fps=30, real=4),
        Delivery(fps=15, real=15, late=0.3),
        Delivery(fps=15, real=3, dropped=0.2, late=0.2),
        Delivery(fps=5, real=5, dropped=0.1),
    ],
    ids=str,
)
def test_pictures_that_come_again_late_or_never_make_no_rest_of_a_movement(how: Delivery) -> None:
    stillness, rests = Stillness(), list[tuple[int, bool]]()
    before, throws = 0, 2
    for seen in delivered(how, throws, seed=3):
        state = stillness.feed(seen.frame)
        if state.phase == "still" and state.interval != before:
            before = state.interval
            rests.append((seen.throw, seen.at_rest))
    assert rests == [(throw, True) for throw in range(throws)]


def test_a_stream_without_noise_rests_after_a_while() -> None:
    stage = Stage(noise=0.0, dice=four_dice())
    frames = [replace(stage.frame(), may_repeat=True) for _ in range(20)]
    stillness = Stillness()
    still = [frame.taken for frame in frames if stillness.feed(frame).phase == "still"]
    assert REPEATS_SECONDS <= still[0] - frames[0].taken < REPEATS_SECONDS + 0.2
