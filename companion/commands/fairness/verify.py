"""``companion fairness verify``: whether tables of throws are as the laboratory wrote them."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import click

from companion.commands.common_options import as_json, show_json
from companion.commands.fairness.files import text_of


@click.command(short_help="Check that a table of throws is whole.")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE..."
)
@as_json
def command(files: Sequence[Path], *, as_json: bool) -> None:
    """Check that each FILE is as the laboratory wrote it: no row deleted, changed, moved or added since.

    The exit status is 1 if one is not. A report prints the SHA-256 of its table: where this command prints the same,
    the table is that of the report.
    """
    found = [_verified(file) for file in files]
    if as_json:
        show_json([one._asdict() for one in found])
    for one in () if as_json else found:
        click.echo(f"{one.file}: {'whole' if one.whole else 'not whole'}, {one.throws} throws.")
        for fault in one.faults:
            click.echo(f"  {fault}")
        click.echo(f"  SHA-256: {one.sha256}")
    if not all(one.whole for one in found):
        click.get_current_context().exit(1)


class _Verified(NamedTuple):
    """What was found of one file."""

    file: str
    whole: bool
    throws: int
    sha256: str
    faults: list[str]


def _verified(file: Path) -> _Verified:
    from companion.fairness.report.sequence import verified
    from companion.fairness.tables.lines import RecordError

    digest = sha256(file.read_bytes()).hexdigest()
    try:
        table, head = verified(text_of(file))
    except RecordError as why:
        return _Verified(str(file), whole=False, throws=0, sha256=digest, faults=[str(why)])
    faults = [str(fault) for fault in table.faults]
    if not head and not faults:
        faults = ["The table has no column chain, so nobody can say whether rows were changed."]
    return _Verified(str(file), not faults, len(table.throws), digest, faults)
