"""``companion play``: any game at the prompt; throws and choices are typed, or made by the program at random."""

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from companion.commands import saved
from companion.commands.given import options, refusals, the_game
from companion.commands.saved import SavedGameError
from companion.commands.sitting import Sitting
from companion.rules.game import OptionValue

USUAL = "ludus-regularis"
HELP = (
    "Type what was thrown or what you choose, or one of these: roll, auto [N] (the program throws and chooses at "
    "random), undo, board, score, hint, save FILE, quit. ? says what may be done, ? MOVE why a move is not allowed."
)


@click.command(short_help="Play a game at this prompt.")
@click.argument("slug", required=False)
@click.option("--player", "named", multiple=True, metavar="NAME", help="A player's name; repeat it for each.")
@click.option("--players", type=click.IntRange(min=1), help="How many play, where they are not named.")
@click.option("--seed", type=click.IntRange(min=0), help="Where the program's dice start.")
@click.option("--load", "file", type=click.Path(dir_okay=False, path_type=Path), help="Go on with a saved game.")
@options
def command(
    *,
    slug: str | None,
    named: Sequence[str],
    players: int | None,
    seed: int | None,
    file: Path | None,
    options: dict[str, OptionValue],
) -> None:
    """Play the game SLUG at this prompt: type in what was thrown and what is chosen, or let the program throw."""
    if file is not None:
        if named or players or seed is not None or options:
            raise click.ClickException("A saved game has its own players, seed and options: name only the file.")
        sitting = _loaded(file, slug)
    else:
        sitting = _begun(slug or USUAL, named, players, seed, options)
    click.echo(f"{sitting.now.game.title}. The program's dice start at seed {sitting.seed}. {HELP}")
    if sitting.typed:
        click.echo(f"Moves made already: {len(sitting.typed)}.")
    sitting.show()
    while sitting.now.outcome is None:
        sitting.say(sitting.now.awaits.sentence)
        try:
            typed = click.prompt(">", prompt_suffix=" ", default="", show_default=False)
        except click.Abort:
            typed = "quit"
        if typed.strip().lower() == "quit":
            click.echo("The game is left unfinished.")
            return
        _obey(sitting, typed.strip())
    sitting.tell_end()


def _begun(
    slug: str, named: Sequence[str], players: int | None, seed: int | None, options: dict[str, OptionValue]
) -> Sitting:
    game = the_game(slug)
    count = players or max(len(named), game.least_players)
    if len(named) > count:
        raise click.ClickException(f"Expected at most {count} names, but {len(named)} came.")
    given = [" ".join(name.split()) for name in named]
    names = [name or f"Player {number}" for number, name in enumerate(given + [""] * (count - len(given)), 1)]
    with refusals():
        start = game.start(count, **options)
    return Sitting(tuple(names), options, secrets.randbelow(2**32) if seed is None else seed, [start])


def _loaded(file: Path, slug: str | None) -> Sitting:
    try:
        found = saved.load(file)
        if slug is not None and slug != found.slug:
            raise click.ClickException(f"Expected a game of {slug}, but {file} holds one of {found.slug}.")
        return Sitting(found.players, found.options, found.seed, found.replayed(), list(found.moves))
    except SavedGameError as refused:
        raise click.ClickException(str(refused)) from refused
    except OSError as trouble:
        raise click.ClickException(f"{file} cannot be read: {trouble.strerror}.") from trouble


def _obey(sitting: Sitting, typed: str) -> None:
    word, _, rest = typed.partition(" ")
    if typed.startswith("?"):
        _explain(sitting, typed.removeprefix("?").strip())
        return
    command = _COMMANDS.get(word.lower())
    if command is not None:
        command(sitting, rest.strip())
        return
    move = sitting.read(typed)
    if move is not None:
        sitting.make(move)
        sitting.show()


def _explain(sitting: Sitting, typed: str) -> None:
    if typed:
        sitting.explain_move(typed)
    else:
        sitting.explain()


def _roll(sitting: Sitting, _: str) -> None:
    throws = sitting.now.throws()
    if not throws:
        click.echo("No throw is awaited; ? says what is.")
        return
    sitting.make(sitting.chance.choice(throws))
    sitting.show()


def _auto(sitting: Sitting, rest: str) -> None:
    if rest and not rest.isdecimal():
        click.echo(f"Expected how many moves to make, like auto 20, but {rest!r} came.")
        return
    from companion.odds.playouts import random_move

    left = int(rest) if rest else -1
    while sitting.now.outcome is None and left:
        sitting.make(random_move(sitting.now, sitting.chance))
        left -= 1
    sitting.show()


def _undo(sitting: Sitting, _: str) -> None:
    taken = sitting.take_back()
    if taken is None:
        click.echo("Nothing has been played yet, so there is nothing to take back.")
        return
    click.echo(f"Taken back: {taken}.")
    sitting.show()


def _save(sitting: Sitting, rest: str) -> None:
    if not rest:
        click.echo("Expected a file to save the game in, like save evening.txt.")
        return
    file = Path(rest).expanduser()
    try:
        saved.save(file, sitting.saved)
    except SavedGameError as refused:
        click.echo(str(refused))
    except OSError as trouble:
        click.echo(f"{file} cannot be written: {trouble.strerror}.")
    else:
        click.echo(f"Saved ({len(sitting.typed)} moves so far); go on with: companion play --load {file}")


_COMMANDS: dict[str, Callable[[Sitting, str], None]] = {
    "roll": _roll,
    "auto": _auto,
    "undo": _undo,
    "save": _save,
    "board": lambda sitting, _: sitting.show(),
    "score": lambda sitting, _: sitting.tell_score(),
    "hint": lambda sitting, _: sitting.hint(),
    "help": lambda _, __: click.echo(HELP),
    "": lambda _, __: click.echo(HELP),
}
