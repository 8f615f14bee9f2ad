"""A game in progress at the prompt: its positions, its dice, and what the prompt prints about it."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from companion.commands.outcome_sentence import result
from companion.commands.play.saved import SavedGame
from companion.language.sentence import Sentence, why_of
from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import GameError
from companion.rules.game import Choice, Position
from companion.rules.options import OptionValue

MOST_LISTED = 60  # choices; more would scroll the board off the screen


@dataclass
class Sitting:
    """A game in progress: ``past`` has all positions, the current one last; ``typed`` has the moves between them.

    ``begun_from`` is the JSON of a position that somebody set up to begin from, or None for a game from its start.
    ``rules`` is the hash of the rules at the game's start, or "" if a saved game has none. ``seats``: the numbers of
    the players that the program plays, at its ``strength``.
    """

    names: tuple[str, ...]
    options: Mapping[str, OptionValue]
    seed: int
    past: list[Position]
    typed: list[str] = field(default_factory=list)
    begun_from: Mapping[str, Any] | None = None
    rules: str = ""
    seats: Sequence[int] = ()
    strength: str = ""

    @property
    def now(self) -> Position:
        """The current position."""
        return self.past[-1]

    @property
    def saved(self) -> SavedGame:
        """The game so far, for saving in a file."""
        return SavedGame(
            self.now.game.slug, self.names, self.options, self.seed, tuple(self.typed), self.begun_from, self.rules
        )

    @property
    def chance(self) -> random.Random:
        """The program's random generator for the next move.

        It depends on the seed and the number of moves. A loaded game therefore continues as it would have, and a throw
        that is taken back and made again has the same result.
        """
        return random.Random(f"{self.seed} {len(self.typed)}")  # noqa: S311 - dice, no secrets

    @property
    def called(self) -> dict[int, str]:
        """The players' names by number."""
        return dict(enumerate(self.names, 1))

    def print_sentence(self, sentence: Sentence) -> None:
        """Print a sentence with the players' names."""
        click.echo(str(sentence.named(self.called)))

    def show(self) -> None:
        """Print the board."""
        click.echo(self.now.drawn(self.called))

    def read(self, typed: str) -> tuple[Throw | Choice, ...]:
        """Return the typed moves if they are legal here, one move or a whole turn; otherwise print why not.

        A turn has the form of ``companion legal --plays``: its choices in order, separated by commas.
        """
        try:
            return (self._allowed(self.now, typed),)
        except (ThrowError, GameError) as problem:
            whole = problem
        position, found = self.now, []
        for part in _parts(self.now, typed):
            try:
                found.append(self._allowed(position, part))
                position = position.after(found[-1])
            except (ThrowError, GameError) as problem:
                self.print_sentence(Sentence("{part}: {said}", part=part, said=why_of(problem)))
                return ()
        if not found:
            self.print_sentence(why_of(whole))
        return tuple(found)

    @staticmethod
    def _allowed(position: Position, typed: str) -> Throw | Choice:
        """Return the move that a text stands for.

        Raises:
            ThrowError, GameError: the text is no move, or one that is not allowed here.
        """
        move = position.parse(typed)
        position.check_legal(move)
        return move

    def make(self, move: Throw | Choice) -> None:
        """Make a move and print its account."""
        text = self.now.text(move)
        click.echo(f"  {text}")
        self.print_sentence(self.now.account(move).sentence)
        self.typed.append(text)
        self.past.append(self.now.after(move))

    def take_back(self) -> str | None:
        """Take back the last move and return it, or None if there is none."""
        if not self.typed:
            return None
        self.past.pop()
        return self.typed.pop()

    def explain(self) -> None:
        """Print what a player can throw or choose, and how to type it."""
        for line in _forms(self.now):
            click.echo(line)

    def explain_move(self, typed: str) -> None:
        """Print why typed moves are not allowed, or that they are, and their result."""
        position = self.now
        for move in self.read(typed):
            sentence = position.account(move).sentence
            self.print_sentence(Sentence("{move} is allowed: {said}", move=position.text(move), said=sentence))
            position = position.after(move)

    def print_score(self) -> None:
        """Print each player's count."""
        for number, count in self.now.scores().items():
            click.echo(f"{self.names[number - 1]}: {count}")

    def print_end(self) -> None:
        """Print how the game ended."""
        outcome = self.now.outcome
        assert outcome is not None, "available only when the game is over"
        self.print_sentence(result(outcome, self.now.players))
        self.print_sentence(outcome.why)
        self.print_score()
        for pupil in outcome.details.get("pupils", ()):
            lacks = ", ".join(self.now.game.called(site) for site in pupil["lacks"])
            click.echo(f"{self.names[pupil['player'] - 1]}, pupil, has still to acquire by good habits: {lacks}.")


def _parts(position: Position, typed: str) -> list[str]:
    """Return the moves of a whole turn typed with commas, or none if it does not begin with a move."""
    parts = [part.strip() for part in typed.split(",")]
    if len(parts) < 2:  # noqa: PLR2004 - a single move is no whole turn
        return []
    try:
        position.parse(parts[0])
    except (ThrowError, GameError):
        return []
    return parts


def _forms(position: Position) -> Iterator[str]:
    waits = position.awaits
    if waits.kind in ("throw", "recast"):
        throws = position.throws()
        yield f"Type the throw, like {position.text(throws[len(throws) // 2])}, or: roll."
    choices = [position.text(choice) for choice in position.open_choices()]
    if position.game.teaches and not position.conceals:
        yield "Or: hint."
    if position.conceals and waits.kind == "choice":
        yield "Finding what can be taken is up to you: type it; hint tells you. Besides:"
    if not choices:
        return
    if waits.kind != "choice":
        yield "Or choose:"
    shown = ", ".join(choices[:MOST_LISTED])
    more = f", and {len(choices) - MOST_LISTED} more" if len(choices) > MOST_LISTED else ""
    yield click.wrap_text(f"{len(choices)} to choose from: {shown}{more}.", 100, "", "  ")
