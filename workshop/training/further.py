"""Continue from existing weights: turn their ONNX form back into a net that can be trained."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import onnx.numpy_helper
import torch
from torch import Tensor, nn

Array = npt.NDArray[np.float32]


class OtherNetError(ValueError):
    """Weights do not fit the net to be trained."""


def take_weights(net: nn.Module, path: Path, batch: Tensor) -> None:
    """Give a net the weights of an ONNX file, so that it answers like that file's net and can be trained further.

    In the file each normalisation is folded into its convolution. This function unfolds it: the statistics are those of
    ``batch``, typical inputs of the net, and scale and shift undo them. New outputs, which follow those of the file's
    net, start with rows of zeros in the last layer.

    Raises:
        OtherNetError: the file holds another net.
    """
    stored = _layers(path)
    order = _in_order(net, batch[:1])
    if len(stored) == len(order):
        stored[-1] = _wider(stored[-1], order[-1])
    if len(stored) != len(order) or any(
        tuple(layer.weight.shape) != weight.shape for layer, (weight, _) in zip(order, stored, strict=False)
    ):
        raise OtherNetError(f"Expected the weights of the net to be trained in {path.name}, but they are of another.")
    norms = {
        one: after
        for group in net.modules()
        if isinstance(group, nn.Sequential)
        for one, after in pairwise(group)
        if isinstance(one, nn.Conv2d) and isinstance(after, nn.BatchNorm2d)
    }
    net.eval()
    pairs = []
    with torch.no_grad():
        for layer, (weight, bias) in zip(order, stored, strict=True):
            layer.weight.copy_(torch.from_numpy(weight))
            if layer in norms:
                norm, shift = norms[layer], torch.from_numpy(bias)
                norm.weight.fill_(1)
                norm.bias.copy_(shift)
                norm.running_mean.zero_()
                norm.running_var.fill_(1 - norm.eps)
                pairs.append((layer, norm, shift))
            else:
                layer.bias.copy_(torch.from_numpy(bias))
        for layer, norm, shift in pairs:
            mean, variance = _statistics(net, layer, batch)
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.copy_(torch.sqrt(variance + norm.eps))
            norm.bias.copy_(shift + mean)


def _wider(stored: tuple[Array, Array], last: nn.Module) -> tuple[Array, Array]:
    """Return the weight and bias of a last layer, with rows of zeros for the new outputs."""
    more = len(last.weight) - len(stored[0])
    if not isinstance(last, nn.Linear) or more <= 0:
        return stored
    weight, bias = stored
    return np.pad(weight, ((0, more), (0, 0))), np.pad(bias, (0, more))


def _layers(path: Path) -> list[tuple[Array, Array]]:
    """Return weight and bias of each convolution and linear layer, in the order in which they run."""
    model = onnx.load(str(path))
    values = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type in ("Cast", "Identity") and node.input[0] in values:  # layers share a stored value
            values[node.output[0]] = values[node.input[0]]
    return [
        (values[node.input[1]].astype(np.float32), values[node.input[2]].astype(np.float32))
        for node in model.graph.node
        if node.op_type in ("Conv", "Gemm")
    ]


def _in_order(net: nn.Module, sample: Tensor) -> list[nn.Module]:
    order: list[nn.Module] = []
    hooks = [
        module.register_forward_hook(lambda layer, _inputs, _output: order.append(layer))
        for module in net.modules()
        if isinstance(module, nn.Conv2d | nn.Linear)
    ]
    net.eval()
    with torch.no_grad():
        net(sample)
    for hook in hooks:
        hook.remove()
    return order


def _statistics(net: nn.Module, layer: nn.Module, batch: Tensor) -> tuple[Tensor, Tensor]:
    seen: list[Tensor] = []
    hook = layer.register_forward_hook(lambda _layer, _inputs, output: seen.append(output))
    net(batch)
    hook.remove()
    return seen[0].mean((0, 2, 3)), seen[0].var((0, 2, 3), unbiased=False)
