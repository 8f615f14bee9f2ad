"""Videos, folders and scripts play as a camera would: in order, at their pace, and end or begin again as told."""

import json
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.readings import Image
from companion.vision.sources import SourceState, UnknownSourceError, open_sample, open_source
from companion.vision.sources.folder import FolderGrabber
from companion.vision.sources.grabbed import GrabbedSource
from companion.vision.sources.scripted import ScriptedSource

from .stage import Stage
from .test_sources import running, until


def plain(shade: int) -> Image:
    """Return a picture that can be told from others after any coding."""
    return np.full((120, 160, 3), shade, np.uint8)


def shade_of(image: Image) -> int:
    return round(float(image.mean()) / 20) * 20


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (160, 120))
    for shade in range(20, 240, 20):
        writer.write(plain(shade))
    writer.release()
    return path


def test_a_video_plays_at_its_own_pace_in_order_and_ends(video: Path) -> None:
    with running(open_source(str(video))) as source:
        seen, times, number = [], [], 0
        while frame := source.newest(number, 1.0):
            number = frame.number
            seen.append(shade_of(frame.image))
            times.append(frame.taken)
        assert seen == sorted(seen)
        assert len(seen) >= 9
        assert 0.4 < times[-1] - times[0] < 0.9
        assert until(lambda: source.state is SourceState.LOST)
        assert "has ended" in str(source.sentence)


def test_a_video_told_to_loop_begins_again(video: Path) -> None:
    with running(open_source(str(video), loop=True)) as source:
        assert until(lambda: (frame := source.newest(0, 0.1)) is not None and frame.number > 13, 4.0)
        assert source.state is SourceState.LIVE


def test_a_file_that_is_no_video_says_so(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(b"no video" * 100)
    with running(open_source(str(path))) as source:
        assert until(lambda: source.state is SourceState.LOST)
        assert "expected a video" in str(source.sentence)


def fill(folder: Path, shades: list[int]) -> None:
    for number, shade in enumerate(shades):
        cv2.imwrite(str(folder / f"{number:03}.png"), plain(shade))


def test_a_folder_plays_in_order_passes_by_what_is_damaged_and_ends(tmp_path: Path) -> None:
    fill(tmp_path, [60, 100, 140])
    (tmp_path / "001b.jpg").write_bytes(b"damaged")
    (tmp_path / "notes.txt").write_text("no picture")
    source = GrabbedSource("test", lambda: FolderGrabber(tmp_path, seconds=0.2, loop=False))
    with running(source):
        seen, number = [], 0
        while frame := source.newest(number, 1.0):
            number = frame.number
            seen.append(shade_of(frame.image))
        assert seen == sorted(seen)
        assert set(seen) == {60, 100, 140}
        assert until(lambda: "has ended" in str(source.sentence))


def test_a_folder_that_loops_goes_on_for_ever(tmp_path: Path) -> None:
    fill(tmp_path, [60, 100])
    with running(GrabbedSource("test", lambda: FolderGrabber(tmp_path, seconds=0.07))) as source:
        assert until(lambda: (frame := source.newest(0, 0.1)) is not None and frame.number > 6)


@pytest.mark.parametrize("content", [[], ["notes.txt"], ["damaged.jpg"]])
def test_a_folder_without_pictures_is_lost_with_a_reason(tmp_path: Path, content: list[str]) -> None:
    for name in content:
        (tmp_path / name).write_bytes(b"nothing")
    with running(open_source(str(tmp_path))) as source:
        assert until(lambda: source.state is SourceState.LOST)
        assert "holds no picture" in str(source.sentence)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    steps = []
    for number, (shade, phase, throw) in enumerate(
        [(40, "empty", None), (80, "moving", 1), (120, "still", 1), (160, "moving", 2), (200, "still", 2)]
    ):
        cv2.imwrite(str(tmp_path / f"{number}.png"), plain(shade))
        steps.append({"image": f"{number}.png", "seconds": 0.2, "throw": throw, "phase": phase})
    (tmp_path / "script.json").write_text(json.dumps({"frames": steps}))
    return tmp_path


def test_a_script_plays_as_a_camera_and_its_last_picture_stays(script: Path) -> None:
    source = ScriptedSource(script)
    with running(source):
        seen: list[int] = []
        number = 0
        while not (source.ended and len(seen) > 18):
            frame = source.newest(number, 1.0)
            assert frame is not None
            number = frame.number
            seen.append(shade_of(frame.image))
        assert seen == sorted(seen)
        assert set(seen) == {40, 80, 120, 160, 200}
        assert 2 <= seen.count(120) <= 5
        frame = source.newest(number, 1.0)
        assert frame is not None
        assert shade_of(frame.image) == 200
        assert source.state is SourceState.LIVE
        source.rewind()
        assert until(lambda: (now := source.newest(0, 1.0)) is not None and shade_of(now.image) == 40)


def test_a_still_picture_is_decoded_once_and_sent_again_and_again(script: Path) -> None:
    source = ScriptedSource(script)
    with running(source):
        first = source.newest(0, 1.0)
        assert first is not None
        second = source.newest(first.number, 1.0)
        assert second is not None
        assert second.image is first.image
        assert second.taken > first.taken


def test_a_held_script_goes_on_to_the_next_still_picture_and_waits_there(script: Path) -> None:
    source = ScriptedSource(script)
    source.hold()
    with running(source):
        assert until(lambda: source.step.phase == "still")
        time.sleep(0.5)
        assert (source.step.phase, source.step.throw) == ("still", 1)
        source.release()
        assert until(lambda: source.step.throw == 2)


def test_a_picture_of_movement_never_stands_still(script: Path) -> None:
    steps = json.loads((script / "script.json").read_text())["frames"]
    (script / "script.json").write_text(json.dumps(steps[1:2]))
    source = ScriptedSource(script)
    picture = np.tile(np.arange(160, dtype=np.uint8)[None, :, None], (120, 1, 3))
    cv2.imwrite(str(script / "1.png"), picture)
    source.pace = 0.2
    with running(source):
        assert until(lambda: source.step.phase == "moving")
        frame = source.newest(0, 1.0)
        for _ in range(4):
            assert frame is not None
            following = source.newest(frame.number, 1.0)
            assert following is not None
            assert not np.array_equal(following.image, frame.image)
            frame = following


def test_a_script_goes_on_after_as_many_casts_as_are_wanted(script: Path) -> None:
    source = ScriptedSource(script)
    source.skip(1)
    assert (source.step.throw, source.step.phase) == (2, "moving")
    source.skip(0)
    assert source.step.phase == "empty"
    source.skip(9)
    assert (source.step.throw, source.step.phase) == (2, "still")
    source.rewind()
    assert source.step.phase == "empty"


def test_pace_makes_the_script_faster(script: Path) -> None:
    source = ScriptedSource(script, pace=4.0)
    began = time.monotonic()
    with running(source):
        assert until(lambda: source.ended)
    assert time.monotonic() - began < 0.9
    source.pace = 0.5
    assert source.pace == 0.5


def test_a_script_may_be_a_bare_list_and_may_loop(script: Path) -> None:
    rows = json.loads((script / "script.json").read_text())["frames"]
    (script / "script.json").write_text(json.dumps({"timeline": rows}))
    assert ScriptedSource(script).step.phase == "empty"
    (script / "script.json").write_text(json.dumps(rows[1:3]))
    source = open_source(str(script), loop=True)
    assert isinstance(source, ScriptedSource)
    source.pace = 6.0
    with running(source):
        assert until(lambda: source.newest(0, 0.1) is not None)
        assert until(lambda: source.step.throw == 1 and source.step.phase == "moving")
        assert until(lambda: source.step.phase == "still")
        assert until(lambda: source.step.phase == "moving")
        assert not source.ended


@pytest.mark.parametrize("text", ["", "[]", "{}", '[{"image": "a"}]', '{"frames": 3}', "[[]]", '[{"seconds": "x"}]'])
def test_a_damaged_script_is_refused_in_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "script.json").write_text(text)
    with pytest.raises(UnknownSourceError, match=r"script\.json"):
        ScriptedSource(tmp_path)


def test_a_script_whose_picture_is_missing_is_lost_with_a_reason(script: Path) -> None:
    (script / "0.png").unlink()
    with running(ScriptedSource(script)) as source:
        assert until(lambda: source.state is SourceState.LOST)
        assert "cannot be read" in str(source.sentence)


@pytest.mark.parametrize("name", ["no-such-sample", "", "../tests", "/etc"])
def test_a_sample_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(UnknownSourceError, match="sample table"):
        open_sample(name)


def test_the_newest_frame_of_a_slow_reader_is_fresh(script: Path) -> None:
    with running(ScriptedSource(script)) as source:
        assert source.newest(0, 1.0) is not None
        time.sleep(0.4)
        frame = source.newest(0, 1.0)
        assert frame is not None
        assert time.monotonic() - frame.taken < 0.15
        assert Stage().picture().shape != frame.image.shape
