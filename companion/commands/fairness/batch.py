"""``companion fairness batch``: judge many dice together, so that one of many does not look biased by chance."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.common_options import as_json, show_json
from companion.commands.fairness.options import chosen_die, die_option, set_and_die, text_of, thrown_of, twins

if TYPE_CHECKING:
    from companion.fairness.account import Account
    from companion.fairness.batch import Batch
    from companion.fairness.outcomes import Outcomes
    from companion.fairness.reader_errors import Reader
    from companion.rules.die import Die

ENDINGS = (".csv", ".json")


@click.command(short_help="Judge many dice together.")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="FILE...|FOLDER"
)
@die_option
@twins
@click.option("--smallest", type=click.FloatRange(0.001, 0.5), help="The bias that matters to you, for each die.")
@click.option(
    "--reader",
    "reader_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="How the reader read known faces, as for `report`; one reader for all dice.",
)
@click.option("--intervals", "with_intervals", is_flag=True, help="Print intervals that hold for all dice together.")
@as_json
def command(
    files: Sequence[Path],
    die: str,
    smallest: float | None,
    reader_file: Path | None,
    *,
    twins_apart: bool,
    with_intervals: bool,
    as_json: bool,
) -> None:
    """Judge the dice of a batch: each FILE one die, or one FILE with a column `die`, or a FOLDER of such files.

    Files are as for `report`, and all dice are of the same kind. Of dice that are called biased in the batch, at most 5
    of 100 are fair on average, however many there are and whenever you look.
    """
    from companion.fairness.batch import BatchError, batch_of
    from companion.fairness.batch_sentences import batch_sentences, to_json

    chosen, outcomes = chosen_die(die, twins_apart=twins_apart)
    set_name = set_and_die(die)[0]
    reader = None if reader_file is None else _reader(reader_file, outcomes)
    every = list(_every(files))
    accounts = [
        replace(account, smallest=smallest, reader=reader)
        for file in every
        for account in _accounts(file, set_name, chosen, outcomes)
    ]
    _named_once(accounts, every)
    try:
        batch = batch_of(accounts)
    except BatchError as why:
        raise click.ClickException(str(why)) from why
    if as_json:
        show_json({"die": die} | to_json(batch))
        return
    for account in accounts:
        click.echo(f"{account.name}: {' '.join(map(str, account.understood))}")
    click.echo("")
    for sentence in batch_sentences(batch):
        click.echo(click.wrap_text(str(sentence), 100))
    click.echo("")
    _show_table(batch)
    if with_intervals:
        click.echo("")
        _show_intervals(batch)


def _every(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the files; for a folder the files in it, by name."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(one for one in path.iterdir() if one.is_file() and one.suffix.lower() in ENDINGS)
        if not found:
            raise click.ClickException(f"Expected files of throws, .csv or .json, in the folder {path}, but none is.")
        yield from found


def _accounts(file: Path, set_name: str, die: "Die", outcomes: "Outcomes") -> "Iterator[Account]":
    from companion.fairness.account import Account
    from companion.fairness.record import read_records
    from companion.fairness.tables.lines import RecordError

    try:
        records = read_records(text_of(file), outcomes, die)
    except RecordError as why:
        raise click.ClickException(f"{file}: {why}") from why
    for name, record in records.items():
        printable = "".join(letter if letter.isprintable() else "?" for letter in name or file.stem)
        yield Account(
            printable, set_name, die, outcomes, record.counts, thrown_of(record), understood=record.understood
        )


def _reader(file: Path, outcomes: "Outcomes") -> "Reader":
    from companion.fairness.reader_errors import ReaderError
    from companion.fairness.reader_file import read_reader

    try:
        return read_reader(text_of(file), outcomes)
    except ReaderError as why:
        raise click.ClickException(f"{file}: {why}") from why


def _named_once(accounts: "list[Account]", files: Sequence[Path]) -> None:
    """Raise if two dice have the same name: a reader of the table could not distinguish them."""
    names = [account.name for account in accounts]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise click.ClickException(
            f"Expected each die once, but {', '.join(twice)} comes more than once in the {len(files)} files: give the "
            "files or the dice different names."
        )


def _show_table(batch: "Batch") -> None:
    from companion.fairness.batch_sentences import as_odds
    from companion.fairness.sentences import LEAST_TOLD

    wide = max(8, *(len(one.account.name) for one in batch.dice)) + 2
    click.echo(f"{'die':{wide}}{'throws':>8}  {'alone':16}{'in the batch':14}{'e now':>9}{'p':>9}  farthest from fair")
    for one in batch.dice:
        outcomes, place = one.account.outcomes, one.farthest
        far = f"{outcomes.labels[place]}: {one.alone.estimate[place]:.1%}, fair {outcomes.fair[place]:.1%}"
        called = "biased" if one.called else "-"
        click.echo(
            f"{one.account.name:{wide}}{one.throws:8}  {one.alone.said:16}{called:14}{as_odds(one.log_e):>9}"
            f"{max(one.p, LEAST_TOLD):9.2g}  {far}"
        )


def _show_intervals(batch: "Batch") -> None:
    click.echo("Between, for all dice together and at every look:")
    for one in batch.dice:
        parts = [
            f"{label} {low:.1%} to {high:.1%}"
            for label, low, high in zip(
                one.account.outcomes.labels, one.intervals.low.tolist(), one.intervals.high.tolist(), strict=True
            )
        ]
        click.echo(f"{one.account.name}: {', '.join(parts)}")
