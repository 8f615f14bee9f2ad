"""Whether a state that a page receives has its declared shape: nothing is missing, nothing is added."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.desk.shapes.series import SeriesState
from companion.desk.shapes.table import TableState

WATCHER = Path(__file__).parent / "browser" / "shapes.js"


ROOTS = {"state_sentence": TableState, "series_list": SeriesState}
"""Each shape by a name that only this state has."""


def shape_fault(state: Any) -> list[str]:
    """Return the faults of a state: something is missing, is of another type, or is not in the shape."""
    shape = next((shape for name, shape in ROOTS.items() if name in state), None)
    if shape is None:
        return []  # a store tested on its own may hold anything
    text = json.dumps(state)
    try:
        known: Any = msgspec.json.decode(text, type=shape)
    except msgspec.ValidationError as why:
        return [f"{shape.__name__}: {why}"]
    sent = msgspec.json.decode(text)
    if sent == msgspec.json.decode(msgspec.json.encode(known)):  # nearly always; the walk below finds the paths
        return []
    return [f"{shape.__name__} does not name {path}" for path in _beside(sent, known, "")]


def _beside(sent: Any, known: Any, path: str) -> Iterator[str]:
    """Yield the paths of what was sent and is not known."""
    if isinstance(sent, dict):
        for name, value in sent.items():
            if name in known:
                yield from _beside(value, known[name], f"{path}.{name}")
            else:
                yield f"{path}.{name}"
    elif isinstance(sent, list):
        for value, there in zip(sent, known, strict=True):
            yield from _beside(value, there, f"{path}[]")


def watcher() -> str:
    """Return a script that makes the page fail when it reads a name that the shape of a state does not have."""
    roots, shapes = msgspec.json.schema_components(ROOTS.values(), ref_template="#/{name}")
    given = ", ".join(map(json.dumps, (dict(zip(ROOTS, roots, strict=True)), shapes)))
    return f"{WATCHER.read_text(encoding='utf-8').rstrip()}({given});"
