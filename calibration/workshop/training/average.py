"""``python -m calibration.workshop.training.average BEFORE TAUGHT SHARE TARGET``: weights between two nets of one kind.

A net that was taught further on other material reads that better and the old a little worse; weights between both
often read each better than either (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
"""

import sys
from pathlib import Path

import numpy as np
import onnx
import onnx.numpy_helper

from calibration.workshop.training.further import OtherNetError


def average(before: Path, taught: Path, share: float, target: Path) -> None:
    """Write the net whose weights are ``share`` those of ``taught``, and the rest those of ``before``.

    Rows of zeros in ``before`` are outputs that it was not taught yet: those are the taught net's alone.

    Raises:
        OtherNetError: the two are no nets of one kind.
    """
    old, new = onnx.load(str(before)), onnx.load(str(taught))
    pairs = list(zip(old.graph.initializer, new.graph.initializer, strict=False))
    if len(pairs) != len(new.graph.initializer) or any(
        (one.name, one.dims, one.data_type) != (other.name, other.dims, other.data_type) for one, other in pairs
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
