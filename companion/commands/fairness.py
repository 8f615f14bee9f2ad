"""``companion fairness``: judge a die by its throws, and plan how many it takes."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.fairness_batch import command as batch
from companion.commands.fairness_brick import command as brick
from companion.commands.fairness_plan import command as plan
from companion.commands.given import as_json, show_json

if TYPE_CHECKING:
    from companion.fairness.dependence import Finding
    from companion.fairness.outcomes import Outcomes
    from companion.fairness.reader_errors import Reader
    from companion.fairness.record import Record
    from companion.rules.die import Die

die_option = click.option(
    "--die",
    "die",
    default="pips",
    show_default=True,
    metavar="SET[/DIE]",
    help="Which die: a set of dice, and which of it where they differ (wibold/2, d20, a file of your own).",
)
twins = click.option("--twins-apart", is_flag=True, help="Faces that bear the same are told apart (X/1, X/2).")


@click.group(short_help="Judge whether a die is biased.")
def command() -> None:
    """Judge a die by its throws: biased, no bias larger than so much, or not enough throws yet."""


@command.command(short_help="Judge the throws in a file.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@die_option
@twins
@click.option(
    "--smallest",
    type=click.FloatRange(0.001, 0.5),
    help="The bias that matters to you, as a difference of chances; name it before the first throw.  [default: 0.3 of "
    "the rarest face's chance]",
)
@click.option(
    "--reader",
    "reader_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="How the reader read known faces: JSON, by true face how often it was read as which, and as not read under "
    '"unread".',
)
@as_json
def report(
    file: Path, die: str, smallest: float | None, reader_file: Path | None, *, twins_apart: bool, as_json: bool
) -> None:
    """Judge the throws in FILE.

    A CSV with a column `face` (one throw a line; session, hand and die may stand beside it) or with `face` and `count`,
    or the same as JSON. The answer holds however often you look at it while you go on throwing.
    """
    from companion.fairness.telling import to_json, told
    from companion.fairness.verdict import judge, judge_counts

    known, outcomes = _outcomes(die, twins_apart=twins_apart)
    record = _record(file, outcomes, known)
    reader = None if reader_file is None else _reader(reader_file, outcomes)
    if record.shown is None:
        judged = judge_counts(record.counts, outcomes, smallest=smallest, reader=reader)
    else:
        judged = judge(record.shown, outcomes, smallest=smallest, reader=reader)
    findings = _findings(record, len(outcomes.labels))
    if as_json:
        show_json({"die": die} | to_json(judged, outcomes, findings))
        return
    for sentence in told(judged, outcomes, findings):
        click.echo(click.wrap_text(sentence, 100))
    click.echo("")
    click.echo(f"{'':8}{'thrown':>8}{'share':>9}{'fair':>9}   between, at every look")
    for label, count, fair, low, high in zip(
        outcomes.labels, judged.counts, outcomes.fair, judged.intervals.low, judged.intervals.high, strict=True
    ):
        part = count / max(1, judged.counts.sum())
        click.echo(f"{label:8}{count:8}{part:9.1%}{fair:9.1%}   {low:6.1%} to {high:6.1%}")
    click.echo("")
    click.echo(f"p, valid at every look: {judged.evidence.p:.4g}. {_asked(findings, record)}")


command.add_command(plan, "plan")
command.add_command(batch, "batch")
command.add_command(brick, "brick")


def _outcomes(which: str, *, twins_apart: bool) -> "tuple[Die, Outcomes]":
    from companion.fairness.outcomes import OutcomesError, outcomes_of
    from companion.rules.dice import DiceSetFileError, ThrowError, UnknownDiceSetError, find_dice_set

    name, _, which_die = which.partition("/") if not Path(which).exists() else (which, "", "")
    try:
        dice = find_dice_set(name)
        chosen = dice.die(which_die) if which_die else dice.dice[0]
        if not which_die and not dice.alike and len(dice.dice) > 1:
            named = ", ".join(f"{name}/{one.name}" for one in dice.dice)
            raise click.ClickException(f"The dice of the set {name} differ: say which one, {named}.")
        return chosen, outcomes_of(chosen, twins_apart=twins_apart)
    except (UnknownDiceSetError, DiceSetFileError, ThrowError, OutcomesError) as why:
        raise click.ClickException(str(why)) from why


def _record(file: Path, outcomes: "Outcomes", die: "Die") -> "Record":
    from companion.fairness.record import RecordError, read_record

    try:
        return read_record(file.read_text(encoding="utf-8"), outcomes, die)
    except (RecordError, UnicodeDecodeError, OSError) as why:
        raise click.ClickException(f"{file}: {why}") from why


def _reader(file: Path, outcomes: "Outcomes") -> "Reader":
    from companion.fairness.reader_errors import ReaderError
    from companion.fairness.reader_file import read_reader

    try:
        return read_reader(file.read_text(encoding="utf-8"), outcomes)
    except (ReaderError, UnicodeDecodeError, OSError) as why:
        raise click.ClickException(f"{file}: {why}") from why


def _findings(record: "Record", kinds: int) -> "list[Finding]":
    from companion.fairness.dependence import between, drift, lag_one

    if record.shown is None:
        return []
    asked = [lag_one(record.shown, kinds), drift(record.shown, kinds)]
    asked += [between(record.shown, groups, kinds, name) for name, groups in record.groups.items()]
    return [one for one in asked if one is not None]


def _asked(findings: "Sequence[Finding]", record: "Record") -> str:
    if record.shown is None:
        return "Whether throws hang on each other cannot be asked of counts."
    if not findings:
        return "Whether throws hang on each other is asked from 100 throws on."
    calm = [finding.question for finding in findings if not finding.found]
    return f"Asked and not found: {', '.join(calm)}." if calm else ""
