"""The hall's settings in ``hall.toml``: names, broker, what may come from outside, OSC, and the book."""

import contextlib
import ipaddress
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
"""What a hall or table may be called: it becomes a level of a topic, where ``/``, ``+`` and ``#`` have a meaning."""

OUTSIDE: Final = ("attract", "close", "open", "language", "pause")
"""The commands that an owner may allow from outside: never a throw, a choice or a correction."""

PLAIN_PORT, TLS_PORT = 1883, 8883  # as the standard registers them

JOIN_PORT: Final = 8643
"""Where the desk of a hall without a broker listens for tables by default."""

MOST_BYTES: Final = 64 * 1024


class HallSettingsError(ValueError):
    """The settings cannot be used; the text is one sentence for each fault."""


@dataclass(frozen=True)
class Broker:
    """The broker and how to sign in. ``ca``: the file of an authority, which switches TLS on."""

    host: str = "127.0.0.1"
    port: int = PLAIN_PORT
    user: str = ""
    password: str = field(default="", repr=False)
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


@dataclass(frozen=True)
class Membership:
    """How a table that joined by a code reaches its hall, and shows itself there by its key.

    ``fingerprint``: SHA-256 of the certificate of the hall's server; ``names``: whether players' names leave the table.
    """

    hall: Annotated[str, msgspec.Meta(pattern=f"^{NAME.pattern}$")]
    table: Annotated[str, msgspec.Meta(pattern=f"^{NAME.pattern}$")]
    host: Annotated[str, msgspec.Meta(min_length=1, max_length=253)]
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)]
    fingerprint: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    key: Annotated[str, msgspec.Meta(min_length=32, max_length=200)] = field(repr=False)
    names: bool = False


@dataclass(frozen=True)
class HallSettings:
    """A table's place in the hall. ``outside``: allowed commands; ``osc``: host and port, None for none.

    ``invitations``: whether the table shows whom a tournament invites to it.

    ``names``: whether players' names leave the table; ``prefix``: of Home Assistant's discovery, "" for none.

    ``membership``: of a table that joined a hall without a broker by its code; ``join_port``: where the desk of such a
    hall listens for tables, None for a hall with a broker.
    """

    hall: str
    table: str
    names: bool = False
    broker: Broker = field(default_factory=Broker)
    outside: frozenset[str] = frozenset()
    prefix: str = "homeassistant"
    osc: tuple[str, int] | None = None
    book: str = field(default="hall.db", repr=False)  # its address may hold a password
    invitations: bool = False
    membership: Membership | None = None
    join_port: int | None = None


def open_doors(settings: HallSettings, *, of_table: bool) -> list[str]:
    """Return a sentence for each way in which others at the broker may do what the owner would not have them do."""
    broker = settings.broker
    if settings.join_port is not None:
        return []  # only tables that a code let in are heard
    if not of_table:
        what = "give commands to the tables, and write events and results into the book"
    elif settings.outside or settings.invitations:
        what = "give this table the commands that it takes from outside"
    else:
        what = "play for the other table in a match of two tables"
    at, found = f"The connection to the broker at {broker.host}", []
    if not broker.user:
        found.append(f"{at} has no user and password, so anyone who reaches the broker may {what}.")
    with contextlib.suppress(ValueError):
        if broker.ca is None and ipaddress.ip_address(broker.host).is_loopback:
            return found
    if broker.ca is None and broker.host != "localhost":
        found.append(f"{at} has no TLS (ca), so anyone in the network may read its passwords, and {what}.")
    return found


def read_settings(path: Path, *, of_table: bool = True) -> HallSettings:
    """Return the settings of a file; other files that it names lie beside it.

    ``of_table``: whether they are a table's, which must have a name; those of the book need none.

    Raises:
        HallSettingsError: the file cannot be read or has faults; it names all of them.
    """
    try:
        with path.open("rb") as opened:
            text = opened.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise HallSettingsError(f"{path.name} is larger than {MOST_BYTES} bytes.")
        data = tomllib.loads(text.decode("utf-8"))
    except OSError as why:
        raise HallSettingsError(f"{path} cannot be read ({why.strerror}).") from why
    except (UnicodeError, tomllib.TOMLDecodeError) as why:
        raise HallSettingsError(f"{path.name} is not TOML: {why}.") from why
    reading = _SettingsReading(path.parent)
    settings = reading.settings(data if of_table else {"table": "book", **data})
    if reading.faults:
        raise HallSettingsError("\n".join(reading.faults))
    return settings


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value) and value.isprintable()


def is_host(value: Any) -> bool:
    """Return whether a value is a name or an address of a computer, without port, blanks and user."""
    if not _is_text(value) or not re.fullmatch(r"[\w.:%-]{1,253}", value):
        return False
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(value)
        return True
    with contextlib.suppress(UnicodeError):
        return ":" not in value and bool(value.rstrip(".").encode("idna"))
    return False


def _is_port(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 16


class _SettingsReading:
    """Reads one file's data and collects its faults."""

    def __init__(self, folder: Path) -> None:
        self.faults: list[str] = []
        self._folder = folder

    def settings(self, data: Mapping[str, Any]) -> HallSettings:
        self._known(
            data, "hall.toml", "hall", "table", "names", "broker", "outside", "home_assistant", "osc", "book", "code"
        )
        assistant = self._part(data, "home_assistant", "discovery", "prefix")
        discovery = self._value(assistant, "discovery", default=True, holds=_is_bool, expected="true or false")
        prefix = self._name(assistant, "prefix", "homeassistant")
        book = self._part(data, "book", "url")
        outside = self._part(data, "outside", "commands", "invitations")
        code = self._part(data, "code", "port")
        if "code" in data and "broker" in data:
            self.faults.append("[code] and [broker] are two ways to one hall: name one.")
        port = self._value(code, "port", default=JOIN_PORT, holds=_is_port, expected="a port from 1 to 65535")
        return HallSettings(
            self._name(data, "hall", None),
            self._name(data, "table", None),
            self._value(data, "names", default=False, holds=_is_bool, expected="true or false"),
            self._broker(
                self._part(data, "broker", "host", "port", "user", "password_file", "ca", "certificate", "key")
            ),
            self._outside(outside),
            prefix if discovery else "",
            self._osc(self._part(data, "osc", "to")),
            self._book(self._text(book, "url", "hall.db")),
            self._value(outside, "invitations", default=False, holds=_is_bool, expected="true or false"),
            join_port=port if "code" in data else None,
        )

    def _known(self, data: Mapping[str, Any], where: str, *names: str) -> None:
        self.faults += [f"{where} knows {', '.join(names)}, but has {key}." for key in data if key not in names]

    def _part(self, data: Mapping[str, Any], name: str, *names: str) -> Mapping[str, Any]:
        part = data.get(name, {})
        if not isinstance(part, Mapping):
            self.faults.append(f"[{name}] must be a table.")
            return {}
        self._known(part, f"[{name}]", *names)
        return part

    def _value(
        self, data: Mapping[str, Any], name: str, *, default: Any, holds: Callable[[Any], bool], expected: str
    ) -> Any:
        value = data.get(name, default)
        if name in data and not holds(value):
            shown = "something else" if "@" in str(value) else f"{value!r:.60}"  # before an @ stands a password
            self.faults.append(f"{name} must be {expected}, but is {shown}.")
            return default
        return value

    def _text(self, data: Mapping[str, Any], name: str, default: str) -> str:
        return str(self._value(data, name, default=default, holds=_is_text, expected="a text"))

    def _name(self, data: Mapping[str, Any], name: str, default: str | None) -> str:
        value = data.get(name, default)
        if isinstance(value, str) and NAME.fullmatch(value):
            return value
        self.faults.append(f"{name} must be 1 to 40 small letters, digits, - and _, but is {value!r:.60}.")
        return "unnamed"

    def _broker(self, data: Mapping[str, Any]) -> Broker:
        ca, certificate, key = (self._file(data, name) for name in ("ca", "certificate", "key"))
        if (certificate is None) != (key is None) or (certificate is not None and ca is None):
            self.faults.append("certificate and key belong together, and need ca.")
        password = ""
        if (kept := self._file(data, "password_file")) is not None:
            try:
                password = kept.read_text(encoding="utf-8").split("\n", 1)[0].strip()
            except (OSError, UnicodeError):
                self.faults.append(f"password_file {kept.name} cannot be read.")
        user = self._text(data, "user", "")
        if password and not user:
            self.faults.append("password_file needs user.")
        usual = PLAIN_PORT if ca is None else TLS_PORT
        port = self._value(data, "port", default=usual, holds=_is_port, expected="a port from 1 to 65535")
        named = 'a name or an address without a port, e.g. "192.168.1.5"'
        host = self._value(data, "host", default="127.0.0.1", holds=is_host, expected=named)
        return Broker(host, port, user, password, ca, certificate, key)

    def _file(self, data: Mapping[str, Any], name: str) -> Path | None:
        named = self._text(data, name, "")
        if not named:
            return None
        path = self._folder / named
        if not path.is_file():
            self.faults.append(f"{name} names {named}, but there is no such file beside the settings.")
        return path

    def _outside(self, data: Mapping[str, Any]) -> frozenset[str]:
        value = data.get("commands", [])
        if not isinstance(value, list) or any(one not in OUTSIDE for one in value):
            self.faults.append(f"commands must list some of {', '.join(OUTSIDE)}, but is {value!r:.60}.")
            return frozenset()
        return frozenset(value)

    def _osc(self, data: Mapping[str, Any]) -> tuple[str, int] | None:
        to = self._text(data, "to", "")
        host, _, port = to.rpartition(":")
        if not to:
            return None
        host = host[1:-1] if host.startswith("[") and host.endswith("]") else host
        if not is_host(host) or not (port.isascii() and port.isdecimal() and _is_port(int(port))):
            self.faults.append(f'to must be host and port, e.g. "192.168.1.20:9000", but is {to!r:.60}.')
            return None
        return host, int(port)

    def _book(self, url: str) -> str:
        return url if "://" in url else str(self._folder / url)


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)
