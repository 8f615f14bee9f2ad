"""The cards of what was learnt: TOML files with an entry for each game, by its name."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write(file: Path, head: str, known: Mapping[str, Mapping[str, Any]]) -> None:
    """Write a card: the head, then each entry with its figures, and its ``weights``, if it has any, by their names."""
    parts = [head]
    for slug, entry in sorted(known.items()):
        lines = [f'["{slug}"]', *(f"{name} = {value}" for name, value in entry.items() if name != "weights")]
        if "weights" in entry:
            lines += [f'["{slug}".weights]', *(f"{name} = {value}" for name, value in entry["weights"].items())]
        parts.append("\n".join(lines) + "\n")
    file.write_text("\n".join(parts), encoding="utf-8")
