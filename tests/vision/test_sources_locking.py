"""A camera's settings are held as far as it lets them be, and never believed without being read back."""

import cv2
import pytest

from companion.vision.sources.device import DeviceGrabber
from companion.vision.sources.locking import apply, lock, unlock
from companion.vision.sources.source import SourceBrokenError
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
    told = lock(camera)
    assert told.settings() == {"exposure": 157.0, "white balance": 4600.0, "focus": 30.0}
    assert camera.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert str(told.sentences[0]) == "The exposure is held at 157."


def test_a_camera_without_focus_says_so_for_focus_alone() -> None:
    has = {key: value for key, value in PROPERTIES.items() if key not in (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS)}
    told = lock(Controls(has))
    assert [one.held for one in told.controls] == [True, True, False]
    assert "does not let its focus be held" in str(told.sentences[2])


def test_a_yes_without_a_deed_is_not_believed() -> None:
    told = lock(Controls(deaf=frozenset({cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB})))
    assert [one.held for one in told.controls] == [False, False, True]
    wild = lock(Controls(wild=frozenset({cv2.CAP_PROP_WB_TEMPERATURE})))
    assert not wild.controls[1].held
    assert "does not keep the value" in str(wild.sentences[1])


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
