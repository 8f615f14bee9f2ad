"""What a hall over a broker begins with: Mosquitto's files, and a folder for each table and for the desk."""

import hashlib
import ipaddress
import json
import secrets
from base64 import b64encode
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

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

LASTS: Final = timedelta(days=3650)
EARLIER: Final = timedelta(days=30)  # a table's clock may be slow


def write_hall(
    folder: Path, tables: Sequence[str], host: str, book: str, installed: str = INSTALLED
) -> tuple[list[str], str]:
    """Write a hall's files into a folder that is called like the hall; return the names of its tables, and the host.

    Called again it adds tables. Every file of tables, desk and certificate that is there is kept; passwords and access
    list of the broker are written again. ``host``: the broker's address or name; a hall that is there keeps its own.
    ``book``: a file beside the desk's settings, or ``postgresql://...``; ``installed``: where the broker's files lie.

    Raises:
        HallSettingsError: a name is none, or the settings of the desk that is there cannot be read.
        OSError: a file cannot be read or written.
    """
    hall = folder.resolve().name
    for name in (hall, *tables):
        if not NAME.fullmatch(name) or name in (BROKER, BOOK, OWNER, ASSISTANT):
            raise HallSettingsError(
                "Expected the name of a folder or table of 1 to 40 small letters, digits, - and _, which is not "
                f"{BROKER}, {BOOK}, {OWNER} or {ASSISTANT}, but got {name!r:.60}."
            )
    if not is_host(host):
        raise HallSettingsError(f"Expected the broker's name or address without a port, but got {host!r:.60}.")
    if (desk := folder / BOOK / SETTINGS).exists():
        host = read_settings(desk, of_table=False).broker.host
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
            kind = "beginning_desk.toml" if user in (BOOK, OWNER) else "beginning.toml"
            kept = f"../{BOOK}/{book}" if user == OWNER and "://" not in book else book
            _keep(folder / user / SETTINGS, _filled(kind, hall=hall, user=user, host=host, book=json.dumps(kept)))
    passwords = "".join(f"{line}\n" for line in _passwords(folder, users))
    write_whole(broker / "passwords", passwords.encode(), mode=0o600)
    write_whole(broker / "access.list", access_list(hall, named, "homeassistant").encode(), mode=0o600)
    _keep(broker / "hall.conf", _filled("mosquitto.conf", hall=hall, folder=installed))
    return named, host


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


def self_signed(host: str) -> tuple[bytes, bytes]:
    """Return a certificate for an address or name, which signs itself, and its key, both as PEM."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Alea, the broker at {host}"[:64])])
    try:
        reached: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        reached = x509.DNSName(host)
    usage = dict.fromkeys(
        ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "crl_sign"), False
    )
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + LASTS)
        .add_extension(x509.SubjectAlternativeName([reached]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.KeyUsage(
                digital_signature=True, key_cert_sign=True, encipher_only=False, decipher_only=False, **usage
            ),
            critical=True,
        )
        .sign(key, hashes.SHA256())
    )
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    return made.public_bytes(pem), key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
