"""A man is doubted whose square looks like the bare ones around it."""

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.boards.bare import doubted
from companion.vision.boards.layout import layout
from companion.vision.boards.men import FoundMan, canvas_of

BOARD = layout("rithmomachia")
CANVAS = canvas_of(BOARD)
SHADE = st.integers(70, 150)
SITES = st.sets(st.sampled_from(sorted(BOARD.sites)), min_size=2, max_size=40)


def test_a_board_full_of_men_tells_nothing_of_bare_squares() -> None:
    men = [FoundMan(*_place(site), _place(site), 0.6, 0.5, ()) for site in BOARD.sites[:-2]]
    flat = np.zeros((CANVAS.height, CANVAS.width, 3), np.uint8)
    assert doubted(men, flat, BOARD, CANVAS, ()) == men
    assert doubted([], flat, BOARD, CANVAS, ()) == []


@given(SHADE, SHADE, st.sampled_from((40, 240)), st.integers(0, 2**31), SITES)
@settings(max_examples=12, deadline=None)
def test_a_bare_square_is_no_man_and_a_man_stays(light: int, dark: int, man: int, seed: int, sites: set[str]) -> None:
    flat = np.full((CANVAS.height, CANVAS.width, 3), 128, np.float32)
    places = {site: _place(site) for site in BOARD.sites}
    wide, high = CANVAS.field_width / BOARD.columns / 2, CANVAS.field_height / BOARD.rows / 2
    for site, (x, y) in places.items():
        shade = light if (ord(site[0]) + int(site[1:])) % 2 else dark
        cv2.rectangle(flat, (round(x - wide), round(y - high)), (round(x + wide), round(y + high)), (shade,) * 3, -1)
    *stood, phantom = sorted(sites)
    for site in stood:
        cv2.circle(flat, (round(places[site][0]), round(places[site][1])), round(0.7 * wide), (man,) * 3, -1)
    flat += np.random.default_rng(seed).normal(0, 3, flat.shape)
    men = [FoundMan(*places[site], places[site], 0.995, 0.5, ()) for site in stood]
    men.append(FoundMan(*places[phantom], places[phantom], 0.6, 0.5, ()))
    found = doubted(men, np.clip(flat, 0, 255).astype(np.uint8), BOARD, CANVAS, ())
    assert all(one.chance > 0.9 for one in found[:-1])
    assert found[-1].chance < 0.05


def _place(site: str) -> tuple[float, float]:
    u, v = BOARD.place(site)
    return CANVAS.left + u * CANVAS.field_width, CANVAS.top + v * CANVAS.field_height
