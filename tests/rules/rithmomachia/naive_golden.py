"""The form in which the golden matches are written down, and how it is read.

``#`` starts a comment. A header of lines ``game SLUG``, ``option NAME VALUE``, and for a match that does not begin with
the array ``turn PLAYER``, ``white MEN``, ``black MEN`` (as in `naive_positions.men`) and ``PLAYER holds MEN``; then one
line a choice, ``PLAYER CHOICE``; at the end ``won by PLAYER: WORD``, a word of the reason, or ``goes on``.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.rules.rithmomachia.naive import State, start
from tests.rules.rithmomachia.naive_positions import men, state

FOLDER = Path(__file__).parent / "golden"


@dataclass
class Match:
    """A match as written: its first position as JSON, the choices with who makes each, the end."""

    slug: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    turn: int = 1
    placed: list[str] = field(default_factory=list)
    held: dict[str, str] = field(default_factory=dict)
    choices: list[tuple[int, str]] = field(default_factory=list)
    winners: tuple[int, ...] | None = None
    reason: str = ""

    def first(self) -> State:
        """Return the position before the first choice; one that was set up is a study, in which no man is missed."""
        if not self.placed:
            return start(self.slug, **self.options)
        found = state(self.slug, "; ".join(self.placed), self.turn, **self.options)
        for player, text in self.held.items():
            found["captured"][player] = [man for entry in text.split(";") for man in men(_on_squares(entry)).values()]
        return {**found, "study": True}


def _on_squares(text: str) -> str:
    """Give each man of ``"black 9c, 12t"`` a square, any one, so that `men` reads them."""
    colour, _, rest = text.strip().partition(" ")
    return f"{colour} " + ", ".join(f"{word.strip()} a{n}" for n, word in enumerate(rest.split(","), 1))


def value(text: str) -> bool | int | str:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdecimal() else text


def read(path: Path) -> Match:
    """Read a golden match."""
    match = Match()
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.partition("#")[0].strip()
        if words:
            _read_line(match, words)
    return match


def _read_line(match: Match, words: str) -> None:
    first, _, rest = words.partition(" ")
    if first == "game":
        match.slug = rest
    elif first == "option":
        name, _, text = rest.partition(" ")
        match.options[name] = value(text)
    elif first == "turn":
        match.turn = int(rest)
    elif first in ("white", "black"):
        match.placed.append(words)
    elif rest.startswith("holds "):
        match.held[first] = rest.removeprefix("holds ")
    elif first == "won":
        who, _, match.reason = rest.removeprefix("by ").partition(": ")
        match.winners = tuple(int(player) for player in who.split(" and "))
    elif words == "goes on":
        match.winners = ()
    else:
        match.choices.append((int(first), rest))
