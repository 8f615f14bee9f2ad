"""Write the types of what a page receives, for the check of its scripts: ``companion.desk.shapes`` as TypeScript.

``python -m workshop.page_types`` writes ``.ci/page/shapes.d.ts``, whose types the scripts name in their comments.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from companion.desk.shapes.series import SeriesState
from companion.desk.shapes.table import TableState

WRITTEN = Path(__file__).resolve().parents[1] / ".ci" / "page" / "shapes.d.ts"
SIMPLE = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", Any: "any"}


def declared() -> str:
    """Return the declarations of all shapes that the states of table and laboratory are made of."""
    shapes: dict[str, type] = {}
    for root in (TableState, SeriesState):
        shapes |= {shape.__name__: shape for shape in _within(root)}
    text = "// Written by `python -m workshop.page_types` from companion/desk/shapes.\n"
    return text + "".join(_interface(shape) for _, shape in sorted(shapes.items()))


def _within(kind: Any) -> Iterator[type]:
    """Yield the shapes that a type names, directly or through others; itself first."""
    if is_typeddict(kind):
        yield kind
        for field in get_type_hints(kind).values():
            yield from _within(field)
    for part in get_args(kind):
        yield from _within(part)


def _interface(shape: type) -> str:
    optional: frozenset[str] = getattr(shape, "__optional_keys__")  # noqa: B009  (mypy knows a shape only as a type)
    fields = [
        f"  {name}{'?' * (name in optional)}: {_typescript(kind)};\n" for name, kind in get_type_hints(shape).items()
    ]
    return f"\ninterface {shape.__name__} {{\n{''.join(fields)}}}\n"


def _typescript(kind: Any) -> str:
    """Return a Python type as TypeScript writes it.

    Raises:
        TypeError: JSON has no such type.
    """
    if kind in SIMPLE:
        return SIMPLE[kind]
    if is_typeddict(kind):
        return str(kind.__name__)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " | ".join(f'"{part}"' for part in parts)
    within = [_typescript(part) for part in parts]
    either = " | ".join(within)
    row = f"[{', '.join(within)}]"
    written = {list: f"Array<{either}>", tuple: row, Union: either, UnionType: either}
    for mapping in (dict, Mapping):
        written[mapping] = f"Record<{', '.join(within)}>"
    if origin not in written:
        raise TypeError(f"JSON has no {kind}.")
    return written[origin]


if __name__ == "__main__":
    WRITTEN.write_text(declared(), encoding="utf-8")
