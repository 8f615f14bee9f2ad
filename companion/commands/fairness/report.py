"""``companion fairness report``: judge the throws in a file and write the report as a page, a PDF, JSON or CSV."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.common_options import as_json, language_option
from companion.commands.fairness.files import accounts_of, printable, reader_of
from companion.commands.fairness.options import chosen_die, die_option, fear_option, stakes_of_fear, twins
from companion.commands.refusing import refusing
from companion.rules.strict_json import written_json
from companion.whole_file import write_whole

if TYPE_CHECKING:
    from companion.fairness.account import DieAccount
    from companion.fairness.outcomes import Outcomes
    from companion.fairness.report.contents import Report

_a_file = click.Path(dir_okay=False, path_type=Path)
_there = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(short_help="Judge the throws in a file.")
@click.argument("files", type=_there, nargs=-1, required=True, metavar="FILE...")
@die_option
@twins
@click.option(
    "--smallest",
    type=click.FloatRange(0.001, 0.5),
    help="The bias that matters to you, as a difference of chances; name it before the first throw.  [default: 0.3 of "
    "the rarest face's chance]",
)
@click.option(
    "--fixed",
    type=click.IntRange(min=1),
    help="How many throws you had fixed before the first one; the usual test is shown only then.",
)
@click.option(
    "--reader",
    "reader_file",
    type=_there,
    help="How the reader read known faces: JSON, for each true face how often it was read as which face, with "
    '"unread" for not read; or the JSON of a report, which holds the same.',
)
@click.option(
    "--stakes",
    type=int,
    metavar="N",
    help="The number of the stakes agreed before the first throw.  [default: those of every new series]",
)
@fear_option
@click.option(
    "--together",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="How many dice the file's throws come from, if nobody can tell the dice apart: the report then says so.",
)
@click.option("--title", help="A name for the die.  [default: the name of FILE]")
@click.option(
    "--about",
    multiple=True,
    metavar="NAME=TEXT",
    help="What to put in the report: maker, edges, weight, float, who, surface, method, or any other name.",
)
@click.option(
    "--photos",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of photographs of the faces, each named after its face: 6.jpg, X-1.png.",
)
@click.option("--html", type=_a_file, help="Write the report as a page, in one file.")
@click.option("--pdf", type=_a_file, help="Write the report as a PDF.")
@click.option("--csv", type=_a_file, help="Write the throws one by one, as this command reads them again.")
@language_option
@click.option("--paper", default="a4", show_default=True, type=click.Choice(["a4", "letter"]), help="Of the PDF.")
@as_json
def command(
    files: Sequence[Path],
    *,
    die: str,
    smallest: float | None,
    fixed: int | None,
    reader_file: Path | None,
    stakes: int | None,
    fear: str | None,
    together: int,
    title: str | None,
    about: Sequence[str],
    photos: Path | None,
    html: Path | None,
    pdf: Path | None,
    csv: Path | None,
    language: str,
    paper: str,
    twins_apart: bool,
    as_json: bool,
) -> None:
    """Judge the throws in FILE.

    One throw per line or several, or counts by face; with or without a header; CSV, text or JSON. The command first
    says how it understood the file. The answer holds however often you look at it while you keep throwing.

    Several FILEs are one die thrown at several stations, each the CSV that the laboratory wrote there: their throws are
    judged together, in order of time. A station is named after its file, or after its folder if the files have the same
    name.
    """
    from companion.fairness.report.contents import report_of

    if stakes is not None and fear is not None:
        raise click.UsageError("Expected --fear or --stakes, but got both: what was feared has stakes of its own.")
    set_name, known, outcomes = chosen_die(die, twins_apart=twins_apart)
    reader = None if reader_file is None else reader_of(reader_file, outcomes)
    dice = [one for file in files for one in accounts_of(file, set_name, known, outcomes, together=together)]
    account = _joined(dice, files)
    account = replace(
        account,
        name=title or account.name,
        smallest=smallest,
        fixed=fixed,
        reader=reader,
        stakes=stakes_of_fear(fear, outcomes) if stakes is None else _stakes(stakes),
        about=_parsed(about),
        photographs=_photographs(photos, outcomes),
        made=datetime.now().astimezone().date().isoformat(),
    )
    report = report_of(account)
    written = _written(report, language, {"html": html, "pdf": pdf, "csv": csv}, paper)
    if as_json:
        from companion.fairness.report.as_json import report_json

        click.echo(
            written_json({"die": die} | report_json(report), ensure_ascii=False).encode("utf-8", "backslashreplace")
        )
        return
    _show(report)
    for path in written:
        click.echo(f"Written: {path}")


def _stakes(number: int) -> int:
    from companion.fairness.stakes import StakesError, stakes_of

    with refusing(StakesError):
        return stakes_of(number).number


def _joined(accounts: "Sequence[DieAccount]", files: Sequence[Path]) -> "DieAccount":
    """Return the account of all throws, of one station or several.

    A file is named as its station is, or as the die, in a folder that is named as the station is.
    """
    from companion.fairness.tables.stations import StationsError, joined

    name = " + ".join(one.name for one in accounts)
    folders = [printable(file.resolve().parent.name) for file in files]
    if len({one.name for one in accounts}) == 1 and len(set(folders)) == len(folders) > 1:
        name = accounts[0].name
        accounts = [replace(one, name=folder) for one, folder in zip(accounts, folders, strict=True)]
    with refusing(StationsError):
        return joined(name, accounts).account


def _parsed(about: Sequence[str]) -> dict[str, str]:
    given = dict(one.partition("=")[::2] for one in about)
    if not all(name.strip() and text.strip() for name, text in given.items()):
        raise click.UsageError("Expected --about NAME=TEXT, for example --about surface=felt.")
    return {name.strip(): text.strip() for name, text in given.items()}


def _photographs(folder: Path | None, outcomes: "Outcomes") -> Mapping[str, bytes]:
    """Return the folder's photograph of each face, as a small JPEG without the camera's metadata."""
    if folder is None:
        return {}
    import cv2

    from companion.vision.images import load_image
    from companion.vision.picture_header import BadFrameError

    found: dict[str, bytes] = {}
    for label in outcomes.labels:
        stem = label.replace("/", "-")
        file = next(
            (one for one in sorted(folder.iterdir()) if one.stem == stem and one.suffix.lower() in _SUFFIXES), None
        )
        if file is None:
            continue
        try:
            picture = load_image(file)
        except BadFrameError as why:
            raise click.ClickException(
                f"Expected a photograph of the face {label}, but it cannot be read as one: {why}"
            ) from why
        smaller = min(1.0, _LONGEST / max(picture.shape[:2]))
        shown = cv2.resize(picture, None, fx=smaller, fy=smaller, interpolation=cv2.INTER_AREA)
        found[label] = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes()
    if not found:
        called = ", ".join(f"{label.replace('/', '-')}.jpg" for label in outcomes.labels)
        raise click.ClickException(f"Expected photographs named {called}, but {folder} has none of them.")
    return found


_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
_LONGEST = 480  # pixels of the longer side


def _written(report: "Report", language: str, files: Mapping[str, Path | None], paper: str) -> list[Path]:
    """Write the report in each requested form, and return the files."""
    wanted = {path: form for form, path in files.items() if path is not None}
    for path, form in wanted.items():
        write_whole(path, _form(form, report, language, paper), folders=True)
    return list(wanted)


def _form(form: str, report: "Report", language: str, paper: str) -> bytes:
    if form == "html":
        from companion.fairness.report.html import to_html
        from companion.language.texts import load

        return to_html(report, load(language)).encode()
    if form == "pdf":
        from companion.fairness.report.paper import PAPERS, to_pdf
        from companion.language.texts import load

        return to_pdf(report, load(language), next(name for name in PAPERS if name == paper))
    from companion.fairness.report.sequence import to_csv

    return to_csv(report.account).encode()


def _show(report: "Report") -> None:
    """Print the answer, the counts, and the results of the questions about the thrower."""
    judged, outcomes = report.judged, report.account.outcomes
    for sentence in (*report.account.understood, *report.sentences):
        click.echo(click.wrap_text(str(sentence), 100))
    click.echo("")
    _show_tally(report)
    click.echo(f"{'':8}{'thrown':>8}{'share':>9}{'fair':>9}   between, at every look")
    for label, count, fair, low, high in zip(
        outcomes.labels, judged.counts, outcomes.fair, judged.intervals.low, judged.intervals.high, strict=True
    ):
        part = count / max(1, judged.counts.sum())
        click.echo(f"{label:8}{count:8}{part:9.1%}{fair:9.1%}   {low:6.1%} to {high:6.1%}")
    click.echo("")
    from companion.fairness.report.sections import chance

    click.echo(f"p, which holds at every look: {chance(judged.evidence.p)}. {_asked(report)}")
    if report.fixed is not None:
        click.echo(f"p of the {report.account.fixed} throws fixed beforehand: {chance(report.fixed.p)}.")


def _show_tally(report: "Report") -> None:
    """Say which throws are not in the counts, or were changed: nothing of that is hidden."""
    tally, labels = report.tally, report.account.outcomes.labels
    if tally.unread:
        click.echo(f"Not read: {tally.unread} of {tally.thrown} throws.")
    for one in tally.changed:
        was = "not read" if one.was is None else labels[one.was]
        now = "no throw" if one.withdrawn else "not read" if one.now is None else labels[one.now]
        why = f" ({one.reason})" if one.reason else ""
        click.echo(f"Changed: {len(one.numbers)} from {was} to {now} by {one.by or 'an unknown person'}{why}.")
    if tally.unread or tally.changed:
        click.echo("")


def _asked(report: "Report") -> str:
    if report.account.throws is None:
        return "Counts cannot show whether throws depend on each other."
    if not report.findings:
        return "Whether throws depend on each other is tested from 100 throws on."
    calm = [finding.question for finding in report.findings if not finding.found]
    last = max(finding.asked_to for finding in report.findings)
    return f"Tested up to throw {last} and not found: {', '.join(calm)}." if calm else ""
