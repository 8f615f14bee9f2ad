"""``companion legal``: the legal choices in a position, and the result of a throw there."""

from typing import Any, TextIO

import click

from companion.commands.common_options import (
    as_json,
    options,
    position_file,
    read_position,
    refusals,
    show_json,
    the_game,
    thrown,
)
from companion.commands.outcome_sentence import result
from companion.rules.game import Play, Position
from companion.rules.options import OptionValue


@click.command(short_help="List the legal moves in a position.")
@click.argument("slug")
@position_file
@options
@click.option("--throw", "typed", help='Dice to try, as you type them in play: "A IO AEI MNPR".')
@click.option("--plays", is_flag=True, help="Whole turns and the positions they lead to, instead of single choices.")
@as_json
def command(
    slug: str,
    file: TextIO | None,
    options: dict[str, OptionValue],
    typed: str | None,
    *,
    plays: bool,
    as_json: bool,
) -> None:
    """List the legal moves in a position of the game SLUG, by default its first one.

    With --throw, say what these dice give and which choices they leave. With --plays, list whole turns, one for each
    position that a turn can lead to: its choices in order, as one way to get there.
    """
    game = the_game(slug)
    if file is not None and options:
        raise click.UsageError("A position has its own options: leave out -o.")
    with refusals():
        position = game.start(game.least_players, **options) if file is None else read_position(game, file)
        shown = _legal_json(position, typed, plays=plays)
    if as_json:
        show_json(shown)
        return
    click.echo(shown["awaits"]["sentence"])
    for sentence in shown.get("outcome", {}).get("sentences", ()):
        click.echo(sentence)
    if "throw" in shown:
        click.echo(f"{shown['throw']['text']}: {shown['throw']['sentence']}")
    for choice in shown["plays" if plays else "choices"]:
        click.echo(choice["text"])


def _play_json(position: Position, play: Play) -> dict[str, Any]:
    texts = []
    for choice in play.choices:
        texts.append(position.text(choice))
        position = position.after(choice)
    return {
        "text": ", ".join(texts),
        "choices": [choice.to_json() for choice in play.choices],
        "position": play.position.to_json(),
    }


def _legal_json(position: Position, typed: str | None, *, plays: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {"game": position.game.slug}
    if typed is not None:
        throw = thrown(position, typed)
        account = position.account(throw)
        shown["throw"] = {
            "text": position.text(throw),
            "sentence": str(account.sentence),
            "details": dict(account.details),
        }
        position = position.after(throw)
    waits = position.awaits
    shown["awaits"] = {
        "kind": waits.kind,
        "player": waits.player,
        "sentence": str(waits.sentence),
        "dice_sets": list(waits.dice_sets),
        "dice": list(waits.dice),
    }
    if position.outcome is not None:
        shown["outcome"] = {
            "winners": list(position.outcome.winners),
            "sentences": [str(result(position.outcome, position.players)), str(position.outcome.why)],
        }
    shown["choices"] = [{"text": position.text(choice), "choice": choice.to_json()} for choice in position.legal()]
    if plays:
        shown["plays"] = [_play_json(position, play) for play in position.plays()]
    shown["position"] = position.to_json()
    return shown
