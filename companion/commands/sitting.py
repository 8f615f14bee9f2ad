"""A game in progress at the prompt: its positions, its dice, and what is said of it."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import click

from companion.commands.saved import SavedGame
from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import GameError
from companion.rules.game import Choice, OptionValue, Position
from companion.rules.sentence import Sentence

MOST_LISTED = 60  # choices; more would roll the board off the screen


@dataclass
class Sitting:
    """``past`` holds every position since the start, the present one last; ``typed`` the moves between them."""

    names: tuple[str, ...]
    options: Mapping[str, OptionValue]
    seed: int
    past: list[Position]
    typed: list[str] = field(default_factory=list)

    @property
    def now(self) -> Position:
        """The present position."""
        return self.past[-1]

    @property
    def saved(self) -> SavedGame:
        """The game so far, to be kept in a file."""
        return SavedGame(self.now.game.slug, self.names, self.options, self.seed, tuple(self.typed))

    @property
    def chance(self) -> random.Random:
        """The program's chance for the next move.

        It hangs on the seed and on how many moves were made: a game that is loaded goes on as it would have, and a
        throw that is taken back and made again comes out the same.
        """
        return random.Random(f"{self.seed} {len(self.typed)}")  # noqa: S311 - dice, no secrets

    def say(self, sentence: Sentence) -> None:
        """Print a sentence with the players' names."""
        click.echo(str(sentence.named(dict(enumerate(self.names, 1)))))

    def show(self) -> None:
        """Print the board."""
        click.echo(self.now.drawn())

    def read(self, typed: str) -> Throw | Choice | None:
        """Return what was typed if it can be made here; otherwise say why not."""
        try:
            move = self.now.parse(typed)
        except (ThrowError, GameError) as problem:
            self.say(problem.sentence if isinstance(problem, GameError) else Sentence("{said}", said=str(problem)))
            return None
        refusal = self.now.why_not(move)
        if refusal is not None:
            self.say(refusal)
            return None
        return move

    def make(self, move: Throw | Choice) -> None:
        """Make a move and tell it."""
        text = self.now.text(move)
        click.echo(f"  {text}")
        self.say(self.now.account(move).sentence)
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
        move = self.read(typed)
        if move is not None:
            said = self.now.account(move).sentence
            self.say(Sentence("{move} is allowed: {said}", move=self.now.text(move), said=said))

    def hint(self) -> None:
        """Say what a learner may be told here."""
        for sentence in self.now.teaching():
            self.say(sentence)
        if not self.now.teaching():
            click.echo("There is no hint here.")

    def tell_score(self) -> None:
        """Print each player's count."""
        for number, count in self.now.scores().items():
            click.echo(f"{self.names[number - 1]}: {count}")

    def tell_end(self) -> None:
        """Print how the game ended."""
        outcome = self.now.outcome
        assert outcome is not None, "told only of a game that is over"
        self.say(outcome.why)
        self.tell_score()
        for pupil in outcome.details.get("pupils", ()):
            lacks = ", ".join(self.now.game.called(site) for site in pupil["lacks"])
            click.echo(f"{self.names[pupil['player'] - 1]}, pupil, has still to acquire by good habits: {lacks}.")


def _forms(position: Position) -> Iterator[str]:
    waits = position.awaits
    if waits.kind in ("throw", "recast"):
        throws = position.throws()
        yield f"Type what was thrown, like {position.text(throws[len(throws) // 2])}, or: roll."
    choices = [position.text(choice) for choice in position.open_choices()]
    if position.conceals and waits.kind == "choice":
        yield "What can be taken is for you to find: type it; hint tells. Besides:"
    if not choices:
        return
    if waits.kind != "choice":
        yield "Or choose:"
    shown = ", ".join(choices[:MOST_LISTED])
    more = f", and {len(choices) - MOST_LISTED} more" if len(choices) > MOST_LISTED else ""
    yield click.wrap_text(f"{len(choices)} to choose from: {shown}{more}.", 100, "", "  ")
