"""``companion play``: a game at the prompt; throws are typed in, or thrown by the program."""

import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

import click

from companion.commands.given import options, refusals, the_game
from companion.rules.dice import Throw, ThrowError
from companion.rules.game import Choice, GameError, OptionValue, Position
from companion.rules.sentence import Sentence

HELP = "Type the faces that were thrown, or: roll, auto [N], undo, score, what, help, quit."


@dataclass
class Sitting:
    """A game in progress at the prompt; ``past`` holds every position since the start, the present one last."""

    names: dict[int, str]
    dice: random.Random
    past: list[Position] = field(default_factory=list)

    @property
    def now(self) -> Position:
        """The present position."""
        return self.past[-1]

    def say(self, sentence: Sentence) -> None:
        """Print a sentence with the players' names."""
        click.echo(str(sentence.named(self.names)))


@click.command(short_help="Play a game at this prompt.")
@click.argument("slug", default="ludus-regularis")
@click.option("--player", "named", multiple=True, metavar="NAME", help="A player's name; repeat it for each.")
@click.option("--seed", type=click.IntRange(min=0), help="Where the program's dice start.")
@options
def command(slug: str, named: Sequence[str], seed: int | None, options: dict[str, OptionValue]) -> None:
    """Play the game SLUG at this prompt: type in what was thrown, or let the program throw."""
    game = the_game(slug)
    seed = secrets.randbelow(2**32) if seed is None else seed
    count = len(named) or game.least_players
    names = {number: name for number, name in enumerate(named, 1) if name.strip()}
    with refusals():
        sitting = Sitting(names, random.Random(seed), [game.start(count, **options)])  # noqa: S311 - dice, no secrets
    click.echo(f"{game.title}. The program's dice start at seed {seed}. {HELP}")
    while sitting.now.outcome is None:
        sitting.say(sitting.now.awaits.sentence)
        try:
            typed = click.prompt(">", prompt_suffix=" ", default="", show_default=False)
        except click.Abort:
            typed = "quit"
        if typed.strip().lower() == "quit":
            click.echo("The game is left unfinished.")
            return
        _obey(sitting, typed)
    _tell_end(sitting)


def _obey(sitting: Sitting, typed: str) -> None:
    word, _, rest = typed.strip().lower().partition(" ")
    match word:
        case "roll":
            _make(sitting, _rolled(sitting))
        case "auto":
            _auto(sitting, rest)
        case "undo":
            _undo(sitting)
        case "score":
            _tell_score(sitting)
        case "what":
            for choice in sitting.now.legal():
                click.echo(str(choice))
            click.echo(f"Dice: {', '.join(sitting.now.awaits.dice)} of {' or '.join(sitting.now.awaits.dice_sets)}.")
        case "help" | "":
            click.echo(HELP)
        case _:
            _take(sitting, typed)


def _take(sitting: Sitting, typed: str) -> None:
    try:
        move = sitting.now.parse(typed)
    except (ThrowError, GameError) as problem:
        click.echo(str(problem))
        return
    refusal = sitting.now.why_not(move)
    if refusal is not None:
        sitting.say(refusal)
        return
    _make(sitting, move)


def _make(sitting: Sitting, move: Throw | Choice) -> None:
    click.echo(f"  {sitting.now.text(move)}")
    sitting.say(sitting.now.account(move).sentence)
    sitting.past.append(sitting.now.after(move))


def _rolled(sitting: Sitting) -> Throw:
    return sitting.dice.choice(list(sitting.now.throws()))


def _auto(sitting: Sitting, rest: str) -> None:
    if rest and not rest.isdecimal():
        click.echo(f"Expected how many throws to make, like auto 20, but {rest!r} came.")
        return
    left = int(rest) if rest else -1
    while sitting.now.outcome is None and left:
        _make(sitting, _rolled(sitting))
        left -= 1


def _undo(sitting: Sitting) -> None:
    if len(sitting.past) == 1:
        click.echo("Nothing has been thrown yet, so there is nothing to take back.")
        return
    sitting.past.pop()
    click.echo("The last throw is taken back.")


def _tell_score(sitting: Sitting) -> None:
    called = sitting.now.game.called
    for number, count in sitting.now.scores().items():
        held = [called(site) for site, holder in sitting.now.occupancy().items() if holder == number]
        name = sitting.names.get(number, f"Player {number}")
        click.echo(f"{name}: {count} ({', '.join(held) or 'nothing yet'})")


def _tell_end(sitting: Sitting) -> None:
    outcome = sitting.now.outcome
    assert outcome is not None, "the loop ends with the game"
    sitting.say(outcome.why)
    _tell_score(sitting)
    for pupil in outcome.details.get("pupils", ()):
        name = sitting.names.get(pupil["player"], f"Player {pupil['player']}")
        lacks = ", ".join(sitting.now.game.called(site) for site in pupil["lacks"])
        click.echo(f"{name}, pupil, has still to acquire by good habits: {lacks}.")
