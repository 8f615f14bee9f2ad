"""Views of boards are cut out ahead of the training, and a pool gives them to the nets each time in another light."""

from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from companion.vision.boards import nets
from companion.vision.boards.men import LIGHTER
from companion.vision.boards.numbers import LEAST_SPREAD as NUMBERS_SPREAD
from companion.vision.boards.numbers import kinds, number_input
from companion.vision.dice.nets import LEAST_SPREAD, net_input
from companion.vision.images import decode_image
from companion.vision.readings import Image
from workshop.board_scenes.__main__ import drawn
from workshop.board_scenes.store import Boards, TrueBoard, truth_of, write_boards
from workshop.scenes.fonts import find_fonts
from workshop.training.boards.__main__ import run
from workshop.training.boards.ahead import FIELD_VIEWS, MEN_VIEWS, Rows, views_of, write_views
from workshop.training.boards.pool import Pool, lit, normalised
from workshop.training.schedule import Recipe

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.skipif(not find_fonts("train"), reason="needs training fonts"),
]


Drawn = tuple[Image, TrueBoard]


@pytest.fixture(scope="module")
def tables() -> Drawn:
    board = next(drawn("tables", 1, 3, check=True))
    return decode_image(board.jpeg), truth_of(board)


def test_each_net_gets_its_views_of_a_board(tables: Drawn) -> None:
    picture, truth = tables
    rows = views_of(picture, truth, np.random.default_rng(1))
    assert {name: len(views) for name, views in rows.items()} == {
        nets.FIELDS: FIELD_VIEWS,
        nets.TABLES_MEN: MEN_VIEWS,
    }
    for views in rows.values():
        for seen, maps, counts in views:
            assert [one.dtype.name for one in (seen, maps, counts)] == ["uint8", "float16", "bool"]
            assert maps.shape == counts.shape
            assert seen.shape[0] % maps.shape[1] == 0


def test_the_views_of_numbered_men_name_the_men_that_stand_there() -> None:
    board = next(drawn("rithmomachia", 1, 5, check=True))
    truth = truth_of(board)
    rows = views_of(decode_image(board.jpeg), truth, np.random.default_rng(1))
    legible = sorted(kinds().index((man.shape, man.number)) for man in truth.men if man.legible)
    named = sorted(int(kind) for _, kind in rows[nets.NUMBERS])
    assert named == sorted(2 * legible)


def test_a_truth_is_the_same_before_and_after_it_is_written(tmp_path: Path) -> None:
    board = next(drawn("tables", 1, 4, check=True))
    write_boards(iter([board]), tmp_path, "one")
    read, direct = Boards(tmp_path, ["one"]).truths[0], truth_of(board)
    assert read.men == direct.men
    np.testing.assert_array_equal(read.corners, direct.corners)


def a_file(folder: Path, name: str, first: int, number: int) -> None:
    views: Rows = {
        "net": [(np.full((8, 8, 3), first + k, np.uint8), np.array(first + k, np.int64)) for k in range(number)]
    }
    write_views(folder, name, views)


def seen_of(pool: Pool, size: int) -> set[int]:
    batches = pool.batches(size, 3, colours=False, least_spread=8.0)
    return {kind for _ in range(60) for kind in next(batches)[1].tolist()}


def test_a_pool_takes_up_every_file_once_and_forgets_the_oldest_views(tmp_path: Path) -> None:
    each = 8 * 8 * 3 + 8
    pool = Pool(tmp_path, "net", 5 * each, "cpu", every=0.0)
    for turn, (first, number) in enumerate([(0, 3), (10, 3), (20, 4)]):
        a_file(tmp_path, f"1-{turn}", first, number)
        pool.take_up()
    assert not list(tmp_path.iterdir())
    assert len(pool) == 5
    assert seen_of(pool, 5) == {12, 20, 21, 22, 23}


def test_a_file_larger_than_the_pool_leaves_its_last_views(tmp_path: Path) -> None:
    a_file(tmp_path, "1-0", 0, 3)
    pool = Pool(tmp_path, "net", 3 * (8 * 8 * 3 + 8), "cpu", every=0.0)
    pool.take_up()
    a_file(tmp_path, "1-1", 10, 8)
    pool.take_up()
    assert seen_of(pool, 3) == {15, 16, 17}


def test_light_keeps_the_range_and_the_same_seed_gives_the_same_light(tables: Drawn) -> None:
    seen = torch.from_numpy(np.stack([np.asarray(cv2.resize(tables[0], (64, 48)), np.uint8)] * 40))
    once, again = (lit(seen, torch.Generator().manual_seed(4), colours=True) for _ in range(2))
    assert torch.equal(once, again)
    assert once.shape == (40, 3, 48, 64)
    assert 0 <= once.min() < once.max() <= 255
    assert len({one.numpy().tobytes() for one in once}) == 40


def test_without_other_colours_the_lighter_side_stays_the_lighter() -> None:
    seen = torch.zeros(200, 16, 32, 3, dtype=torch.uint8)
    seen[:, :, :16], seen[:, :, 16:] = 60, 180
    shown = lit(seen, torch.Generator().manual_seed(4), colours=False)
    assert bool((shown[..., 20:].mean((1, 2, 3)) > shown[..., :12].mean((1, 2, 3))).all())


@pytest.mark.parametrize("least", [NUMBERS_SPREAD, LEAST_SPREAD])
def test_the_gpu_normalises_as_the_program_does(tables: Drawn, least: float) -> None:
    picture = np.asarray(cv2.resize(tables[0], (64, 64)), np.uint8)
    given = normalised(torch.from_numpy(picture)[None].permute(0, 3, 1, 2).float(), least)[0].numpy()
    wanted = number_input(picture[None])[0] if least == NUMBERS_SPREAD else net_input(picture)
    np.testing.assert_allclose(given, wanted, atol=1e-4)


def test_a_net_learns_from_the_pool(tmp_path: Path, tables: Drawn) -> None:
    picture, truth = tables
    write_boards(drawn("tables", 2, 8, check=True), tmp_path, "check-tables")
    write_views(tmp_path / "ahead", "1-0", views_of(picture, truth, np.random.default_rng(2)))
    pool = Pool(tmp_path / "ahead", nets.TABLES_MEN, 10**8, "cpu")
    batches = pool.batches(2, 1, colours=False, least_spread=12.0)
    shown, maps, _ = next(batches)
    assert shown.shape[0] == 2
    assert maps[:, LIGHTER].max() > 0.9
    report = run(nets.TABLES_MEN, tmp_path, tmp_path, Recipe(2, 2, 1e-3), checked=2, source=lambda _: batches)
    assert np.isfinite(report["check_loss"])
    assert (tmp_path / nets.TABLES_MEN).is_file()
