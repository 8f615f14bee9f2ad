"""Write rendered frames with their labels into a folder: JPEG files, and labels.jsonl with one line per image."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workshop.scenes.render import Rendered


@dataclass
class FrameFolder:
    """A folder of frames. `close` writes the labels; until then they are only in memory."""

    path: Path
    lines: list[dict[str, Any]] = field(default_factory=list)
    size: int = 0

    def __post_init__(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)

    def add(self, name: str, rendered: Rendered, **more: Any) -> None:
        """Write a frame as ``name`` and keep its labels for `close`; ``more`` adds fields to its line."""
        (self.path / name).write_bytes(rendered.jpeg)
        self.size += len(rendered.jpeg)
        self.lines.append({**rendered.to_json(name), **more})

    def close(self) -> None:
        """Write the labels."""
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self.lines)
        (self.path / "labels.jsonl").write_text(text, encoding="utf-8")

    def summary(self) -> dict[str, Any]:
        """Return what was written, for a command's report."""
        dice = [thing for line in self.lines for thing in line["objects"]]
        return {
            "folder": str(self.path),
            "images": len(self.lines),
            "dice": len(dice),
            "legible": sum(thing["legible"] for thing in dice),
            "bytes": self.size,
        }
