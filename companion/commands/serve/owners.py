"""Where a running table keeps its journal, and finds its owner's data: settings from the page, and the PIN."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.refusing import refusing
from companion.program import own_folder
from companion.whole_file import make_folder

if TYPE_CHECKING:
    from companion.settings.file import SettingsFile
    from companion.web.app import PageOwner


@dataclass(frozen=True)
class Owners:
    """The owner's data: the settings, the PIN in plain or as a hash, and the file of a PIN chosen on the page."""

    settings: "SettingsFile"
    pin: str | None
    kept: str | None
    pin_file: Path

    def of_page(self, host: str, names: tuple[str, ...], *, kiosk: bool = False) -> "PageOwner":
        """Return what an app needs that listens on ``host``, also under ``names``; the console says its PIN."""
        from companion.web.addresses import is_loopback, trusted_names
        from companion.web.recent_log import listen

        return {
            "trusted_hosts": trusted_names(host, names),
            "owner_pin": self.announced(network=not is_loopback(host), hall=kiosk),
            "kept_pin": self.kept,
            "pin_file": self.pin_file,
            "settings": self.settings,
            "log": listen(),
        }

    def announced(self, *, network: bool, hall: bool) -> str | None:
        """Return the PIN that the page requires, and print on the console which PIN that is.

        It requires one if a ``network`` reaches it, and in a ``hall``: people in front of a kiosk are visitors.
        """
        from companion.web.access.pin import make_pin

        if not network and not hall:
            return self.pin
        where = "The page is open to the network" if network else "This is a kiosk"
        if self.kept is not None:
            click.echo(f"{where}; the owner's PIN is the one you chose.")
            return None
        pin = self.pin or make_pin()
        click.echo(f"{where}; the owner's PIN is {pin}")
        return pin


def owners(journal: Path | None, *, settings: Path | None, pin_file: Path | None, pin: str | None) -> Owners:
    """Read settings and PIN: from the named files, else from beside a named journal, else from the user's own folder.

    Raises:
        click.ClickException: the PIN cannot be read.
    """
    from companion.settings.file import SettingsFile
    from companion.web.access.pin import PinFileError, read_pin

    if journal is None:
        from platformdirs import user_config_path

        folder = user_config_path("alea-companion", appauthor=False)
        usual = folder / "settings.json", folder / "owner-pin"
    else:
        usual = journal.with_suffix(".settings.json"), journal.with_suffix(".owner-pin")
    kept_in = pin_file or usual[1]
    with refusing(PinFileError):
        kept = None if pin is not None else read_pin(kept_in)
    return Owners(SettingsFile(settings or usual[0]), pin, kept, kept_in)


@contextmanager
def journal_file(given: Path | None, sample: str | None, name: str) -> Iterator[Path]:
    """Yield the journal's file: the named one, a temporary one for a sample, else the user's own, called ``name``."""
    if given is not None:
        if not given.parent.is_dir():
            raise click.ClickException(
                f"Expected a folder for the journal, but there is no {given.parent}: make it, or name another file."
            )
        yield given
    elif sample is not None:
        with tempfile.TemporaryDirectory(prefix="companion-sample-") as folder:
            yield Path(folder) / name
    else:
        yield own_journal(name)


def own_journal(name: str) -> Path:
    """Return the user's own journal of this name; its folder is there afterwards."""
    own = own_folder()
    make_folder(own)
    return own / name
