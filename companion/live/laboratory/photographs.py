"""Photographs of the faces of a die, taken when its owner asks for it, and kept beside the series for the report."""

from collections.abc import Iterable
from pathlib import Path

from companion.desk.sight import Sight
from companion.language.sentence import Sentence
from companion.live.keeping import MOST_DAYS, Keeping, PictureFolder
from companion.live.pictures import digest
from companion.referee.refused import RefusedError
from companion.whole_file import UnwrittenFileError


class Photographs:
    """A folder of photographs, each named by its hash. They stay, because somebody asked for each of them."""

    def __init__(self, folder: Path) -> None:
        self._folder = PictureFolder(folder, Keeping("all", MOST_DAYS))

    def take(self, sight: Sight) -> str:
        """Keep a picture of the one die that lies there now, and return its hash.

        Raises:
            RefusedError: there is not exactly one die that lies still, or the disk takes no picture.
        """
        seen = sight.seen
        if seen is None:
            raise RefusedError(
                Sentence("Expected a die at rest in front of the camera: put it down and take your hand away.")
            )
        dice = [place for place, die in enumerate(seen.reading.dice) if die.status != "ignored"]
        if len(dice) != 1:
            raise RefusedError(
                Sentence("Expected one die on the table, but the camera sees {count}: leave only one.", count=len(dice))
            )
        picture = seen.crops[dice[0]]
        name = digest(picture)
        try:
            self._folder.keep(name, picture, asked=True)
        except UnwrittenFileError as why:
            raise RefusedError(why.sentence) from why
        return name

    def hold(self, picture: bytes, *, asked: bool = False) -> str:
        """Keep the crop of a throw that is named later, in a row, and return its hash.

        If the disk does not take it, the counting goes on. ``asked`` makes no difference here.
        """
        del asked
        name = digest(picture)
        self._folder.try_to_keep(name, picture, asked=True)
        return name

    def has(self, name: str) -> bool:
        """Return whether there is a photograph, or the crop of a throw, under this hash."""
        return self._folder.holds(name)

    def get(self, name: str) -> bytes | None:
        """Return a photograph by its hash, or None."""
        return self._folder.read(name)

    def remove(self, names: Iterable[str]) -> int:
        """Delete photographs by their hashes; return how many there were."""
        return self._folder.remove(names)
