"""The code by which a table joins a hall: a person copies it, it lets the table in, and it proves the hall's server.

A code has 60 random bits. Nobody in between can pose as the hall: the server proves that it knows the code with a key
that scrypt (RFC 7914) makes of the code and of the certificate that the table sees. Who listens would have to try 2**59
codes, each with 16 MiB of memory.
"""

import hashlib
import hmac
import re
import secrets
from typing import Annotated, Final

import msgspec

from companion.hall.settings import JOIN_PORT

LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O and U, which people take for other signs."""

CODE_LETTERS: Final = 12
GROUP_LETTERS: Final = 4
_MISTAKEN: Final = str.maketrans("ILO", "110")

SCRYPT_N, SCRYPT_R, SCRYPT_P = 2**14, 8, 1
NONCE_BYTES: Final = 16

Nonce = Annotated[str, msgspec.Meta(pattern=f"^[0-9a-f]{{{2 * NONCE_BYTES}}}$")]
"""A nonce in a message, hexadecimal."""


def new_code() -> str:
    """Return a random code as it is shown: ``7KQM-2XD9-P4TN``."""
    return shown("".join(secrets.choice(LETTERS) for _ in range(CODE_LETTERS)))


def shown(code: str) -> str:
    """Return the letters of a code in groups."""
    return "-".join(code[at : at + GROUP_LETTERS] for at in range(0, CODE_LETTERS, GROUP_LETTERS))


def read_code(typed: str) -> str | None:
    """Return a code as it is shown, from what somebody typed: in any case, with any blanks; None if it is no code."""
    letters = re.sub(r"[\s-]", "", typed).upper().translate(_MISTAKEN)
    return shown(letters) if len(letters) == CODE_LETTERS and set(letters) <= set(LETTERS) else None


def read_address(typed: str, usual_port: int = JOIN_PORT) -> tuple[str, int] | None:
    """Return host and port of a server, from what somebody typed; None if it is no address."""
    host, colon, port = typed.strip().removeprefix("https://").rstrip("/").partition(":")
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,253}", host):
        return None
    if not colon:
        return host, usual_port
    return (host, int(port)) if port.isascii() and port.isdecimal() and 0 < int(port) < 1 << 16 else None


def proving_key(code: str, fingerprint: str) -> bytes:
    """Return the key of both sides' proofs. ``fingerprint``: SHA-256 of the server's certificate, hexadecimal."""
    salt = bytes.fromhex(fingerprint)
    return hashlib.scrypt(code.encode(), salt=salt, n=SCRYPT_N, r=SCRYPT_R, p=SCRYPT_P, maxmem=64 * 1024 * 1024)


def proof(key: bytes, nonce: bytes) -> str:
    """Return what shows that the server knows the code, hexadecimal."""
    return hmac.new(key, b"alea hall " + nonce, hashlib.sha256).hexdigest()


def digest_of(key: str) -> str:
    """Return what the hall keeps of a table's key, which is random, so that its digest alone does not tell it."""
    return hashlib.sha256(key.encode()).hexdigest()
