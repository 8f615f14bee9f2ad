"""``companion play``: any game at the prompt; a person types throws and choices, or the program makes random ones."""

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

import click

from companion.commands.common_options import options, position_of, read_object, refusals, strength, the_game
from companion.commands.play import program, saved
from companion.commands.play.prompt_session import Sitting
from companion.commands.play.saved import SavedGameError
from companion.commands.refusing import refusing
from companion.rules.game import Game
from companion.rules.options import OptionValue

USUAL = "ludus-regularis"


def _has_dice(game: Game) -> bool:
    return bool(game.start(game.least_players).throws())


def _help(sitting: Sitting) -> str:
    """Return what a person can type in a game; without dice or hints if the game has none."""
    dice = _has_dice(sitting.now.game)
    meant = "what was thrown or what you choose" if dice else "what you choose"
    auto = "throws and chooses" if dice else "chooses"
    seats = f"; in its own seats it plays at strength {sitting.strength}" if sitting.seats else ""
    words = [*(["roll"] if dice else []), f"auto [N] (the program {auto} at random{seats})", "undo", "board", "score"]
    words += ["hint", "save FILE", "quit"]
    return (
        f"Type {meant}, a whole turn with commas, or one of these: {', '.join(words)}. "
        "? says what may be done, ? MOVE why a move is not allowed."
    )


def _greeting(sitting: Sitting) -> str:
    game = sitting.now.game
    chance = "dice start" if _has_dice(game) else "choices by chance start"
    return f"{game.title}. The program's {chance} at seed {sitting.seed}. {_help(sitting)}"


@click.command(short_help="Play a game at this prompt.")
@click.argument("slug", required=False)
@click.option("--player", "named", multiple=True, metavar="NAME", help="A player's name; repeat the option for each.")
@click.option("--players", type=click.IntRange(min=1), help="Number of players, if they are not named.")
@click.option("--seed", type=click.IntRange(min=0), help="The seed of the program's dice.")
@click.option("--load", "file", type=click.Path(dir_okay=False, path_type=Path), help="Continue a saved game.")
@click.option("--position", "begun", type=click.File(encoding="utf-8"), help="Start from a position as JSON.")
@click.option(
    "--program", "seats", type=click.IntRange(min=1), multiple=True, metavar="N", help="The program plays player N."
)
@strength
@options
def command(
    *,
    slug: str | None,
    named: Sequence[str],
    players: int | None,
    seed: int | None,
    file: Path | None,
    begun: TextIO | None,
    seats: Sequence[int],
    strength: str,
    options: dict[str, OptionValue],
) -> None:
    """Play the game SLUG at this prompt: type in throws and choices, or let the program throw."""
    if file is not None:
        if named or players or begun or seed is not None or options:
            raise click.ClickException("A saved game has its own players, seed and options: give only the file.")
        sitting = _loaded(file, slug)
    elif begun is not None:
        if players or options:
            raise click.ClickException("A position has its own number of players and options: leave them out.")
        sitting = _set_up(begun, slug, named, seed)
    else:
        sitting = _begun(slug or USUAL, named, players, seed, options)
    program.seat(sitting, seats, strength)
    click.echo(_greeting(sitting))
    if sitting.typed:
        click.echo(f"Moves made already: {len(sitting.typed)}.")
    sitting.show()
    while sitting.now.outcome is None:
        if program.plays(sitting):
            continue
        sitting.print_sentence(sitting.now.awaits.sentence)
        try:
            typed = click.prompt(">", prompt_suffix=" ", default="", show_default=False)
        except click.Abort:
            typed = "quit"
        if typed.strip().lower() == "quit":
            click.echo("The game was left unfinished.")
            return
        _obey(sitting, typed.strip())
    sitting.print_end()


def _begun(
    slug: str, named: Sequence[str], players: int | None, seed: int | None, options: dict[str, OptionValue]
) -> Sitting:
    game = the_game(slug)
    count = players or max(len(named), game.least_players)
    names = _names(named, count)
    with refusals():
        start = game.start(count, **options)
    return Sitting(names, options, _seed(seed), [start], rules=game.rules_hash)


def _set_up(begun: TextIO, slug: str | None, named: Sequence[str], seed: int | None) -> Sitting:
    """Begin from a position that somebody set up, in the named game or the one that the position names."""
    if begun.name in ("-", "<stdin>"):
        raise click.ClickException("Standard input is for moves: name a file for the position.")
    with refusals():
        data = read_object(begun)
        position = position_of(the_game(slug or str(data.get("game", USUAL))), data)
    names = _names(named, position.players)
    return Sitting(names, {}, _seed(seed), [position], [], position.to_json(), position.game.rules_hash)


def _names(named: Sequence[str], count: int) -> tuple[str, ...]:
    if len(named) > count:
        raise click.ClickException(f"Expected at most {count} names, but got {len(named)}.")
    given = [" ".join(name.split()) for name in named]
    return tuple(name or f"Player {number}" for number, name in enumerate(given + [""] * (count - len(given)), 1))


def _seed(seed: int | None) -> int:
    return secrets.randbelow(2**32) if seed is None else seed


def _loaded(file: Path, slug: str | None) -> Sitting:
    with refusing(SavedGameError):
        found = saved.load(file)
        if slug is not None and slug != found.slug:
            raise click.ClickException(f"Expected a game of {slug}, but {file} holds one of {found.slug}.")
        path, moves = found.replayed(), list(found.moves)
        return Sitting(found.players, found.options, found.seed, path, moves, found.position, found.rules)


def _obey(sitting: Sitting, typed: str) -> None:
    word, _, rest = typed.partition(" ")
    if typed.startswith("?"):
        _explain(sitting, typed.removeprefix("?").strip())
        return
    command = _COMMANDS.get(word.lower())
    if command is not None:
        command(sitting, rest.strip())
        return
    moves = sitting.read(typed)
    for move in moves:
        sitting.make(move)
    if moves:
        sitting.show()


def _explain(sitting: Sitting, typed: str) -> None:
    if typed:
        sitting.explain_move(typed)
    else:
        sitting.explain()


def _roll(sitting: Sitting, _: str) -> None:
    throws = sitting.now.throws()
    if not throws:
        dice = _has_dice(sitting.now.game)
        click.echo("This is not the time to throw; ? says what to do." if dice else "This game has no dice.")
        return
    sitting.make(sitting.chance.choice(throws))
    sitting.show()


def _auto(sitting: Sitting, rest: str) -> None:
    """Play on by itself: the program's seats as it plays there, all others at random."""
    if rest and not rest.isdecimal():
        click.echo(f"Expected how many moves to make, like auto 20, but got {rest!r}.")
        return
    from companion.odds.playouts import random_move

    end = len(sitting.typed) + int(rest) if rest else -1
    while sitting.now.outcome is None and len(sitting.typed) != end:
        for move in program.moves(sitting) or [random_move(sitting.now, sitting.chance)]:
            if len(sitting.typed) != end:
                sitting.make(move)
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
    except (SavedGameError, OSError) as refused:
        click.echo(str(refused))
    else:
        click.echo(f"Saved ({len(sitting.typed)} moves so far); continue with: companion play --load {file}")


_COMMANDS: dict[str, Callable[[Sitting, str], None]] = {
    "roll": _roll,
    "auto": _auto,
    "undo": _undo,
    "save": _save,
    "board": lambda sitting, _: sitting.show(),
    "score": lambda sitting, _: sitting.print_score(),
    "hint": lambda sitting, _: program.hint(sitting),
    "help": lambda sitting, _: click.echo(_help(sitting)),
    "": lambda sitting, _: click.echo(_help(sitting)),
}
