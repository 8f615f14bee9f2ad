"""``companion fairness``: judge a die by its throws, and plan how many it takes."""

import click

from companion.commands.fairness_given import chosen_die as _outcomes
from companion.commands.fairness_given import die_option, twins
from companion.commands.fairness_report import command as report
from companion.commands.fairness_watch import watch
from companion.commands.given import as_json, show_json


@click.group(short_help="Judge whether a die is biased.")
def command() -> None:
    """Judge a die by its throws: biased, no bias larger than so much, or not enough throws yet."""


command.add_command(report, "report")
command.add_command(watch)


@command.command(short_help="Say how many throws it takes to find a bias.")
@die_option
@twins
@click.option("--bias", type=click.FloatRange(-0.5, 0.5), required=True, help="By how much a share is off, e.g. 0.02.")
@click.option(
    "--kind",
    type=click.Choice(["face", "axis", "corner"]),
    default="face",
    show_default=True,
    help="One face, two opposite ones together, or three that meet.",
)
@click.option("--pace", type=click.FloatRange(0.1, 600), help="Throws a minute, to tell how long that takes.")
@as_json
def plan(die: str, bias: float, kind: str, pace: float | None, *, twins_apart: bool, as_json: bool) -> None:
    """Say after how many throws a die that is off by so much is called biased."""
    from companion.fairness import planning

    _, outcomes = _outcomes(die, twins_apart=twins_apart)
    contrast = next((one for one in outcomes.contrasts if one.kind == kind), None)
    if contrast is None:
        raise click.ClickException(f"Of this die no {kind} can be told: which faces lie opposite is not recorded.")
    try:
        planned = planning.plan(outcomes, contrast, bias)
    except ValueError as why:
        raise click.ClickException(str(why)) from why
    parts = (("half", planned.half), ("80 %", planned.four_of_five), ("95 %", planned.nineteen_of_twenty))
    if as_json:
        show_json({"die": die, "kind": kind, "bias": bias} | dict(parts))
        return
    click.echo(f"If {outcomes.name(contrast)} is off by {bias * 100:+g} points of a hundred, the die is called biased")
    for name, throws in parts:
        if throws is None:
            click.echo(f"  in {name} of the cases: after more throws than anybody makes")
            continue
        lasts = "" if pace is None else f", {_hours(throws / pace)} at {pace:g} a minute"
        click.echo(f"  in {name} of the cases within {throws} throws{lasts}")


def _hours(minutes: float) -> str:
    return f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.0f} hours"  # noqa: PLR2004
