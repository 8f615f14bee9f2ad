"""What lies beside the tray is never shown, hashed or kept."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.desk.sight import Sight
from companion.live.pictures import Pictures
from companion.live.watching.dice_settings import WatchSettings
from companion.live.watching.dice_steps import watching_dice
from companion.vision.mat import Mat
from companion.vision.readings import Image
from tests.live.drawn import HEIGHT, WIDTH, DrawnReader, DrawnSource, joined

SECRET = (20, 20, 250)  # the colour of what lies beside the tray


def in_a_tray() -> Image:
    image = np.full((HEIGHT, WIDTH, 3), SECRET, np.uint8)
    cv2.rectangle(image, (100, 80), (540, 400), (70, 130, 60), -1)
    return image


@pytest.fixture
def shown() -> Callable[[Mat | None], Image]:
    def show(mat: Mat | None) -> Image:
        source, pictures, found = DrawnSource(), Pictures(), list[Sight]()
        watcher = watching_dice(source, WatchSettings(mat, lambda _: DrawnReader(), joined), pictures, found.append)
        watcher.start()
        source.show(in_a_tray())
        source.seen()
        watcher.end()
        source.close()
        watcher.join(120)
        data = pictures.get("table")
        assert data is not None
        return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)

    return show


def test_a_tray_is_found_and_nothing_beside_it_is_shown(shown: Callable[[Mat | None], Image]) -> None:
    picture = shown(None)
    assert picture.shape[1] < 470
    assert picture.shape[0] < 350
    red = picture[..., 2].astype(int) - picture[..., 1]
    assert (red > 100).mean() < 0.01


def test_the_whole_picture_is_shown_where_that_was_asked_for(shown: Callable[[Mat | None], Image]) -> None:
    assert shown(Mat()).shape == (HEIGHT, WIDTH, 3)
