"""``python -m workshop.training.average BEFORE TAUGHT SHARE TARGET``: mix the weights of two nets.

A net trained further on new material reads that better, and the old material a little worse. Weights between the two
nets often read both better than either net (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
"""

import sys
from pathlib import Path

import numpy as np
import onnx
import onnx.numpy_helper

from workshop.training.further import OtherNetError


def average(before: Path, taught: Path, share: float, target: Path) -> None:
    """Write a net with ``share`` of the weights of ``taught`` and the rest of ``before``, two nets of one architecture.

    Rows of zeros in ``before`` are outputs that it was not taught yet; there the weights of ``taught`` stay as they
    are.

    Raises:
        OtherNetError: the two nets have different architectures.
    """
    old, new = onnx.load(str(before)), onnx.load(str(taught))
    pairs = list(zip(old.graph.initializer, new.graph.initializer, strict=False))
    if len(pairs) != len(new.graph.initializer) or any(
        (one.dims, one.data_type) != (other.dims, other.data_type) for one, other in pairs
    ):
        raise OtherNetError(f"Expected two nets of one kind, but {before.name} and {taught.name} differ.")
    for one, other in pairs:
        values = onnx.numpy_helper.to_array(other)
        if np.issubdtype(values.dtype, np.floating):
            earlier = onnx.numpy_helper.to_array(one).astype(np.float64)
            between = (1 - share) * earlier + share * values.astype(np.float64)
            if earlier.ndim:
                untaught = ~earlier.any(axis=tuple(range(1, earlier.ndim)))
                between[untaught] = values[untaught]
            other.CopyFrom(onnx.numpy_helper.from_array(between.astype(values.dtype), other.name))
    onnx.save(new, str(target))


if __name__ == "__main__":
    average(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4]))
