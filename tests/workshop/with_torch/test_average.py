"""Weights between two nets are those between theirs."""

from pathlib import Path

import numpy as np
import onnx
import onnx.numpy_helper
import pytest
import torch
from torch import nn

from workshop.training.average import average
from workshop.training.further import OtherNetError
from workshop.training.nets import write_onnx

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def written(place: Path, value: float, wide: int = 40) -> Path:
    net = nn.Linear(wide, 20)
    with torch.no_grad():
        net.weight.fill_(value)
        net.bias.fill_(-value)
    write_onnx(net, place, torch.zeros(1, wide), ("shown", "answers"), {0: "n"})
    return place


def test_seven_tenths_of_one_and_three_of_the_other(tmp_path: Path) -> None:
    target = tmp_path / "between.onnx"
    average(written(tmp_path / "old.onnx", 1.0), written(tmp_path / "new.onnx", 2.0), 0.7, target)
    values = [onnx.numpy_helper.to_array(one) for one in onnx.load(str(target)).graph.initializer]
    assert sorted({round(float(number), 2) for one in values for number in one.ravel()}) == [-1.7, 1.7]
    assert target.stat().st_size == (tmp_path / "new.onnx").stat().st_size


def test_outputs_that_the_older_net_was_not_taught_are_the_newer_ones(tmp_path: Path) -> None:
    old, new = written(tmp_path / "old.onnx", 1.0), written(tmp_path / "new.onnx", 2.0)
    model = onnx.load(str(old))
    for tensor in model.graph.initializer:
        values = onnx.numpy_helper.to_array(tensor).copy()
        values[-3:] = 0
        tensor.CopyFrom(onnx.numpy_helper.from_array(values, tensor.name))
    onnx.save(model, str(old))
    average(old, new, 0.7, tmp_path / "between.onnx")
    for one in onnx.load(str(tmp_path / "between.onnx")).graph.initializer:
        values = np.abs(onnx.numpy_helper.to_array(one).astype(np.float64))
        assert values[:-3] == pytest.approx(1.7, abs=0.01)
        assert values[-3:] == pytest.approx(2.0, abs=0.01)


def test_nets_of_two_kinds_are_refused(tmp_path: Path) -> None:
    old, new = written(tmp_path / "old.onnx", 1.0), written(tmp_path / "new.onnx", 2.0, wide=50)
    with pytest.raises(OtherNetError, match="Expected two nets of one kind"):
        average(old, new, 0.5, tmp_path / "between.onnx")
