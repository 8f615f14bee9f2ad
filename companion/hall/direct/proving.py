"""How a server proves to who wants to join that it knows the code, before the code is sent to it."""

import hmac
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial

import msgspec

from companion.hall.direct.code import NONCE_BYTES, Nonce, proof, proving_key
from companion.hall.direct.pinned import PinnedConnection


class OtherCodeError(ValueError):
    """The server at the address does not know the code."""


class ProofAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody asks the server to prove that it knows the code."""

    nonce: Nonce


class Prover:
    """The server's side."""

    def __init__(self, fingerprint: str) -> None:
        """``fingerprint``: SHA-256 of the certificate that the other side sees, hexadecimal."""
        self._key_of = lru_cache(maxsize=1)(partial(proving_key, fingerprint=fingerprint))

    def answer(self, asked: bytes, code: str) -> dict[str, str]:
        """Return the answer to the body of a request.

        Raises:
            msgspec.MsgspecError: it is no such request.
        """
        nonce = bytes.fromhex(msgspec.json.decode(asked, type=ProofAsked).nonce)
        return {"proof": proof(self._key_of(code), nonce)}


@contextmanager
def proven(host: str, port: int, code: str) -> Iterator[PinnedConnection]:
    """Connect to a server that proves that it knows the code; close the connection after the block.

    Raises:
        OtherCodeError: it proves nothing.
        HallRefusesError, OSError, http.client.HTTPException, ValueError: as `PinnedConnection.ask`.
    """
    connection = PinnedConnection(host, port, None)
    try:
        nonce = secrets.token_bytes(NONCE_BYTES)
        shown = text_in(connection.ask("/hello", json.dumps({"nonce": nonce.hex()}).encode()), "proof")
        expected = proof(proving_key(code, connection.fingerprint), nonce)
        if not hmac.compare_digest(shown.encode(), expected.encode()):
            raise OtherCodeError("the server has another code")
        yield connection
    finally:
        connection.close()


def text_in(answer: object, name: str) -> str:
    """Return a text of an answer.

    Raises:
        ValueError: it has none of this name.
    """
    if not isinstance(answer, dict) or not isinstance(answer.get(name), str):
        raise ValueError("the answer is not understood")  # noqa: TRY004  (what came is wrong, not its caller)
    return str(answer[name])
