"""``companion analyse``: analyse a finished or saved match."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.common_options import as_json, refusals, show_json
from companion.commands.refusing import refusing
from companion.rules.dice import Throw
from companion.rules.game import Choice, Position

if TYPE_CHECKING:
    from companion.players.analysis import AnalysedMove


MOVES_A_REPORT = 20
"""Throws and turns between two lines that show progress."""


@click.command(short_help="Analyse a match: chances, costly turns, luck.")
@click.argument("file", metavar="MATCH", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--game", default=1, type=click.IntRange(1), show_default=True, help="Which game of a MAT file.")
@as_json
def command(*, file: Path, game: int, as_json: bool) -> None:
    """Analyse MATCH: a match exported from the page, a game saved at the prompt, or a MAT file of backgammon.

    Show the chance of winning from turn to turn, the three turns that cost most and what was better, and each player's
    luck with the dice. Long matches take minutes; Ctrl+C stops.
    """
    from companion.players.analysis import analysed_moves, worst

    names, start, moves = _loaded(file, game)
    found: list[AnalysedMove] = []
    with refusals():
        for one in analysed_moves(start, moves):
            found.append(one)
            if not as_json and not len(found) % MOVES_A_REPORT:
                click.echo(f"{one.number + 1} of {len(moves)} moves analysed.", err=True)
    costly = worst(found)
    luck = {number: sum(one.luck for one in found if one.player == number) for number in (1, 2)}
    cost = {number: sum(one.cost or 0 for one in found if one.player == number) for number in (1, 2)}
    if as_json:
        show_json(
            {
                "game": start.game.slug,
                "players": list(names),
                "curve": [one.to_json() for one in found],
                "worst": [one.to_json() for one in costly],
                "luck": {str(number): round(value, 4) for number, value in luck.items()},
                "cost": {str(number): round(value, 4) for number, value in cost.items()},
            }
        )
        return
    for one in costly:
        click.echo(
            f"Move {one.number + 1}, {names[one.player - 1]}: {one.text} cost {100 * (one.cost or 0):.1f} of 100 "
            f"games; better was {one.better}. {' '.join(map(str, one.why[:2]))}".rstrip()
        )
    for number, name in enumerate(names, 1):
        click.echo(f"{name}: luck {100 * luck[number]:+.0f}, turns cost {100 * cost[number]:.0f} (of 100 games).")


def _loaded(file: Path, game: int) -> tuple[Sequence[str], Position, list[Throw | Choice]]:
    """Return the players' names, the first position and every throw and choice that counts."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as trouble:
        raise click.ClickException(f"{file} cannot be read as a match: {trouble}.") from trouble
    from companion.commands.play.saved import FIRST_LINE

    return _saved(file) if text.startswith(FIRST_LINE.split(",")[0]) else _imported(text, game)


def _saved(file: Path) -> tuple[Sequence[str], Position, list[Throw | Choice]]:
    from companion.commands.play.saved import SavedGameError, load

    with refusing(SavedGameError):
        game = load(file)
        path = game.replayed()
    moves = [position.parse(typed) for position, typed in zip(path, game.moves, strict=False)]
    return game.players, path[0], moves


def _imported(text: str, game: int) -> tuple[Sequence[str], Position, list[Throw | Choice]]:
    from companion.referee.journal import Journal
    from companion.referee.line import BrokenLineError, line_of
    from companion.referee.match import Match
    from companion.referee.transfer import ImportRefusedError, import_match

    with (
        tempfile.TemporaryDirectory() as folder,
        Journal(Path(folder) / "match.db") as journal,
        refusing(ImportRefusedError),
    ):
        import_match(journal, text.splitlines())
        if game > (count := len(journal.matches())):
            raise click.BadParameter(f"This file has {count} games, but no game {game}.", param_hint="--game")
        match = Match.of(journal.events(game))
    with refusing(BrokenLineError):
        turns = line_of(match)
    return match.started.players, turns[0].at, [turn.move for turn in turns if turn.move is not None]
