"""Videos, folders and scripts play as a camera would: in order, at their pace, and end or begin again as told."""

import contextlib
import json
import time
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.vision.readings import Image
from companion.vision.sources import grabbed, open_source
from companion.vision.sources.folder import FolderGrabber
from companion.vision.sources.grabbed import GrabbedSource, Grabber
from companion.vision.sources.recorded import RecordedSource
from companion.vision.sources.scripted import ScriptedSource, open_sample
from companion.vision.sources.source import FrameSource, Recording, SourceEndedError, SourceState, UnknownSourceError
from companion.vision.sources.video_file import VideoFileGrabber

from .stage import Stage
from .test_sources import running, until


def plain(shade: int) -> Image:
    """Return a picture that can be told from others after any coding."""
    return np.full((120, 160, 3), shade, np.uint8)


def seen(source: FrameSource) -> bool:
    """Read the newest frame, because a recording waits for its reader; say whether there is one."""
    return source.newest(0, 60) is not None


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


class Clock:
    """A clock that goes on only where something waits: pace is told exactly, however busy the machine is."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(grabbed, "time", SimpleNamespace(monotonic=lambda: self.now))

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        return False

    def played(self, grabber: Grabber) -> list[tuple[float, int]]:
        """Return when each picture was due, in seconds from the first, and its shade, until the end."""
        grabber.open()
        seen: list[tuple[float, int]] = []
        with contextlib.suppress(SourceEndedError):
            while True:
                image = grabber.grab(self.wait)
                if image is not None:
                    seen.append((self.now, shade_of(image)))
        return [(round(at - seen[0][0], 3), shade) for at, shade in seen]


def test_a_video_plays_at_its_own_pace_in_order(video: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = Clock(monkeypatch).played(VideoFileGrabber(video))
    assert played == [(round(0.05 * number, 3), 20 * (number + 1)) for number in range(11)]


def test_a_video_ends(video: Path) -> None:
    with running(open_source(str(video))) as source:
        assert until(lambda: seen(source) and source.state is SourceState.LOST)
        assert "has ended" in str(source.sentence)


def test_a_video_told_to_loop_begins_again(video: Path) -> None:
    with running(open_source(str(video), loop=True)) as source:
        assert until(lambda: (frame := source.newest(0, 0.1)) is not None and frame.number > 13)
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


def test_a_folder_plays_in_order_passes_by_what_is_damaged_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, [60, 100, 140])
    (tmp_path / "001b.jpg").write_bytes(b"damaged")
    (tmp_path / "notes.txt").write_text("no picture")
    played = Clock(monkeypatch).played(FolderGrabber(tmp_path, seconds=0.2, loop=False))
    assert [shade for _, shade in played] == [60] * 3 + [100] * 3 + [140] * 3
    assert played[-1][0] == pytest.approx(8 / 15, abs=0.001)
    with running(GrabbedSource("test", lambda: FolderGrabber(tmp_path, seconds=0.2, loop=False))) as source:
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
        for _ in range(20):  # a busy machine may keep a reader from some of the pictures
            seen = []
            while not (source.ended and len(seen) > 18):
                frame = source.newest(number, 60)
                assert frame is not None
                number = frame.number
                seen.append(shade_of(frame.image))
            assert seen == sorted(seen)
            assert set(seen) <= {40, 80, 120, 160, 200}
            if min(seen.count(shade) for shade in (40, 80, 120, 160)) >= 2:
                break
            source.skip(0)
            assert until(lambda: (now := source.newest(0, 60)) is not None and shade_of(now.image) == 40)
        assert set(seen) == {40, 80, 120, 160, 200}
        assert 2 <= seen.count(120) <= 5
        frame = source.newest(number, 60)
        assert frame is not None
        assert shade_of(frame.image) == 200
        assert source.state is SourceState.LIVE
        source.skip(0)
        assert until(lambda: (now := source.newest(0, 60)) is not None and shade_of(now.image) == 40)


@pytest.mark.parametrize("kind", ["script", "folder"])
def test_a_recording_waits_for_a_reader_that_takes_long_and_is_never_stale(
    kind: str, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grabbed, "STALE_AFTER", 0.0)
    source: ScriptedSource | RecordedSource = ScriptedSource(script, waits=True)
    if kind == "folder":
        source = RecordedSource("folder", lambda: FolderGrabber(script, seconds=0.2, loop=False))
    with running(source):
        assert seen(source)
        source.begin()
        shades, number = [40], 0
        while shades[-1] != 200:
            time.sleep(0.3)  # longer than each picture is shown
            frame = source.newest(number, 60)
            assert frame is not None
            number = frame.number
            if shade_of(frame.image) != shades[-1]:
                shades.append(shade_of(frame.image))
            assert source.state is SourceState.LIVE
    assert shades == [40, 80, 120, 160, 200]


def test_a_still_picture_is_decoded_once_and_sent_again_and_again(script: Path) -> None:
    source = ScriptedSource(script)
    with running(source):
        first = source.newest(0, 60)
        assert first is not None
        second = source.newest(first.number, 60)
        assert second is not None
        assert second.image is first.image
        assert second.taken > first.taken


def test_a_held_script_goes_on_to_the_next_still_picture_and_waits_there(script: Path) -> None:
    source = ScriptedSource(script)
    source.hold()
    with running(source):
        assert until(lambda: seen(source) and source.step.phase == "still")
        for number in range(8):  # longer than its picture is shown
            assert source.newest(number, 60) is not None
        assert (source.step.phase, source.step.throw) == ("still", 1)
        source.release()
        assert until(lambda: seen(source) and source.step.throw == 2)


def test_a_picture_of_movement_never_stands_still(script: Path) -> None:
    steps = json.loads((script / "script.json").read_text())["frames"]
    (script / "script.json").write_text(json.dumps(steps[1:2]))
    source = ScriptedSource(script)
    picture = np.tile(np.arange(160, dtype=np.uint8)[None, :, None], (120, 1, 3))
    cv2.imwrite(str(script / "1.png"), picture)
    source.pace = 0.2
    with running(source):
        assert until(lambda: seen(source) and source.step.phase == "moving")
        frame = source.newest(0, 60)
        for _ in range(4):
            assert frame is not None
            following = source.newest(frame.number, 60)
            assert following is not None
            assert not np.array_equal(following.image, frame.image)
            frame = following


def test_a_script_goes_to_shortly_before_the_next_dice_roll_if_any_do(script: Path) -> None:
    source = open_sample("ludus-regularis")
    for throw in (1, 2):
        source.skip(throw - 1)
        source.skip_to_throw()
        assert (source.step.throw, source.step.phase) == (throw, "hand")
    source = ScriptedSource(script)
    source.skip(9)
    source.skip_to_throw()
    assert (source.step.throw, source.step.phase) == (2, "still")


def test_a_script_goes_on_after_as_many_casts_as_are_wanted(script: Path) -> None:
    source = ScriptedSource(script)
    source.skip(1)
    assert (source.step.throw, source.step.phase) == (2, "moving")
    source.skip(0)
    assert source.step.phase == "empty"
    source.skip(9)
    assert (source.step.throw, source.step.phase) == (2, "still")
    source.skip(0)
    assert source.step.phase == "empty"


def test_pace_makes_the_script_faster(script: Path) -> None:
    steps = json.loads((script / "script.json").read_text())["frames"]
    (script / "script.json").write_text(json.dumps([{**step, "seconds": 1000} for step in steps]))
    source = ScriptedSource(script, pace=100_000.0)
    with running(source):
        assert until(lambda: seen(source) and source.ended)
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
        assert until(lambda: seen(source) and source.step.throw == 1 and source.step.phase == "moving")
        assert until(lambda: seen(source) and source.step.phase == "still")
        assert until(lambda: seen(source) and source.step.phase == "moving")
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
        assert source.newest(0, 60) is not None
        paused = time.monotonic()
        assert until(lambda: (now := source.newest(0, 60)) is not None and now.taken > paused + 0.4)
        frame = source.newest(0, 60)
        assert frame is not None
        assert frame.taken > paused + 0.4
        assert Stage().picture().shape != frame.image.shape


@pytest.mark.parametrize("kind", ["folder", "video"])
def test_a_recording_waits_for_its_match_and_keeps_its_last_picture(kind: str, tmp_path: Path, video: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    fill(folder, [60, 100])
    with running(open_source(str(folder if kind == "folder" else video), waits=True)) as source:
        assert isinstance(source, Recording)
        first = source.newest(0, 60)
        assert first is not None
        time.sleep(1.2)  # longer than the video, and than the folder's first picture is shown
        waiting = source.newest(first.number, 60)
        assert waiting is not None
        assert waiting.number > first.number
        assert shade_of(waiting.image) == shade_of(first.image)
        assert "waits with its first picture" in str(source.sentence)
        source.begin()
        assert until(lambda: seen(source) and "reached its end" in str(source.sentence))
        last = source.newest(source.newest(0, 60).number, 60)  # type: ignore[union-attr]
        assert last is not None
        assert shade_of(last.image) > shade_of(first.image)
        assert source.state is SourceState.LIVE


def test_a_script_as_a_camera_waits_too(script: Path) -> None:
    source = open_source(str(script), waits=True)
    assert isinstance(source, ScriptedSource)
    with running(source):
        assert source.newest(0, 60) is not None
        time.sleep(0.5)
        assert source.step.phase == "empty"
        source.begin()
        assert until(lambda: seen(source) and source.ended)


def test_a_folder_without_a_picture_is_lost_although_it_would_wait(tmp_path: Path) -> None:
    with running(open_source(str(tmp_path), waits=True)) as source:
        assert until(lambda: source.state is SourceState.LOST)
        assert "holds no pictures" in str(source.sentence)


def test_why_there_is_no_picture_is_said_on_the_console_too_and_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running(open_source(str(tmp_path))) as source:
        assert until(lambda: source.state is SourceState.LOST)
        time.sleep(1.2)  # two more attempts
    ours = [record for record in caplog.records if record.name.startswith("companion.vision")]
    assert [record.getMessage() for record in ours] == [f"The folder {tmp_path} holds no pictures: put JPEGs into it."]
