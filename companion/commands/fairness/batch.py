"""``companion fairness batch``: judge many dice together, so that one of many does not look biased by chance."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.common_options import as_json, language_option, show_json
from companion.commands.fairness.files import accounts_of, reader_of
from companion.commands.fairness.options import chosen_die, die_option, fear_option, stakes_of_fear, twins
from companion.whole_file import write_whole

if TYPE_CHECKING:
    from companion.fairness.account import DieAccount
    from companion.fairness.batches.batch import Batch
    from companion.fairness.report.batch_contents import BatchReport
    from companion.fairness.report.document import Document
    from companion.fairness.tables.stations import Joined

ENDINGS = (".csv", ".json")


@click.command(short_help="Judge many dice together.")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="FILE...|FOLDER"
)
@die_option
@twins
@click.option("--smallest", type=click.FloatRange(0.001, 0.5), help="The bias that matters to you, for each die.")
@fear_option
@click.option(
    "--reader",
    "reader_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="How the reader read known faces, as for `report`; one reader for all dice.",
)
@click.option(
    "--stations",
    "at_stations",
    is_flag=True,
    help="Each FOLDER is a station: it holds the table of each die thrown there. Tables with the same name are one "
    "die, whose throws are merged by time.",
)
@click.option(
    "--fixed",
    type=click.IntRange(min=1),
    help="How many throws of each die you had fixed before the first one, for one look: it finds more dice, once.",
)
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write the batch as a page, in one file.")
@click.option("--pdf", type=click.Path(dir_okay=False, path_type=Path), help="Write the batch as a PDF.")
@click.option("--paper", default="a4", show_default=True, type=click.Choice(["a4", "letter"]), help="Of the PDF.")
@click.option("--title", help="A name for the batch.  [default: the set of dice]")
@language_option
@click.option("--intervals", "with_intervals", is_flag=True, help="Print intervals that hold for all dice together.")
@as_json
def command(
    files: Sequence[Path],
    die: str,
    smallest: float | None,
    fear: str | None,
    reader_file: Path | None,
    *,
    fixed: int | None,
    html: Path | None,
    pdf: Path | None,
    paper: str,
    title: str | None,
    language: str,
    twins_apart: bool,
    at_stations: bool,
    with_intervals: bool,
    as_json: bool,
) -> None:
    """Judge the dice of a batch: each FILE one die, or one FILE with a column `die`, or a FOLDER of such files.

    Files are as for `report`, and all dice are of the same kind. On average, at most 5 of 100 dice called biased in the
    batch are fair, however many there are and whenever you look.
    """
    from companion.fairness.report.batch_contents import batch_json, batch_report
    from companion.fairness.report.batch_sections import batch_document
    from companion.fairness.report.html import page_of
    from companion.language import texts

    set_name, chosen, outcomes = chosen_die(die, twins_apart=twins_apart)
    reader = None if reader_file is None else reader_of(reader_file, outcomes)
    stakes = stakes_of_fear(fear, outcomes)
    stations = {}
    for station, every in (_at_stations(files) if at_stations else {"": list(_every(files))}).items():
        stations[station] = [
            replace(account, smallest=smallest, reader=reader, stakes=stakes)
            for file in every
            for account in accounts_of(file, set_name, chosen, outcomes, several=True)
        ]
        _named_once(stations[station], every)
    report = batch_report(
        _joined(stations),
        list(stations) if at_stations else (),
        title=title or set_name,
        made=datetime.now().astimezone().date().isoformat(),
        fixed=fixed,
    )
    document = batch_document(report)
    if html is not None:
        write_whole(html, page_of(document, texts.load(language)).encode(), folders=True)
    if pdf is not None:
        from companion.fairness.report.paper import PAPERS, document_pdf

        sheet = next(name for name in PAPERS if name == paper)
        write_whole(pdf, document_pdf(document, report.made, texts.load(language), sheet), folders=True)
    if as_json:
        show_json({"die": die} | batch_json(report))
        return
    for station, accounts in stations.items():
        for account in accounts:
            if account.understood:
                name = f"{station}/{account.name}" if station else account.name
                click.echo(f"{name}: {' '.join(map(str, account.understood))}")
    click.echo("")
    _show(report, document, with_intervals=with_intervals)
    for written in filter(None, (html, pdf)):
        click.echo(f"Written: {written}")


def _every(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the files; for a folder the files in it, by name."""
    for path in paths:
        yield from _within(path) if path.is_dir() else (path,)


def _within(folder: Path) -> list[Path]:
    """Return the files of throws in a folder, by name."""
    found = sorted(one for one in folder.iterdir() if one.is_file() and one.suffix.lower() in ENDINGS)
    if not found:
        raise click.ClickException(
            f"Expected files of throws, .csv or .json, in the folder {folder}, but there are none."
        )
    return found


def _at_stations(folders: Sequence[Path]) -> dict[str, list[Path]]:
    """Return by station, which is a folder, the files of the dice that were thrown there."""
    stations: dict[str, list[Path]] = {}
    for folder in folders:
        if not folder.is_dir():
            raise click.ClickException(f"Expected one folder per station for --stations, but {folder} is a file.")
        if folder.resolve().name in stations:
            raise click.ClickException(
                f"Expected stations with different names, but two folders are called {folder.resolve().name}."
            )
        stations[folder.resolve().name] = _within(folder)
    return stations


def _joined(stations: "Mapping[str, Sequence[DieAccount]]") -> "list[Joined]":
    """Return each die, known by its name, with its throws at all stations."""
    from companion.fairness.tables.stations import StationsError, joined

    dice: dict[str, list[DieAccount]] = {}
    for station, accounts in stations.items():
        for one in accounts:
            dice.setdefault(one.name, []).append(replace(one, name=station))
    found = []
    for name, parts in dice.items():
        try:
            found.append(joined(name, parts))
        except StationsError as why:
            raise click.ClickException(f"{name}: {why}") from why
    return found


def _named_once(accounts: "list[DieAccount]", files: Sequence[Path]) -> None:
    """Raise if two dice have the same name: a reader of the table could not distinguish them."""
    names = [account.name for account in accounts]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise click.ClickException(
            f"Expected each die once, but {', '.join(twice)} appears more than once in the {len(files)} files: give "
            "the files or the dice different names."
        )


def _show(report: "BatchReport", document: "Document", *, with_intervals: bool) -> None:
    for paragraph in document.answer:
        click.echo(click.wrap_text(str(paragraph.sentence), 100))
    click.echo("")
    _show_table(report.batch)
    if report.stations:
        click.echo("")
        _show_stations(report)
    if with_intervals:
        click.echo("")
        _show_intervals(report.batch)


def _show_table(batch: "Batch") -> None:
    from companion.fairness.batches.sentences import as_odds
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


def _show_stations(report: "BatchReport") -> None:
    """Print how many throws each station read of each die, and whether the stations differ."""
    from companion.fairness.report.sections import STATES

    for one in report.dice:
        read = ", ".join(f"{int(part.counts.sum())} at {part.name}" for part in one.joined.parts)
        to = f", asked up to throw {one.differ.asked_to}" if one.differ else ""
        click.echo(f"{one.judged.account.name}: {read}. Difference between the stations: {STATES[one.state]}{to}.")


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
