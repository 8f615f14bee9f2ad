"""Where the golden files lie; each is opened as a copy, for opening may write."""

import json
import shutil
from pathlib import Path
from typing import Any, Final

GOLDEN: Final = Path(__file__).with_name("files")
EXPECTED: Final = GOLDEN / "expected"

JOURNAL: Final = ("matches.db", "matches.pictures")
KILLED: Final = ("killed/killed.db", "killed/killed.db-wal")
THROWS: Final = ("throws.db", "throws.pictures", "throws.photographs")

BESIDE: Final = {"laboratory/cube.json": ("laboratory/cube.csv",)}
"""What a golden file needs beside it."""


def expected(name: str) -> Any:
    """Return what the earlier version told of a golden file."""
    return json.loads((EXPECTED / f"{name}.json").read_text(encoding="utf-8"))


def copied(folder: Path, *names: str) -> Path:
    """Copy golden files or folders; return the first one's copy."""
    for name in (*names, *BESIDE.get(names[0], ())):
        source = GOLDEN / name
        if source.is_dir():
            shutil.copytree(source, folder / source.name)
        else:
            shutil.copyfile(source, folder / source.name)
    return folder / Path(names[0]).name
