"""Certificates that this machine makes: its own, renewed automatically, and a broker's that signs itself.

Browsers allow a camera only to encrypted pages. For these there are two certificates: the one that the server shows,
and the root that signed it, which a phone may install. The root's key signs only this one certificate and is never
stored: who trusts the root trusts this machine's page and nothing else.
"""

import secrets
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.program import RELEASE_TIME, own_folder
from companion.whole_file import make_folder, write_whole

LASTS: Final = timedelta(days=825)
"""Apple's devices refuse certificates that last longer (support.apple.com/103769)."""

RENEWED: Final = timedelta(days=30)
"""A certificate that ends sooner than this is replaced."""

EARLIER: Final = timedelta(days=30)
"""The certificate is valid from a month before it is made: a phone's clock may be slow, and this machine's fast."""

BROKER_LASTS: Final = timedelta(days=3650)
"""Every table of a hall has a copy of its broker's certificate, which nobody renews."""

CHAIN, KEY, ROOT = "phone-chain.pem", "phone-key.pem", "phone-root.der"


class CertificateError(Exception):
    """A certificate cannot be made or kept; the text is one sentence."""


@dataclass(frozen=True)
class Certificate:
    """The files and content of a certificate. ``fingerprint``: SHA-256, pairs of hexadecimal digits with colons."""

    chain: Path
    key: Path
    root: bytes
    names: tuple[str, ...]
    fingerprint: str
    begins: datetime
    ends: datetime


def of_this_machine(
    names: Sequence[str], folder: Path | None = None, now: datetime | None = None, *, renews: bool = True
) -> Certificate:
    """Return the certificate for these names and addresses: the stored one, or a new one if that does not fit.

    ``folder``: where to keep it, by default beside the matches; ``now``: with its time zone. A clock before the first
    release is wrong: it says nothing about a certificate that is kept, and a new one is made as on that day.
    ``renews``: whether one that ends is replaced; where the other side compares the certificate itself, it stays.

    Raises:
        CertificateError: the certificate cannot be written.
    """
    folder, now, released = folder or _folder(), now or datetime.now(UTC), datetime.fromtimestamp(RELEASE_TIME, UTC)
    kept = _kept(folder)
    in_time = kept is not None and (not renews or now < released or _in_time(kept, now))
    if kept is not None and in_time and set(names) <= set(kept.names) and _serves(kept):
        return kept
    try:
        _make(tuple(dict.fromkeys(names)), folder, max(now, released))
    except OSError as error:
        raise CertificateError(
            f"The certificate for the phone's page cannot be kept in {folder} ({error.strerror or error}): "
            "make room there or allow it to be written."
        ) from error
    made = _kept(folder)
    assert made is not None, "what was just written can be read"
    return made


def _folder() -> Path:
    return own_folder() / "phone"


def _kept(folder: Path) -> Certificate | None:
    """Return the certificate in a folder, or None if there is no readable one."""
    chain, key = folder / CHAIN, folder / KEY
    try:
        leaf = x509.load_pem_x509_certificate(chain.read_bytes())
        root = (folder / ROOT).read_bytes()
        names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        if key.stat().st_mode & 0o077:  # others may have read it
            return None
    except (OSError, ValueError, x509.ExtensionNotFound):
        return None
    addresses = [str(address) for address in names.get_values_for_type(x509.IPAddress)]
    fingerprint = leaf.fingerprint(hashes.SHA256()).hex(":").upper()
    return Certificate(
        chain,
        key,
        root,
        (*names.get_values_for_type(x509.DNSName), *addresses),
        fingerprint,
        leaf.not_valid_before_utc,
        leaf.not_valid_after_utc,
    )


def _in_time(kept: Certificate, now: datetime) -> bool:
    """Return whether a certificate has begun and does not end soon; one made while the clock was fast has not."""
    return kept.begins <= now and kept.ends - now > RENEWED


def _serves(kept: Certificate) -> bool:
    """Return whether root, key and certificate belong together."""
    try:
        root = x509.load_der_x509_certificate(kept.root)
        x509.load_pem_x509_certificate(kept.chain.read_bytes()).verify_directly_issued_by(root)
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(kept.chain, kept.key)
    except (OSError, ValueError, TypeError, InvalidSignature):  # an SSLError is an OSError
        return False
    return True


def _make(names: tuple[str, ...], folder: Path, now: datetime) -> None:
    """Write a new root, certificate and key; the key last, so that an interrupted write leaves nothing usable."""
    signing, serving = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    mark = secrets.token_hex(2).upper()  # distinguishes two roots in a phone's list
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Alea, this table's own root {mark}")])
    root = (
        _builder(issuer, issuer, signing.public_key(), now)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(serves=False, signs=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(signing.public_key()), critical=False)
        .sign(signing, hashes.SHA256())
    )
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Alea, a table's camera page {mark}")])
    leaf = (
        _builder(subject, issuer, serving.public_key(), now)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(serves=True, signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(serving.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()), critical=False)
        .sign(signing, hashes.SHA256())
    )
    pem, der = serialization.Encoding.PEM, serialization.Encoding.DER
    make_folder(folder, 0o700)
    write_whole(folder / ROOT, root.public_bytes(der), mode=0o644)
    write_whole(folder / CHAIN, leaf.public_bytes(pem) + root.public_bytes(pem), mode=0o644)
    write_whole(folder / KEY, _plain(serving), mode=0o600)


def self_signed(host: str) -> tuple[bytes, bytes]:
    """Return a broker's certificate for its address or name, which signs itself, and its key, both as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Alea, the broker at {host}"[:64])])
    made = (
        _builder(name, name, key.public_key(), datetime.now(UTC), BROKER_LASTS)
        .add_extension(x509.SubjectAlternativeName([_general(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(serves=True, signs=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return made.public_bytes(serialization.Encoding.PEM), _plain(key)


def _plain(key: ec.EllipticCurvePrivateKey) -> bytes:
    pem = serialization.Encoding.PEM
    return key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, lasts: timedelta = LASTS
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now - EARLIER + lasts)
    )


def _usage(*, serves: bool, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=serves,
        key_cert_sign=signs,
        crl_sign=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
