"""Which program computed a report, and the command that computes it again."""

import platform
import re
import shlex
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import numpy as np

from companion.fairness.account import DieAccount
from companion.fairness.report.sequence import to_csv
from companion.program import program_version, sources_digest

SOURCES: Final = ("companion.fairness", "companion.rules.dice_sets")
"""The packages on which the figures of a report depend: the computations, and the faces of each die."""

FILE_LETTERS: Final = 60


@dataclass(frozen=True)
class Provenance:
    """The program's ``version``, the SHA-256 of the ``sources`` that compute a report, and what they ran on.

    ``command`` computes the report again from ``file``, the CSV that belongs to it, whose SHA-256 is ``digest``.
    """

    version: str
    sources: str
    python: str
    numpy: str
    file: str
    digest: str
    command: str


def provenance_of(account: DieAccount) -> Provenance:
    """Return which program makes a report of this account, and how to make it again."""
    stem = stem_of(account)
    return Provenance(
        program_version(),
        sources_digest(*SOURCES),
        platform.python_version(),
        np.__version__,
        f"{stem}.csv",
        sha256(to_csv(account).encode()).hexdigest(),
        _command(account, stem),
    )


def stem_of(account: DieAccount) -> str:
    """Return the name of a report's files without the extension: letters, digits and hyphens only."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", account.name)[:FILE_LETTERS].strip("-").lower()
    return f"throws-{name or 'of-a-die'}"


def _command(account: DieAccount, stem: str) -> str:
    given = ["companion", "fairness", "report", f"{stem}.csv", "--die", f"{account.set_name}/{account.die.name}"]
    if account.die.twins and len(account.outcomes.labels) == len(account.die.faces):
        given.append("--twins-apart")
    if account.smallest is not None:
        given += ["--smallest", repr(account.smallest)]
    if account.fixed is not None:
        given += ["--fixed", str(account.fixed)]
    given += ["--stakes", str(account.stakes)]  # what is new then has other stakes
    if account.reader is not None:
        given += ["--reader", f"{stem}.json"]  # the report's own JSON holds the reader's measurement
    return shlex.join(given)
