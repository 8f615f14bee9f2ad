"""A part of a work that waits until it may end: a worker can be killed meanwhile."""

import time
from pathlib import Path

from companion.parallel.parts import WorkPart


def squares(folder: str, part: WorkPart) -> list[int]:
    """Return the squares of a part's numbers, once the file ``go`` is in the folder; tell there who has begun."""
    place = Path(folder)
    place.joinpath(f"begun {part.first}").touch()
    while not place.joinpath("go").exists():
        time.sleep(0.02)
    return [number**2 for number in range(part.first, part.first + part.count)]
