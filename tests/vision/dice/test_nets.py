"""What a net takes of memory does not hang on how much it is asked at once, nor on how many readers ask it."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from companion.live.watching.dice_settings import dice_reader
from companion.vision.dice.nets import AT_ONCE, CORNERS, FACES, LOCATOR, PATCH_PIXELS, ROWS, SECOND, Net, Nets
from companion.vision.dice.reader import DiceReader
from tests.vision.stage import Stage, four_dice


@pytest.mark.parametrize("number", [AT_ONCE + 1, 5 * AT_ONCE])
def test_a_large_batch_goes_through_in_parts_to_the_same_answers(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = np.random.default_rng(1).normal(size=(number, 3, PATCH_PIXELS, PATCH_PIXELS)).astype(np.float32)
    net = Net(CORNERS)
    forward = net._forward
    whole = forward(batch, net._outputs)[0]
    sizes: list[int] = []

    def counted(part: npt.NDArray[np.float32], outputs: Sequence[str]) -> list[npt.NDArray[np.float32]]:
        sizes.append(len(part))
        return forward(part, outputs)

    monkeypatch.setattr(net, "_forward", counted)
    assert np.allclose(net.run(batch), whole, atol=1e-5)  # a convolution adds up in another order for larger batches
    assert sum(sizes) == number
    assert max(sizes) <= AT_ONCE


def test_an_answer_is_not_changed_by_the_next_question() -> None:
    net, chance = Net(FACES), np.random.default_rng(1)
    first = net.run(chance.random((2, 3, PATCH_PIXELS, PATCH_PIXELS), np.float32))
    kept = first.copy()
    net.run(chance.random((2, 3, PATCH_PIXELS, PATCH_PIXELS), np.float32))
    assert np.array_equal(first, kept)


def test_a_table_loads_its_nets_once_for_all_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    load = Net.__init__

    def counted(net: Net, name: str | bytes) -> None:
        loaded.append(str(name))
        load(net, name)

    monkeypatch.setattr(Net, "__init__", counted)
    make = dice_reader(warm=True)
    assert sorted(loaded) == [CORNERS, FACES, LOCATOR, ROWS, SECOND]
    picture = Stage(dice=four_dice()).picture()
    for dice in (("wibold", None), ("wibold", ("1", "2", "3")), ("pips", None)):
        make(dice).read(picture)
    assert sorted(loaded) == [CORNERS, FACES, LOCATOR, ROWS, SECOND]


def test_readers_that_share_nets_read_as_one_with_its_own() -> None:
    picture, nets = Stage(dice=four_dice()).picture(), Nets()
    DiceReader("pips", nets=nets).read(picture)
    shared, own = DiceReader("wibold", nets=nets).read(picture), DiceReader("wibold").read(picture)
    assert shared.dice == own.dice
