"""Whether a state that a page is sent has the shape that is declared for it: nothing lacks, nothing is beside."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.desk.page.shapes.series import SeriesState
from companion.desk.page.shapes.table import TableState

WATCHER = Path(__file__).parent / "browser" / "shapes.js"


ROOTS = {"state_sentence": TableState, "series_list": SeriesState}
"""By a name that only this state has."""


def shape_fault(state: Any) -> list[str]:
    """Return what is wrong with a state: something lacks, is of another kind, or is not named by the shape."""
    shape = next((shape for name, shape in ROOTS.items() if name in state), None)
    if shape is None:
        return []  # a store that is tested by itself holds anything
    text = json.dumps(state)
    try:
        known: Any = msgspec.json.decode(text, type=shape)
    except msgspec.ValidationError as why:
        return [f"{shape.__name__}: {why}"]
    return [f"{shape.__name__} does not name {path}" for path in _beside(json.loads(text), known, "")]


def _beside(sent: Any, known: Any, path: str) -> Iterator[str]:
    """Give the paths of what was sent and is not known."""
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
    """Return a script that makes an error of the page of each name that it reads and the shape of a state lacks."""
    roots, shapes = msgspec.json.schema_components(ROOTS.values(), ref_template="#/{name}")
    given = ", ".join(map(json.dumps, (dict(zip(ROOTS, roots, strict=True)), shapes)))
    return f"{WATCHER.read_text(encoding='utf-8').rstrip()}({given});"
