"""A camera's settings are held as far as it lets them be, and never believed without being read back."""

import threading
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.vision.sources import device, open_source
from companion.vision.sources.device import DeviceGrabber
from companion.vision.sources.grabbed import GrabbedSource
from companion.vision.sources.locking import apply, lock, unlock
from companion.vision.sources.source import CannotHoldError, HoldsSettings, SourceBrokenError
from tests.vision.test_sources_device import FakeCapture

PROPERTIES = {
    cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
    cv2.CAP_PROP_EXPOSURE: 157.0,
    cv2.CAP_PROP_AUTO_WB: 1.0,
    cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
    cv2.CAP_PROP_AUTOFOCUS: 1.0,
    cv2.CAP_PROP_FOCUS: 30.0,
}


class Controls(FakeCapture):
    """A camera with the controls given; of ``deaf`` it says yes and does nothing; ``wild``: values that it changes."""

    def __init__(
        self,
        has: dict[int, float] | None = None,
        deaf: frozenset[int] = frozenset(),
        wild: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__()
        self.values = dict(PROPERTIES if has is None else has)
        self.deaf, self.wild = deaf, wild

    def set(self, property_id: int, value: float, /) -> bool:
        super().set(property_id, value)
        if property_id not in self.values:
            return False
        if property_id not in self.deaf:
            self.values[property_id] = value * 2 if property_id in self.wild else value
        return True

    def get(self, property_id: int, /) -> float:
        return self.values.get(property_id, -1.0) if property_id in PROPERTIES else super().get(property_id)


def test_all_is_held_at_what_the_camera_had_chosen() -> None:
    camera = Controls()
    state = lock(camera)
    assert state.settings() == {"exposure": 157.0, "white balance": 4600.0, "focus": 30.0}
    assert camera.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert str(state.sentences[0]) == "The exposure is locked at 157."


def test_a_camera_without_focus_says_so_for_focus_alone() -> None:
    has = {key: value for key, value in PROPERTIES.items() if key not in (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS)}
    state = lock(Controls(has))
    assert [one.held for one in state.controls] == [True, True, False]
    assert "focus cannot be locked" in str(state.sentences[2])


def test_a_yes_without_a_deed_is_not_believed() -> None:
    state = lock(Controls(deaf=frozenset({cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB})))
    assert [one.held for one in state.controls] == [False, False, True]
    wild = lock(Controls(wild=frozenset({cv2.CAP_PROP_WB_TEMPERATURE})))
    assert not wild.controls[1].held
    assert "does not keep the given value" in str(wild.sentences[1])


def test_an_older_driver_takes_its_own_number_for_manual() -> None:
    class Old(Controls):
        def set(self, property_id: int, value: float, /) -> bool:
            if property_id == cv2.CAP_PROP_AUTO_EXPOSURE and value == 1.0:
                return False
            return super().set(property_id, value)

    camera = Old({**PROPERTIES, cv2.CAP_PROP_EXPOSURE: -5.0})
    assert lock(camera).settings()["exposure"] == -5.0
    assert camera.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 0.25


def test_what_a_profile_kept_is_set_again_at_every_opening() -> None:
    cameras = [Controls(), Controls()]
    grabber = DeviceGrabber("1", opener=lambda *_: cameras.pop(0), settings={"exposure": 80.0})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("companion.vision.sources.device._is_linux", lambda: False)
        for _ in range(2):
            grabber.open()
            assert grabber.held is not None
            assert grabber.held.settings() == {"exposure": 80.0}
            grabber.close()
    with pytest.raises(SourceBrokenError, match="not open"):
        grabber.lock()


def test_only_what_is_named_is_set_and_all_can_be_let_go() -> None:
    camera = Controls()
    assert [one.name for one in apply(camera, {"focus": 12.0}).controls] == ["focus"]
    assert camera.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0
    lock(camera)
    unlock(camera)
    assert camera.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0
    assert camera.values[cv2.CAP_PROP_AUTOFOCUS] == 1.0


class Watched(Controls):
    """A camera that never runs out of pictures."""

    def grab(self) -> bool:
        time.sleep(0.005)
        return True

    def retrieve(self, _image: Any = None, /) -> tuple[bool, Any]:
        return True, np.random.default_rng().integers(60, 160, (240, 320, 3), np.uint8)


def test_a_running_camera_is_held_by_the_thread_that_grabs_and_again_when_it_is_opened_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cameras: list[Watched] = []
    threads: set[str] = set()

    class Noted(Watched):
        def set(self, property_id: int, value: float, /) -> bool:
            threads.add(threading.current_thread().name)
            return super().set(property_id, value)

    def opening(*_: object) -> Watched:
        cameras.append(Noted())
        return cameras[-1]

    monkeypatch.setattr(device, "_is_linux", lambda: False)
    held: dict[str, Any] = {}
    source = GrabbedSource("camera 9", lambda: DeviceGrabber("9", opener=opening, settings=held))
    source.start()
    try:
        found = source.hold_settings()
        assert source.can_hold
        assert found is not None
        assert found.settings() == held == {"exposure": 157.0, "white balance": 4600.0, "focus": 30.0}
        cameras[0].values[cv2.CAP_PROP_EXPOSURE] = 99.0
        monkeypatch.setattr(cameras[0], "grab", lambda: False)  # the cable is pulled
        until = time.monotonic() + 60
        while len(cameras) < 2 or cameras[1].values[cv2.CAP_PROP_AUTO_EXPOSURE] != 1.0:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert source.hold_settings(still=False) is None
        assert held == {}
        assert cameras[-1].values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0
    finally:
        source.close()
    assert threads == {"camera camera 9"}


def test_a_source_that_has_nothing_to_hold_and_one_that_hangs_say_so(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.jpg"), np.full((240, 320, 3), 90, np.uint8))
    folder = open_source(str(tmp_path), loop=True)
    assert isinstance(folder, HoldsSettings)
    folder.start()
    assert not folder.can_hold
    with pytest.raises(CannotHoldError, match="light the table evenly"):
        folder.hold_settings()
    folder.close()
    wake = threading.Event()

    class Hangs(Watched):
        def grab(self) -> bool:
            return not wake.wait(300)

    source = GrabbedSource("camera 9", lambda: DeviceGrabber("9", opener=lambda *_: Hangs()))
    source.start()
    with pytest.raises(SourceBrokenError, match="does not answer"):
        source.hold_settings(timeout=0.1)
    source.close()
    wake.set()
