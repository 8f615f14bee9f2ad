"""``companion fairness``: judge a die by its throws, and plan how many throws that needs."""

import click

from companion.commands.fairness.batch import command as batch
from companion.commands.fairness.brick import command as brick
from companion.commands.fairness.plan import command as plan
from companion.commands.fairness.report import command as report
from companion.commands.fairness.verify import command as verify
from companion.commands.fairness.watch import watch


@click.group(short_help="Judge whether a die is biased.")
def command() -> None:
    """Judge a die by its throws: biased, no bias larger than a given size, or not enough throws yet."""


command.add_command(report, "report")
command.add_command(watch)
command.add_command(plan, "plan")
command.add_command(batch, "batch")
command.add_command(brick, "brick")
command.add_command(verify, "verify")
