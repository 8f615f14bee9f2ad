"""``companion kit``: the printable boards, dice, men and cards, as PDF files."""

from pathlib import Path

import click

from companion.commands.common_options import as_json, language_option, show_json
from companion.commands.refusing import refusing
from companion.whole_file import write_whole


@click.command(short_help="Print boards, dice, men and rule cards.")
@click.argument("names", nargs=-1, metavar="list | NAME...")
@click.option("--all", "whole", is_flag=True, help="Every part of the kit.")
@click.option("--paper", default="a4", show_default=True, metavar="a4|letter|a3|a2", help="The paper in your printer.")
@click.option(
    "--outline", is_flag=True, help="Save ink on boards: lines instead of areas. No camera reads such a board."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("kit"),
    show_default=True,
    help="The folder to write into.",
)
@language_option
@as_json
def command(
    names: tuple[str, ...], paper: str, out: Path, language: str, *, whole: bool, outline: bool, as_json: bool
) -> None:
    """Write parts of the kit as PDF files, one per part; ``list`` shows the parts.

    Print them at 100 % (no "fit to page") and check the ruler at the foot of a sheet.
    """
    from calibration.kit.catalogue import PARTS, UnknownPartError, part_named
    from calibration.kit.paper import UnknownPaperError, paper_named

    if names == ("list",) and not whole:
        _list(as_json=as_json)
        return
    if bool(names) == whole:
        raise click.UsageError("Name the parts to make, or give --all; companion kit list shows them.")
    with refusing(OSError, UnknownPaperError, UnknownPartError):
        sheet = paper_named(paper)
        parts = list(PARTS.values()) if whole else [part_named(name) for name in dict.fromkeys(names)]
        written = []
        for part in parts:
            count = part.sheets(sheet)
            path = out / f"{part.name}-{paper}.pdf"
            write_whole(path, part.pdf(sheet, language, outline=outline), folders=True)
            written.append({"name": part.name, "file": str(path), "sheets": count})
            if not as_json:
                click.echo(f"{path}: {part.title}, {count} {'sheet' if count == 1 else 'sheets'}")
    if as_json:
        show_json(written)
        return
    click.echo('Print at 100 % ("actual size"); the ruler at the foot of each sheet shows whether the printer did so.')


def _list(*, as_json: bool) -> None:
    from calibration.kit.catalogue import PARTS
    from calibration.kit.paper import PAPERS

    listed = [
        {
            "name": part.name,
            "title": part.title,
            "sheets": {name: part.sheets(paper) for name, paper in PAPERS.items()},
        }
        for part in PARTS.values()
    ]
    if as_json:
        show_json(listed)
        return
    wide = max(map(len, PARTS))
    for part in PARTS.values():
        click.echo(f"{part.name.ljust(wide)}  {part.title}")
