"""Dice set files: read TOML into a `DiceSet` and report each fault in one sentence. A file may be anybody's."""

import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, cast, get_args

from companion.rules.die import FACES, MOST_MARKS, MOST_PIPS, PIP, UNDERLINE, DiceSet, Die, Face, Shape

LARGEST_FILE_BYTES: Final = 32 * 1024  # bytes of a file: the largest shipped one has less than 2 KiB
MOST_DICE: Final = 20
MOST_LYING: Final = 200
MOST_FACES: Final = 120  # of a tile, a wheel or a solid; the wheel has 56
LONGEST_NAME: Final = 40
LONGEST_LINE: Final = 400  # title and source
LONGEST_ROW: Final = 1000  # any line of a file: a key of thousands of parts would keep the parser busy for minutes
LARGEST_VALUE: Final = 1_000_000

KINDS: Final = ("letters", "numerals", "pips")
"""How a face shows its text: each character by itself, a number in digits, or that many pips.

Among letters, a text with a small letter (``"sun"``) is the name of one mark."""

SET_KEYS: Final = frozenset(("title", "source", "values", "dice", "alike", "most", "marks", "underlined", "upright"))
DIE_KEYS: Final = frozenset(("name", "shape", "counts", "faces", "opposite", "marks", "underlined", "upright"))
FACE_KEYS: Final = frozenset(("text", "value", "marks"))

Table = Mapping[str, Any]


class DiceSetFileError(ValueError):
    """A file is not a dice set or has a fault; the sentence names the file, the die and the fault."""


def read_dice_set(path: Path) -> DiceSet:
    """Read a dice set from a file; the set's name is the file's name without ``.toml``.

    Raises:
        DiceSetFileError: the file cannot be read, is too large, or has a fault.
    """
    if not path.is_file():  # reading from a device or pipe might never end
        raise DiceSetFileError(f"Expected a dice set in {str(path)!r}, but there is no such file.")
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE_BYTES + 1)
    except OSError as why:
        raise DiceSetFileError(f"Expected a dice set in {str(path)!r}, but it cannot be read: {why}.") from why
    if len(content) > LARGEST_FILE_BYTES:
        raise DiceSetFileError(
            f"Expected a dice set of at most {LARGEST_FILE_BYTES // 1024} KiB, but {path.name} is larger."
        )
    return parse_dice_set(path.stem, content, path.name)


def parse_dice_set(name: str, content: bytes, where: str) -> DiceSet:
    """Parse the content of a TOML file into a dice set; fault sentences call the file ``where``.

    Raises:
        DiceSetFileError: the content has a fault.
    """
    if not _is_name(name):
        raise DiceSetFileError(
            f"Expected a file named with letters, digits, - and _ only, at most {LONGEST_NAME}, but got {where[:80]!r}."
        )
    try:
        text = unicodedata.normalize("NFC", content.decode("utf-8"))
    except UnicodeDecodeError as why:
        raise DiceSetFileError(f"Expected text in UTF-8 in {where}, but got something else: {why}.") from why
    if any(len(line) > LONGEST_ROW for line in text.split("\n")):
        raise DiceSetFileError(f"Expected lines of at most {LONGEST_ROW} characters in {where}: break the longer ones.")
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as why:  # RecursionError: nested too deeply
        why_not = "it is nested too deeply" if isinstance(why, RecursionError) else str(why).rstrip(".")
        raise DiceSetFileError(f"Expected TOML text in {where}, but got something else: {why_not}.") from why
    return _SetFile(where, data).dice_set(name)


class _SetFile:
    """One file during its check; every fault sentence starts with the file's name."""

    def __init__(self, where: str, data: Table) -> None:
        self.where = where
        self.data = data

    def dice_set(self, name: str) -> DiceSet:
        data = self.data
        self._known_keys(data, SET_KEYS, "")
        values = self._values()
        entries = self._list(data, "dice", "")
        if not 1 <= len(entries) <= MOST_DICE or not all(isinstance(entry, dict) for entry in entries):
            raise self._fault("", f"1 to {MOST_DICE} tables [[dice]]", f"{len(entries)} entries")
        underlined = self._underlined(data, "")
        dice = tuple(self._die(entry, number, values, underlined) for number, entry in enumerate(entries, 1))
        self._are_faces(underlined, [face for die in dice for face in die.faces], "")
        twice = [die for die, count in Counter(die.name for die in dice).items() if count > 1]
        if twice:
            raise self._fault(twice[0], "a name of its own for each die", "two dice of this name")
        self._check_letters(dice)
        alike = self._flag(data, "alike", "", default=False)
        if alike and len({(die.shape, die.faces) for die in dice}) > 1:
            raise self._fault("", "the same shape and faces on all dice where alike = true", "dice that differ")
        most = data.get("most", len(dice))
        if not _is_whole(most) or not len(dice) <= most <= MOST_LYING:
            raise self._fault("", f"most as a whole number from {len(dice)} to {MOST_LYING}", _shown(most))
        if most > len(dice) and not alike:
            raise self._fault("", "most together with alike = true only", "dice that are told apart")
        return DiceSet(name, self._line(data, "title"), self._line(data, "source"), dice, alike, most)

    def _die(self, entry: Table, number: int, values: Mapping[str, int], underlined: frozenset[str]) -> Die:
        name = entry.get("name")
        if not isinstance(name, str) or not _is_name(name):
            raise self._fault(
                f"number {number}", f"a name of letters, digits, - and _, at most {LONGEST_NAME}", _shown(name)
            )
        self._known_keys(entry, DIE_KEYS, name)
        shape = self._word(entry, "shape", name, get_args(Shape), None)
        texts = self._list(entry, "faces", name)
        wanted = FACES.get(cast("Shape", shape))
        if wanted is not None and len(texts) != wanted:
            raise self._fault(name, f"{wanted} faces on a {shape}", str(len(texts)))
        if not 1 <= len(texts) <= MOST_FACES:
            raise self._fault(name, f"1 to {MOST_FACES} faces", str(len(texts)))
        upright = self._flag(entry, "upright", name, default=self._flag(self.data, "upright", "", default=True))
        if shape == "wheel":
            sectors = tuple(self._sector(text, place, name) for place, text in enumerate(texts, 1))
            return Die(name, "wheel", "up", sectors)
        if shape == "solid":
            return self._solid(entry, name, values)
        hidden = "down" if shape == "tetrahedron" else "up"
        if self._word(entry, "counts", name, ("up", "down"), hidden) != hidden:
            raise self._fault(name, f"counts = {hidden!r} for a {shape}", _shown(entry["counts"]))
        marked = self._word(entry, "marks", name, KINDS, self._word(self.data, "marks", "", KINDS, "letters"))
        own = self._underlined(entry, name)
        lined = own if "underlined" in entry else underlined
        faces = tuple(self._face(face, name, marked, lined, values) for face in texts)
        self._are_faces(own, faces, name)
        self._check_distinct(faces, name)
        opposite = self._opposite(entry, name, len(faces))
        return Die(name, cast("Shape", shape), "down" if hidden == "down" else "up", faces, opposite, upright)

    def _solid(self, entry: Table, name: str, values: Mapping[str, int]) -> Die:
        """Return a die that no camera reads: its faces have no marks, so 12 and 21 do not look alike."""
        texts = [self._text(text, name) for text in self._list(entry, "faces", name)]
        faces = tuple(Face(text, values.get(text, int(text) if _is_number(text) else len(text)), ()) for text in texts)
        return Die(name, "solid", "up", faces, self._opposite(entry, name, len(faces)))

    def _sector(self, text: Any, place: int, die: str) -> Face:
        """Return a wheel's sector; its value is its place. No camera reads it, so it has no marks."""
        return Face(self._text(text, die), place, ())

    def _face(self, face: Any, die: str, marked: str, underlined: frozenset[str], values: Mapping[str, int]) -> Face:
        entry: Table = face if isinstance(face, dict) else {"text": face}
        self._known_keys(entry, FACE_KEYS, die)
        text = self._text(entry.get("text"), die)
        named = marked == "letters" and any(letter.islower() for letter in text)
        usual = int(text) if _is_number(text) else 1 if named else len(text)
        value = entry.get("value", values.get(text, usual))
        if not _is_value(value):
            raise self._fault(die, f"a whole number as the value of face {text!r}", _shown(value))
        if "marks" in entry:
            marks = tuple(self._text(mark, die, "marks") for mark in self._list(entry, "marks", die))
        elif marked == "letters":
            marks = (text,) if named else tuple(text)
        elif not _is_number(text):
            raise self._fault(die, f"a number on each face where marks = {marked!r}", _shown(text))
        elif marked == "pips":
            marks = (PIP,) * min(int(text), MOST_PIPS + 1)
        else:
            marks = tuple(text)
        if text in underlined:
            marks = (*marks, UNDERLINE)
        if marks.count(PIP) > MOST_PIPS or len(marks) > MOST_MARKS:
            raise self._fault(
                die, f"at most {MOST_PIPS} pips and {MOST_MARKS} marks on face {text!r}", f"{len(marks)} marks"
            )
        return Face(text, value, marks)

    def _check_distinct(self, faces: tuple[Face, ...], die: str) -> None:
        """Refuse faces of different texts with the same marks, and faces of the same text with different values.

        Nobody could say which of these faces was thrown.
        """
        worth: dict[str, int] = {}
        seen: dict[tuple[str, ...], str] = {}
        for face in faces:
            first = seen.setdefault(tuple(sorted(face.marks)), face.text)
            if first != face.text:
                raise self._fault(
                    die, "other marks on faces of another text", f"the same marks on {first!r} and {face.text!r}"
                )
            if worth.setdefault(face.text, face.value) != face.value:
                raise self._fault(die, f"one value of all faces {face.text!r}", f"{worth[face.text]} and {face.value}")

    def _check_letters(self, dice: Iterable[Die]) -> None:
        """Refuse texts that differ only in the order of their letters, but not in that of their marks.

        Nobody who types a text, and no memory of the dice, could distinguish these faces.
        """
        known: dict[str, Face] = {}
        for die in dice:
            for face in die.faces:
                first = known.setdefault(face.text if _is_number(face.text) else "".join(sorted(face.text)), face)
                if first.text != face.text and sorted(first.marks) != sorted(face.marks):
                    raise self._fault(
                        die.name,
                        "texts that differ in more than the order of letters",
                        f"{first.text!r} and {face.text!r}",
                    )

    def _underlined(self, table: Table, die: str) -> frozenset[str]:
        texts = self._list(table, "underlined", die, default=[])
        return frozenset(self._text(text, die) for text in texts)

    def _are_faces(self, texts: frozenset[str], faces: Iterable[Face], die: str) -> None:
        strange = sorted(texts - {face.text for face in faces})
        if strange:
            raise self._fault(die, "texts of faces under underlined", _shown(strange[0]))

    def _opposite(self, entry: Table, die: str, faces: int) -> tuple[tuple[int, int], ...]:
        pairs = self._list(entry, "opposite", die, default=[])
        places = [place for pair in pairs if isinstance(pair, list) for place in pair]
        if any(not isinstance(pair, list) or len(pair) != 2 for pair in pairs) or (  # noqa: PLR2004 - a pair
            pairs and (not all(map(_is_whole, places)) or sorted(places) != list(range(faces)))
        ):
            raise self._fault(die, f"opposite as pairs of the places 0 to {faces - 1}, each in one pair", _shown(pairs))
        return tuple((one, other) for one, other in pairs)

    def _values(self) -> Mapping[str, int]:
        values = self.data.get("values", {})
        if not isinstance(values, dict) or not all(map(_is_value, values.values())):
            raise self._fault("", "[values] with a whole number for each text", _shown(values))
        return values

    def _text(self, text: Any, die: str, what: str = "faces") -> str:
        text = str(text) if _is_value(text) else text
        if not isinstance(text, str) or not 1 <= len(text) <= LONGEST_NAME or any(c in " ," for c in text):
            raise self._fault(
                die, f"{what} as texts of 1 to {LONGEST_NAME} characters without blank or comma", _shown(text)
            )
        if not text.isprintable():
            raise self._fault(die, f"{what} of letters that can be printed", _shown(text))
        return text

    def _line(self, table: Table, key: str) -> str:
        line = table.get(key)
        if not isinstance(line, str) or not 1 <= len(line) <= LONGEST_LINE or not line.isprintable():
            raise self._fault("", f"{key} as one line of at most {LONGEST_LINE} characters", _shown(line))
        return line

    def _word(self, table: Table, key: str, die: str, known: tuple[str, ...], default: str | None) -> str:
        word = table.get(key, default)
        if not isinstance(word, str) or word not in known:
            raise self._fault(die, f"{key} as one of {', '.join(known)}", _shown(word))
        return word

    def _flag(self, table: Table, key: str, die: str, *, default: bool) -> bool:
        flag = table.get(key, default)
        if not isinstance(flag, bool):
            raise self._fault(die, f"{key} as true or false", _shown(flag))
        return flag

    def _list(self, table: Table, key: str, die: str, default: list[Any] | None = None) -> list[Any]:
        entries = table.get(key, default)
        if not isinstance(entries, list):
            raise self._fault(die, f"{key} as a list", _shown(entries))
        return entries

    def _known_keys(self, table: Table, known: frozenset[str], die: str) -> None:
        strange = sorted(table.keys() - known)
        if strange:
            raise self._fault(die, f"only {', '.join(sorted(known))}", _shown(strange[0]))

    def _fault(self, die: str, expected: str, got: str) -> DiceSetFileError:
        where = f"{self.where}, die {die}" if die else self.where
        return DiceSetFileError(f"{where}: expected {expected}, but got {got}.")


def _is_name(text: str) -> bool:
    plain = text.replace("-", "").replace("_", "")
    return plain.isascii() and plain.isalnum() and len(text) <= LONGEST_NAME


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _is_whole(value: Any) -> bool:
    return type(value) is int  # excludes true and false, which Python counts as integers


def _is_value(value: Any) -> bool:
    return _is_whole(value) and abs(value) <= LARGEST_VALUE


def _shown(value: Any) -> str:
    """Return a value from a file, cut to fit into a sentence."""
    return repr(value)[:60]
