"""A game in progress at the prompt: its positions, its dice, and what is said of it."""

import random
from collections.abc import Iterator, Mapping
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

MOST_LISTED = 60  # choices; more would roll the board off the screen


@dataclass
class Sitting:
    """``past`` holds every position since the start, the present one last; ``typed`` the moves between them.

    ``begun_from`` is the position as JSON that somebody set up to begin from, None for a game from its start;
    ``rules`` the hash of the rules by which it was begun, "" where a saved game keeps none.
    """

    names: tuple[str, ...]
    options: Mapping[str, OptionValue]
    seed: int
    past: list[Position]
    typed: list[str] = field(default_factory=list)
    begun_from: Mapping[str, Any] | None = None
    rules: str = ""

    @property
    def now(self) -> Position:
        """The present position."""
        return self.past[-1]

    @property
    def saved(self) -> SavedGame:
        """The game so far, to be kept in a file."""
        return SavedGame(
            self.now.game.slug, self.names, self.options, self.seed, tuple(self.typed), self.begun_from, self.rules
        )

    @property
    def chance(self) -> random.Random:
        """The program's chance for the next move.

        It hangs on the seed and on how many moves were made: a game that is loaded goes on as it would have, and a
        throw that is taken back and made again comes out the same.
        """
        return random.Random(f"{self.seed} {len(self.typed)}")  # noqa: S311 - dice, no secrets

    @property
    def called(self) -> dict[int, str]:
        """The players' names by their numbers."""
        return dict(enumerate(self.names, 1))

    def print_sentence(self, sentence: Sentence) -> None:
        """Print a sentence with the players' names."""
        click.echo(str(sentence.named(self.called)))

    def show(self) -> None:
        """Print the board."""
        click.echo(self.now.drawn(self.called))

    def read(self, typed: str) -> tuple[Throw | Choice, ...]:
        """Return what was typed if it can be made here, one move or a whole turn; otherwise say why not.

        A turn is written as ``companion legal --plays`` writes it: its choices in order, commas between them.
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
        """Return a move that a text stands for.

        Raises:
            ThrowError, GameError: it stands for none, or for one that is not allowed here.
        """
        move = position.parse(typed)
        position.check_legal(move)
        return move

    def make(self, move: Throw | Choice) -> None:
        """Make a move and tell it."""
        text = self.now.text(move)
        click.echo(f"  {text}")
        self.print_sentence(self.now.account(move).sentence)
        self.typed.append(text)
        self.past.append(self.now.after(move))

    def take_back(self) -> str | None:
        """Take the last move back and return it; None if there is none."""
        if not self.typed:
            return None
        self.past.pop()
        return self.typed.pop()

    def explain(self) -> None:
        """Say what may be thrown or chosen, and how to type it."""
        for line in _forms(self.now):
            click.echo(line)

    def explain_move(self, typed: str) -> None:
        """Say why something that could be typed is not allowed, or that it is and what it would come to."""
        position = self.now
        for move in self.read(typed):
            said = position.account(move).sentence
            self.print_sentence(Sentence("{move} is allowed: {said}", move=position.text(move), said=said))
            position = position.after(move)

    def hint(self) -> None:
        """Say what a learner may be told here."""
        told = self.now.teaching()
        for sentence in told:
            self.print_sentence(sentence)
        if not told:
            click.echo("There is no hint here." if self.now.game.teaches else "This game has no hints.")

    def print_score(self) -> None:
        """Print each player's count."""
        for number, count in self.now.scores().items():
            click.echo(f"{self.names[number - 1]}: {count}")

    def print_end(self) -> None:
        """Print how the game ended."""
        outcome = self.now.outcome
        assert outcome is not None, "told only of a game that is over"
        self.print_sentence(result(outcome, self.now.players))
        self.print_sentence(outcome.why)
        self.print_score()
        for pupil in outcome.details.get("pupils", ()):
            lacks = ", ".join(self.now.game.called(site) for site in pupil["lacks"])
            click.echo(f"{self.names[pupil['player'] - 1]}, pupil, has still to acquire by good habits: {lacks}.")


def _parts(position: Position, typed: str) -> list[str]:
    """Return the moves of a whole turn that was typed with commas, or none if it does not even begin with a move."""
    parts = [part.strip() for part in typed.split(",")]
    if len(parts) < 2:  # noqa: PLR2004 - a single move is none of a turn
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
        yield f"Type what was thrown, like {position.text(throws[len(throws) // 2])}, or: roll."
    choices = [position.text(choice) for choice in position.open_choices()]
    if position.game.teaches and not position.conceals:
        yield "Or: hint."
    if position.conceals and waits.kind == "choice":
        yield "What can be taken is for you to find: type it; hint tells. Besides:"
    if not choices:
        return
    if waits.kind != "choice":
        yield "Or choose:"
    shown = ", ".join(choices[:MOST_LISTED])
    more = f", and {len(choices) - MOST_LISTED} more" if len(choices) > MOST_LISTED else ""
    yield click.wrap_text(f"{len(choices)} to choose from: {shown}{more}.", 100, "", "  ")
