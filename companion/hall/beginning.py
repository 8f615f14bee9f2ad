"""What a hall over a broker begins with: Mosquitto's files, and a folder for each table and for the desk."""

import hashlib
import json
import secrets
from base64 import b64encode
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from companion.certificate import self_signed
from companion.hall.acl import ASSISTANT, BOOK, OWNER, access_list
from companion.hall.settings import NAME, HallSettingsError, is_host, read_settings
from companion.whole_file import make_folder, write_whole

INSTALLED: Final = "/etc/mosquitto/conf.d"
"""Where Mosquitto's files are to lie; Debian's Mosquitto reads every ``*.conf`` there."""

BROKER: Final = "broker"
PASSWORD, AUTHORITY, SETTINGS = "password", "ca.crt", "hall.toml"

PASSWORD_BYTES: Final = 24
SALT_BYTES: Final = 12
HASH_ROUNDS: Final = 101
"""Of PBKDF2, as `mosquitto_passwd` has it: nobody guesses 192 random bits."""


def write_hall(
    folder: Path, tables: Sequence[str], *, host: str | None, own: str, book: str | None = None
) -> tuple[list[str], str]:
    """Write a hall's files into a folder that is called like the hall; return the names of its tables, and the host.

    Called again it adds tables. Every file of tables, desk and certificate that is there is kept; passwords and access
    list of the broker are written again. ``host``: the broker's address or name; ``own``: this computer's, for a new
    hall without ``host``; ``book``: of a new hall, a file beside the desk's settings, or ``postgresql://...``.

    Raises:
        HallSettingsError: a name is none; the desk's settings are there and cannot be read, or say otherwise.
        OSError: a file cannot be read or written.
    """
    hall = folder.resolve().name
    _check_names((hall, *tables))
    host = _host_of(folder / BOOK / SETTINGS, host, own, book)
    there = {one.parent.name for one in folder.glob(f"*/{PASSWORD}")} - {BOOK, OWNER, ASSISTANT}
    named = [*dict.fromkeys((*sorted(there), *tables))]
    users = [*named, BOOK, OWNER, ASSISTANT]
    broker = folder / BROKER
    for one in (broker, *(folder / user for user in users)):
        make_folder(one, 0o700)
    if not (broker / "broker.crt").exists():
        certificate, key = self_signed(host)
        write_whole(broker / "broker.key", key, mode=0o600)
        write_whole(broker / "broker.crt", certificate, mode=0o600)
    for user in users:
        _keep(folder / user / PASSWORD, f"{secrets.token_urlsafe(PASSWORD_BYTES)}\n".encode())
        _keep(folder / user / AUTHORITY, (broker / "broker.crt").read_bytes())
        if user != ASSISTANT:
            _keep(folder / user / SETTINGS, _settings(hall, user, host, book or "hall.db"))
    passwords = "".join(f"{line}\n" for line in _passwords(folder, users))
    write_whole(broker / "passwords", passwords.encode(), mode=0o600)
    write_whole(broker / "access.list", access_list(hall, named, "homeassistant").encode(), mode=0o600)
    _keep(broker / "hall.conf", _filled("mosquitto.conf", hall=hall, folder=INSTALLED))
    return named, host


def _check_names(names: Sequence[str]) -> None:
    for name in names:
        if not NAME.fullmatch(name) or name in (BROKER, BOOK, OWNER, ASSISTANT):
            raise HallSettingsError(
                "Expected the name of a folder or table of 1 to 40 small letters, digits, - and _, which is not "
                f"{BROKER}, {BOOK}, {OWNER} or {ASSISTANT}, but got {name!r:.60}."
            )


def _host_of(desk: Path, host: str | None, own: str, book: str | None) -> str:
    """Return the broker's host, as the desk's settings have it where they are there."""
    if desk.exists():
        own = read_settings(desk, of_table=False).broker.host
        if host not in (None, own):
            raise HallSettingsError(f"The hall is there with the broker at {own}, not {host}: begin another folder.")
        if book is not None:
            raise HallSettingsError(f"{desk} is there and names the book: change its url instead of giving --book.")
    if not is_host(host := host or own):
        raise HallSettingsError(f"Expected the broker's name or address without a port, but got {host!r:.60}.")
    return host


def _settings(hall: str, user: str, host: str, book: str) -> bytes:
    if user == OWNER and "://" not in book:
        book = str(Path("..", BOOK) / book)
    kind = "beginning_desk.toml" if user in (BOOK, OWNER) else "beginning.toml"
    return _filled(kind, hall=hall, user=user, host=host, book=json.dumps(book))


def _keep(path: Path, data: bytes) -> None:
    """Write a file for its owner alone, unless it is there."""
    if not path.exists():
        write_whole(path, data, mode=0o600)


def _filled(name: str, **values: str) -> bytes:
    return Template((files("companion.hall") / name).read_text("utf-8")).substitute(values).encode()


def _passwords(folder: Path, users: Sequence[str]) -> Iterator[str]:
    """Return the lines of Mosquitto's file of passwords: user, form, rounds, salt and hash."""
    for user in users:
        password, salt = (folder / user / PASSWORD).read_bytes().strip(), secrets.token_bytes(SALT_BYTES)
        digest = hashlib.pbkdf2_hmac("sha512", password, salt, HASH_ROUNDS)
        yield f"{user}:$7${HASH_ROUNDS}${b64encode(salt).decode()}${b64encode(digest).decode()}"
