"""A game at the prompt as a file that people can read: the game, its players, and every move as typed.

The first line names the form and the last one counts the moves; they show whether a file is a whole saved game::

    Alea game, form 1
    game: ludus-regularis/wheel
    player: Ada
    player: Bo
    option: ending=first-to
    seed: 7
    move: Pax
    end: 1 moves

A line ``rules: HASH`` names the revision of the rules at the game's start; the first version of the program wrote none.
A game that began from a position that somebody set up has this position as a line of JSON, ``position: {...}``, after
its options, which are then those of the position.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.commands.common_options import option_value, position_of
from companion.rules.dice import ThrowError
from companion.rules.errors import GameError
from companion.rules.game import Position
from companion.rules.options import OptionValue
from companion.rules.registry import game
from companion.whole_file import write_whole

FIRST_LINE = "Alea game, form 1"
LARGEST_SAVED_GAME = 4 * 1024 * 1024  # characters; a game of Wibold's has some 20,000


class SavedGameError(ValueError):
    """A file is no saved game, or one that cannot be replayed; the text is one sentence."""


@dataclass(frozen=True)
class SavedGame:
    """The content of a file: ``moves`` are as typed; ``position`` is where the game began if not at the start."""

    slug: str
    players: tuple[str, ...]
    options: Mapping[str, OptionValue]
    seed: int
    moves: tuple[str, ...]
    position: Mapping[str, Any] | None = None
    rules: str = ""

    def lines(self) -> Iterator[str]:
        """Yield the file's lines."""
        yield FIRST_LINE
        yield f"game: {self.slug}"
        yield from (f"player: {name}" for name in self.players)
        for name, value in self.options.items():
            yield f"option: {name}={str(value).lower() if isinstance(value, bool) else value}"
        if self.position is not None:
            yield f"position: {json.dumps(self.position, ensure_ascii=False)}"
        if self.rules:
            yield f"rules: {self.rules}"
        yield f"seed: {self.seed}"
        yield from (f"move: {move}" for move in self.moves)
        yield f"end: {len(self.moves)} moves"

    def replayed(self) -> list[Position]:
        """Return every position from the start on, with each move checked.

        Raises:
            SavedGameError: the game cannot begin like this, or a move is not allowed at its place.
        """
        try:
            path: list[Position] = [self._begun()]
        except (GameError, ThrowError) as refused:
            raise SavedGameError(f"This saved game cannot be started: {refused}") from refused
        for number, typed in enumerate(self.moves, 1):
            try:
                path.append(path[-1].after(path[-1].parse(typed)))
            except (GameError, ThrowError) as refused:
                raise SavedGameError(
                    f"Move {number} of this saved game, {typed!r}, does not fit: {refused}"
                ) from refused
        return path

    def _begun(self) -> Position:
        if self.position is None:
            then = game(self.slug).options_then(self.rules)
            return game(self.slug).start(len(self.players), **{**then, **self.options})
        position = position_of(game(self.slug), self.position)
        if position.players != len(self.players):
            raise SavedGameError(
                f"This saved game cannot be started: its position has {position.players} players, "
                f"but it names {len(self.players)}."
            )
        return position


def save(file: Path, saved: SavedGame) -> None:
    """Write a game atomically.

    Raises:
        SavedGameError: the file exists and is no saved game.
        OSError: the file cannot be written.
    """
    if file.exists() and not _begins_well(file):
        raise SavedGameError(f"{file} already exists and is not a saved game: name another file.")
    write_whole(file, ("\n".join(saved.lines()) + "\n").encode())


def load(file: Path) -> SavedGame:
    """Read a game; `SavedGame.replayed` checks its moves.

    Raises:
        SavedGameError: the file is no saved game, or is torn.
        OSError: the file cannot be read.
    """
    if not _begins_well(file):
        raise SavedGameError(f"{file} is not a saved game: expected {FIRST_LINE!r} in its first line.")
    with file.open(encoding="utf-8", errors="replace") as opened:
        lines = opened.read(LARGEST_SAVED_GAME).splitlines()[1:]
    tags: dict[str, list[str]] = {
        name: [] for name in ("game", "player", "option", "position", "rules", "seed", "move", "end")
    }
    for number, line in enumerate(lines, 2):
        name, colon, value = line.partition(": ")
        if not colon or name not in tags:
            raise SavedGameError(
                f"Line {number} of {file} should begin with {', '.join(f'{known}:' for known in tags)}, "
                f"but it is {line[:60]!r}."
            )
        tags[name].append(value.strip())
    if tags["end"] != [f"{len(tags['move'])} moves"] or not lines[-1].startswith("end: "):
        raise SavedGameError(
            f"{file} is damaged: it holds {len(tags['move'])} moves, and its last line does not say so."
        )
    return SavedGame(
        _only(tags["game"], "game", file),
        tuple(tags["player"]),
        dict(_option(text, file) for text in tags["option"]),
        _seed(_only(tags["seed"], "seed", file), file),
        tuple(tags["move"]),
        _position(tags["position"], file),
        _only(tags["rules"], "rules", file) if tags["rules"] else "",
    )


def _begins_well(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(len(FIRST_LINE) + 2).split(b"\n")[0].rstrip() == FIRST_LINE.encode()


def _only(found: Sequence[str], name: str, file: Path) -> str:
    if len(found) != 1:
        raise SavedGameError(f"{file} should have one line {name!r}, but it has {len(found)}.")
    return found[0]


def _option(text: str, file: Path) -> tuple[str, OptionValue]:
    name, equals, value = text.partition("=")
    if not equals:
        raise SavedGameError(f"{file} should have options like ending=throws, but it has {text!r}.")
    return name, option_value(value)


def _position(found: Sequence[str], file: Path) -> Mapping[str, Any] | None:
    if not found:
        return None
    try:
        read = json.loads(_only(found, "position", file))
    except ValueError as problem:
        raise SavedGameError(f"{file} should have its position as JSON, but: {problem}.") from problem
    if not isinstance(read, dict):
        raise SavedGameError(f"{file} should have its position as a JSON object, but it has {found[0][:60]!r}.")
    return read


def _seed(text: str, file: Path) -> int:
    if not text.isdecimal():
        raise SavedGameError(f"{file} should have a whole number as its seed, but it has {text!r}.")
    return int(text)
