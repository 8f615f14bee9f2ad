"""The owner's PIN: who may start, resume, correct, export or import when the page is open to a network."""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from flask import Blueprint, Flask, Response, abort, current_app, jsonify, request, session
from werkzeug.security import check_password_hash, generate_password_hash

from companion.kiosk.languages import here
from companion.rules.sentence import SaidError, Sentence

FREE_TRIES = 3  # wrong PINs of one address before it has to wait
FREE_TRIES_OF_ALL = 20  # wrong PINs of all addresses together before everyone has to wait
LONGEST_WAIT = 300.0  # seconds
ADDRESSES_KEPT = 1024  # so that a flood of addresses cannot fill the memory
SESSION_SECONDS = 2 * 3600

blueprint = Blueprint("owner", __name__)


class TooManyTriesError(SaidError):
    """The PIN was wrong too often; ``seconds`` says how long to wait."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            Sentence("The PIN was wrong too often; wait {count} seconds and try again.", count=round(seconds) or 1)
        )
        self.seconds = seconds


@dataclass
class _Failures:
    count: int = 0
    until: float = 0.0  # the clock before which nothing more is tried

    def add(self, now: float, free: int) -> None:
        self.count += 1
        if self.count >= free:
            self.until = now + min(LONGEST_WAIT, 2.0 ** (self.count - free))


class PinGate:
    """Checks PINs, slower with every wrong one: for each address, and for all together."""

    def __init__(self, pin: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._hash = generate_password_hash(pin, method="scrypt")
        self._clock = clock
        self._lock = threading.Lock()  # one check at a time: scrypt takes 32 MB
        self._of_all = _Failures()
        self._of_address: OrderedDict[str, _Failures] = OrderedDict()

    def check(self, pin: str, address: str) -> bool:
        """Tell whether this is the PIN.

        Raises:
            TooManyTriesError: this address, or everyone, has to wait first; the PIN was not looked at.
        """
        with self._lock:
            now = self._clock()
            own = self._of_address.get(address, _Failures())
            wait = max(own.until, self._of_all.until) - now
            if wait > 0:
                raise TooManyTriesError(wait)
            if check_password_hash(self._hash, pin):
                self._of_address.pop(address, None)
                self._of_all = _Failures()
                return True
            own.add(now, FREE_TRIES)
            self._of_all.add(now, FREE_TRIES_OF_ALL)
            self._of_address[address] = own
            self._of_address.move_to_end(address)
            while len(self._of_address) > ADDRESSES_KEPT:
                self._of_address.popitem(last=False)
            return False


def make_pin() -> str:
    """Return a fresh PIN of six digits."""
    return f"{secrets.randbelow(1_000_000):06d}"


def guard(app: Flask, pin: str | None) -> None:
    """Ask for this PIN before the owner's actions; None: whoever reaches the page is the owner (loopback only)."""
    app.extensions["alea_pin"] = PinGate(pin) if pin is not None else None
    app.config.update(
        SECRET_KEY=secrets.token_bytes(32),  # a restart ends every session
        SESSION_COOKIE_NAME="alea_owner",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        PERMANENT_SESSION_LIFETIME=SESSION_SECONDS,
        SESSION_REFRESH_EACH_REQUEST=False,
    )
    app.register_blueprint(blueprint)


def pin_needed() -> bool:
    """Tell whether this request's sender still has to give the PIN before an owner's action."""
    return current_app.extensions["alea_pin"] is not None and session.get("owner") is not True


def require_owner() -> None:
    """Refuse the request unless its sender is the owner."""
    if pin_needed():
        abort(401, "This needs the owner's PIN, which stands on the console where the table was started.")


@blueprint.post("/api/owner")
def sign_in() -> Response:
    """Take the PIN and remember its giver for two hours."""
    gate: PinGate | None = current_app.extensions["alea_pin"]
    if gate is None:
        return jsonify({"ok": True})
    body = request.get_json(silent=True)
    pin = body.get("pin") if isinstance(body, dict) else None
    if not isinstance(pin, str):
        abort(400, 'Expected {"pin": "..."}; type the PIN that stands on the console.')
    try:
        right = gate.check(pin, request.remote_addr or "")
    except TooManyTriesError as error:
        response = jsonify({"error": here().say(error.sentence.to_json())})
        response.status_code = 429
        response.headers["Retry-After"] = str(max(1, round(error.seconds)))
        return response
    if not right:
        abort(403, "This is not the owner's PIN; it stands on the console where the table was started.")
    session.permanent = True
    session["owner"] = True
    return jsonify({"ok": True})


@blueprint.post("/api/owner/leave")
def sign_out() -> Response:
    """Forget the owner on this browser."""
    session.clear()
    return jsonify({"ok": True})
