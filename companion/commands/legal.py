"""``companion legal``: what may be done in a position, and what a throw would come to there."""

import json
from typing import Any, TextIO

import click

from companion.commands.given import as_json, refusals, show_json, the_game
from companion.rules.dice import Throw
from companion.rules.game import Game, Position, PositionFormatError


@click.command(short_help="List what may be done in a position.")
@click.argument("slug")
@click.option("--position", "file", type=click.File(encoding="utf-8"), help="A position as JSON; - for standard input.")
@click.option("--throw", "typed", help='Dice to try, as they are typed in play: "A IO AEI MNPR".')
@click.option("--plays", is_flag=True, help="Whole turns with the positions they lead to, not single choices.")
@as_json
def command(slug: str, file: TextIO | None, typed: str | None, *, plays: bool, as_json: bool) -> None:
    """List what may be done in a position of the game SLUG, by default its first one.

    With --throw, say what these dice come to and which choices they leave.
    """
    game = the_game(slug)
    with refusals():
        position = game.start(game.least_players) if file is None else _read(game, file)
        _insist_on_health(position)
        told = _told(position, typed, plays=plays)
    if as_json:
        show_json(told)
        return
    click.echo(told["awaits"]["sentence"])
    if "throw" in told:
        click.echo(f"{told['throw']['text']}: {told['throw']['sentence']}")
    for choice in told["plays" if plays else "choices"]:
        click.echo(choice["text"])


def _read(game: Game, file: TextIO) -> Position:
    try:
        data = json.load(file)
    except ValueError as problem:
        raise click.ClickException(f"{file.name} is not JSON: {problem}.") from problem
    if not isinstance(data, dict):
        raise PositionFormatError(f"Expected a JSON object in {file.name}, but it holds {type(data).__name__}.")
    return game.from_json({"game": game.slug} | data)


def _insist_on_health(position: Position) -> None:
    faults = position.faults()
    if faults:
        raise click.ClickException("This position cannot be: " + " ".join(str(fault) for fault in faults))


def _told(position: Position, typed: str | None, *, plays: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"game": position.game.slug}
    if typed is not None:
        throw = position.parse(typed)
        if not isinstance(throw, Throw):
            raise click.ClickException(f"Expected a throw after --throw, but {typed!r} is a choice.")
        refusal = position.why_not(throw)
        if refusal is not None:
            raise click.ClickException(str(refusal))
        account = position.account(throw)
        told["throw"] = {
            "text": position.text(throw),
            "sentence": str(account.sentence),
            "details": dict(account.details),
        }
        position = position.after(throw)
    waits = position.awaits
    told["awaits"] = {
        "kind": waits.kind,
        "player": waits.player,
        "sentence": str(waits.sentence),
        "dice_sets": list(waits.dice_sets),
        "dice": list(waits.dice),
    }
    told["choices"] = [{"text": str(choice), "choice": choice.to_json()} for choice in position.legal()]
    if plays:
        # where every choice is a turn of its own, as in all dice games here, the plays are the choices
        told["plays"] = [
            {"text": str(choice), "position": position.after(choice).to_json()} for choice in position.legal()
        ]
    told["position"] = position.to_json()
    return told
