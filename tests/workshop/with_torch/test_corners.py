"""The corner net goes on from weights with fewer outputs, and what it says of its own errors is to scale."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from companion.vision.dice.corners import CHANCES, ERRORS, OFFSETS, OUTPUTS, PATCH_EDGE_PIXELS, SQUARE, START, UPPER
from companion.vision.dice.geometry import edge_length
from companion.vision.dice.nets import Net
from workshop.scenes.fonts import find_fonts
from workshop.training.corners import train as corners
from workshop.training.corners.train import corner_loss, train_corners
from workshop.training.draw import SLANTED, draw_scenes
from workshop.training.further import OtherNetError, take_weights
from workshop.training.nets import CornerNet, write_onnx
from workshop.training.schedule import Recipe
from workshop.training.store import Scenes, write_scenes

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

USUAL = torch.from_numpy(
    np.random.default_rng(4).normal(0, 1, (24, 3, PATCH_EDGE_PIXELS, PATCH_EDGE_PIXELS)).astype(np.float32)
)


def written(place: Path, net: nn.Module) -> Path:
    write_onnx(net, place, torch.zeros(2, 3, PATCH_EDGE_PIXELS, PATCH_EDGE_PIXELS), ("patches", "offsets"), {0: "n"})
    return place


def test_outputs_that_are_new_begin_at_zero_and_the_others_stay(tmp_path: Path) -> None:
    torch.manual_seed(1)
    before, after = CornerNet(UPPER).eval(), CornerNet(OUTPUTS)
    take_weights(after, written(tmp_path / "before.onnx", before), USUAL)
    with torch.no_grad():
        old, new = before(USUAL), after.eval()(USUAL)
    assert new[:, :UPPER].numpy() == pytest.approx(old.numpy(), abs=0.02)  # written in half precision
    assert not new[:, UPPER:].any()


def test_outputs_are_not_taken_away(tmp_path: Path) -> None:
    with pytest.raises(OtherNetError):
        take_weights(CornerNet(UPPER), written(tmp_path / "before.onnx", CornerNet(OUTPUTS)), USUAL)


def of_squares(off: list[float], stated: float) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return answers, wanted and known of squares, one corner of each off by so many edges, all said to be as far."""
    answers, wanted, known = (torch.zeros(len(off), OUTPUTS) for _ in range(3))
    wanted[:, OFFSETS[SQUARE].start] = torch.tensor(off) * edge_length(START[SQUARE])
    known[:, OFFSETS[SQUARE]] = 1
    answers[:, ERRORS + SQUARE] = float(np.log(stated))
    return answers.requires_grad_(), wanted, known


def test_the_error_to_be_said_is_the_median() -> None:
    off = [0.01, 0.02, 0.05, 0.2, 0.4]

    def loss(stated: float) -> float:
        answers, wanted, known = of_squares(off, stated)
        return float(corner_loss(answers, (wanted, known)).detach())

    assert loss(0.05) < min(loss(0.04), loss(0.062))
    assert loss(0.01) > loss(0.02) > loss(0.05) < loss(0.2) < loss(0.4)


def test_what_is_said_of_errors_moves_no_corner() -> None:
    gradients = []
    for sentence in (0.001, 0.05, 1.0):
        answers, wanted, known = of_squares([0.01, 0.3], sentence)
        corner_loss(answers, (wanted, known)).backward()
        assert answers.grad is not None
        gradients.append(answers.grad[:, :CHANCES])
    assert torch.equal(gradients[0], gradients[1])
    assert torch.equal(gradients[0], gradients[2])


def test_a_round_goes_on_from_weights_without_the_new_outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corners, "CHECKED", 200)
    fonts = find_fonts("train", bundled=True)
    for name, seed in (("slanted", 5), ("check-slanted", 6)):
        write_scenes(draw_scenes(fonts, 6, seed, kinds=SLANTED), tmp_path, name)
    scenes, check = (Scenes.load(tmp_path, name) for name in ("slanted", "check-slanted"))
    target = written(tmp_path / "corners.onnx", CornerNet(UPPER))
    report = train_corners(
        lambda: scenes, check, Recipe(6, 16, 1e-3, warm=1), target, state=tmp_path / "a.pt", begin=target
    )
    assert set(report) >= {"square_scale", "square_upper", "triangle_upper", "square_median", "kept"}
    assert report["kept"]
    answers = Net(target.read_bytes()).run(USUAL.numpy())
    assert answers.shape == (24, OUTPUTS)
    assert np.isfinite(answers).all()
