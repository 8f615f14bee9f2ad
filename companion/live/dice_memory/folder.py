"""The memories of one table's dice on the disk: one file for each set and camera, beside the journal."""

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from companion.language.sentence import Sentence
from companion.rules.dice import dice_set
from companion.vision.dice.faces import FaceReader, Vectors
from companion.vision.dice.memory.store import MemoryFileError, load, save
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.nets import Nets, settings
from companion.vision.readings import Image
from companion.whole_file import set_aside

log = logging.getLogger(__name__)

ENDING: Final = ".memory"
NAMED_BY: Final = 16
"""Characters of the hash that stand for a camera: its name may hold a password."""


class MemoryFolder:
    """Keeps memories in a folder. Any thread, but each file only in one at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, set_name: str, camera: str) -> Path:
        """Return the file of a set of dice under a camera."""
        named = hashlib.sha256(f"{set_name}\n{camera}".encode()).hexdigest()[:NAMED_BY]
        return self._folder / f"{set_name if set_name.replace('-', '').isalnum() else 'dice'}-{named}{ENDING}"

    def holds(self, set_name: str, camera: str) -> bool:
        """Return whether there is a file."""
        return self.path(set_name, camera).is_file()

    def load(self, set_name: str, camera: str, start: TableMemory | None = None) -> tuple[TableMemory, Sentence | None]:
        """Return the memory; if there is none, a copy of ``start`` or an empty one.

        A file that cannot be used is set aside; then the sentence says so.
        """
        path, begun = self.path(set_name, camera), TableMemory() if start is None else start.copy()
        try:
            return load(path, set_name, _described), None
        except FileNotFoundError:
            return begun, None
        except MemoryFileError as why:
            trouble = Sentence(
                "What the table remembered of its dice could not be used: the file is kept as {file}, and the table "
                "learns its dice from scratch.",
                file=set_aside(path),
            )
            log.warning("%s %s", why, trouble)
            return begun, trouble

    def save(self, set_name: str, camera: str, memory: TableMemory) -> None:
        """Write a memory.

        Raises:
            MemoryFileError: the disk does not take it.
        """
        save(self.path(set_name, camera), memory, set_name)

    def remove(self, set_name: str, camera: str) -> None:
        """Delete a memory, if it is there.

        Raises:
            OSError: it cannot be deleted.
        """
        self.path(set_name, camera).unlink(missing_ok=True)


def _described(patches: Sequence[Image]) -> Vectors:
    """Describe faces again, of whichever dice: only where another net described them does this load a net."""
    return FaceReader(dice_set("pips"), settings().temperature, Nets()).describe(patches)
