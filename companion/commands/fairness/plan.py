"""``companion fairness plan``: how many throws find a bias, and which bias a number of throws finds."""

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from companion.commands.common_options import as_json, refusals, show_json
from companion.commands.fairness.options import chosen_die, die_option, fear_option, stakes_of_fear, twins
from companion.commands.refusing import refusing
from companion.commands.workers import jobs, progress, scheduler, workers

if TYPE_CHECKING:
    from companion.fairness.outcomes import Outcomes
    from companion.fairness.planning import Effort

PARTS = {"80 %": 0.8, "95 %": 0.95}


@click.command(short_help="Say how many throws it takes to find a bias.")
@die_option
@twins
@click.option("--bias", type=click.FloatRange(-0.5, 0.5), help="How far a share is off, e.g. 0.02.")
@click.option(
    "--throws", type=click.IntRange(1, 1_000_000), help="Say instead which bias this many throws would have found."
)
@click.option(
    "--kind",
    type=click.Choice(["face", "axis", "corner", "cap", "caps", "pips"]),
    help="One face, two opposite ones together, three of a cube that meet; of a d20 five that meet, or the ten about "
    "two opposite corners; a slope along the pips, by its farthest face.  [default: what --fear names, else face]",
)
@fear_option
@click.option("--pace", type=click.FloatRange(0.1, 600), help="Throws per minute, to say how long that takes.")
@click.option(
    "--dice",
    type=click.IntRange(100, 1_000_000),
    default=400,
    show_default=True,
    help="How many dice the simulation throws: more of them make the figures more precise. They are split into "
    "groups of 400.",
)
@click.option("--batch", type=click.IntRange(2, 1000), help="How many dice a batch has, with --bias.")
@click.option(
    "--off", type=click.IntRange(min=1), default=1, show_default=True, help="How many dice of the batch have that bias."
)
@jobs
@scheduler
@as_json
def command(
    *,
    die: str,
    bias: float | None,
    batch: int | None,
    off: int,
    throws: int | None,
    kind: str | None,
    fear: str | None,
    pace: float | None,
    dice: int,
    jobs: int | None,
    scheduler: str | None,
    twins_apart: bool,
    as_json: bool,
) -> None:
    """Say after how many throws a die that is off by this much is called biased; or what this many throws would find.

    Both are simulated, with the same result on one core, on many, and on a cluster.
    """
    from companion.fairness.planning import Effort
    from companion.fairness.stakes import FEARS, PIPS, kinds_of

    if (bias is None) == (throws is None):
        raise click.UsageError("Give either --bias, to get the throws, or --throws, to get the bias.")
    _, _, outcomes = chosen_die(die, twins_apart=twins_apart)
    stakes = stakes_of_fear(fear, outcomes)
    kind = kind or next(one for one in FEARS.get(fear or "face", ()) if one in kinds_of(outcomes))
    if kind not in kinds_of(outcomes):
        raise click.ClickException(
            f"There is no {kind} for this die: it is not recorded which faces are opposite each other."
        )
    if batch is not None:
        if bias is None:
            raise click.UsageError("Give --bias with --batch: how far the dice are off that you want to find.")
        if kind == PIPS or fear is not None:
            raise click.UsageError("Expected --batch without --fear and --kind pips: a batch is planned without them.")
        _for_batch(outcomes, kind, bias, (batch, off), pace=pace, given={"die": die, "kind": kind} if as_json else None)
        return
    given = {"die": die, "kind": kind, "fear": fear, "dice": dice} if as_json else None
    with refusals(), workers(jobs, scheduler) as hands:
        effort = Effort(dice, hands)
        if bias is not None:
            _throws_for(outcomes, kind, bias, effort, stakes=stakes, pace=pace, given=given)
        elif throws is not None:
            if kind == PIPS:
                raise click.UsageError("Expected --bias with --kind pips: how far its farthest face is off.")
            _bias_for(outcomes, kind, throws, effort, stakes=stakes, pace=pace, given=given)


def _throws_for(
    outcomes: "Outcomes",
    kind: str,
    bias: float,
    effort: "Effort",
    *,
    stakes: int,
    pace: float | None,
    given: dict[str, Any] | None,
) -> None:
    from companion.fairness import planning
    from companion.fairness.sentences import two_digits

    group = next((one for one in outcomes.contrasts if one.kind == kind), None)
    with refusing(ValueError), progress(effort.dice) as done:
        off_by = partial(planning.off_by, outcomes, group) if group else partial(planning.off_along_pips, outcomes)
        planned = planning.plan_of(outcomes, off_by(bias), effort, done, stakes=stakes)
    parts = (("half", planned.half), ("80 %", planned.four_of_five), ("95 %", planned.nineteen_of_twenty))
    if given is not None:
        minutes = {} if pace is None else {"minutes": {name: throws and throws / pace for name, throws in parts}}
        show_json(given | {"bias": bias} | dict(parts) | minutes)
        return
    what = outcomes.name(group) if group else "the face with the most pips"
    click.echo(f"If {what} is off by {bias * 100:+g} points of a hundred, the die is called biased")
    for name, throws in parts:
        if throws is None:
            click.echo(f"  in {name} of the cases: after more throws than anyone makes")
            continue
        about = two_digits(throws)
        click.echo(f"  in {name} of the cases within about {about} throws{lasts(about, pace)}")


def _for_batch(
    outcomes: "Outcomes",
    kind: str,
    bias: float,
    batch: tuple[int, int],
    *,
    pace: float | None,
    given: dict[str, Any] | None,
) -> None:
    """Say how many throws each die of a batch needs; ``batch``: how many dice it has, and how many are off."""
    from companion.fairness.batches.batch_plan import batch_plan
    from companion.fairness.sentences import two_digits

    contrast = next(one for one in outcomes.contrasts if one.kind == kind)
    dice, off = batch
    with refusing(ValueError):
        planned = batch_plan(outcomes, contrast, bias, dice, off)
    found = {"alone": planned.alone, "any time": planned.any_time, "once": planned.once}
    if given is not None:
        rounds = None if planned.rounds is None else asdict(planned.rounds)
        show_json(given | {"bias": bias, "batch": dice, "off": off, "throws of each die": found, "two rounds": rounds})
        return
    click.echo(f"{off} of {dice} dice are off by {bias * 100:+g} points: to find 80 % of these, each die needs about")
    texts = {
        "alone": "if it were the only die, and looked at any time",
        "any time": "in the batch, looked at any time",
        "once": "in the batch, at one look that is declared beforehand (batch --fixed)",
    }
    for name, text in texts.items():
        throws = found[name]
        how_many = "more throws than anyone makes" if throws is None else f"{two_digits(throws)} throws"
        click.echo(f"  {how_many}{'' if throws is None else lasts(throws, pace)} {text}")
    if planned.any_time is not None and planned.rounds is not None:
        two, without = planned.rounds, two_digits(planned.any_time * dice)
        click.echo(
            f"Two rounds take about {two_digits(two.throws)} throws of all dice together instead of {without}: about "
            f"{two_digits(two.first)} of each die, then up to {two_digits(two.second)} of those whose wealth (e now) "
            f"is 1 or more, about {two.dice:.0f} of {dice}."
        )


def _bias_for(
    outcomes: "Outcomes",
    kind: str,
    throws: int,
    effort: "Effort",
    *,
    stakes: int,
    pace: float | None,
    given: dict[str, Any] | None,
) -> None:
    from companion.fairness.planning import detectable

    found = {}
    with progress(len(PARTS)) as done:
        for name, part in PARTS.items():
            found[name] = detectable(outcomes, kind, throws, part, effort, stakes=stakes)
            done(1)
    if given is not None:
        show_json(given | {"throws": throws} | found | ({} if pace is None else {"minutes": throws / pace}))
        return
    what = {
        "face": "one face",
        "axis": "two opposite faces together",
        "corner": "three faces that meet, together",
        "cap": "five faces that meet, together",
        "caps": "the ten faces about two opposite corners, together",
    }
    click.echo(f"{throws} throws{lasts(throws, pace)} find a bias of {what[kind]}")
    for name, bias in found.items():
        if bias is None:
            click.echo(f"  in {name} of the cases: only with more throws, however large it is")
            continue
        click.echo(f"  in {name} of the cases from {bias * 100:.1f} points of a hundred on")


def lasts(throws: float, pace: float | None) -> str:
    """Return how long some throws take at a pace, as the end of a sentence; an empty text without a pace."""
    if pace is None:
        return ""
    minutes = throws / pace
    lasts = f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.0f} hours"  # noqa: PLR2004
    return f", {lasts} at {pace:g} a minute"
