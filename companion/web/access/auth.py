"""Who is the owner: signing in with the PIN, the session after it, and choosing another PIN on the page."""

import secrets
import threading
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Final, ParamSpec, TypeVar

import msgspec
from flask import Blueprint, Flask, Response, abort, current_app, jsonify, request, session
from flask.sessions import SecureCookieSessionInterface

from companion.desk.command import Refusal, Who
from companion.language.sentence import Sentence
from companion.web.access.pin import (
    LONGEST_PIN,
    SHORTEST_CHOSEN,
    PinGate,
    TooManyTriesError,
    hashed,
    keep_pin,
)
from companion.web.access.tries import device
from companion.web.addresses import on_loopback
from companion.web.app_state import AppKey
from companion.web.json_bodies import body_as, json_object, takes
from companion.web.languages import here

IDLE_SECONDS: Final = 30 * 60.0  # seconds without an owner's action; then the page asks for the PIN again
LONGEST_SESSION: Final = 12 * 3600.0  # seconds; this also ends the session of a camera that sends pictures all day
MOST_SESSIONS: Final = 16
DEVICE: Final = "device"
"""The key of the session's token of a device that has given the right PIN: nobody else can make it wait."""

FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
"""The headers that a proxy adds to a request: behind a proxy every request seems to come from the device."""

blueprint = Blueprint("owner", __name__)

Values = ParamSpec("Values")
Answer = TypeVar("Answer")
GUARDED: Final = "alea_guarded"
"""The attribute of a view that marks it as guarded."""


class OwnerSessions:
    """The owner's open sessions: kept here and not in the cookie, so that signing out ends a session everywhere."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: in seconds."""
        self._clock = clock
        self._lock = threading.Lock()
        self._open: dict[str, tuple[float, float]] = {}  # token -> start, last use

    def begin(self) -> str:
        """Open a session and return its token; of too many sessions the one unused for longest ends."""
        token, now = secrets.token_urlsafe(24), self._clock()
        with self._lock:
            self._open = {name: times for name, times in self._open.items() if not self._over(times, now)}
            while len(self._open) >= MOST_SESSIONS:
                self._open.pop(min(self._open, key=lambda name: self._open[name][1]))
            self._open[token] = (now, now)
        return token

    def holds(self, token: object, *, use: bool = False) -> bool:
        """Return whether a session is open; ``use``: extend it, because its owner did something."""
        now = self._clock()
        with self._lock:
            times = self._open.get(token) if isinstance(token, str) else None
            if times is None or not isinstance(token, str):
                return False
            if self._over(times, now):
                del self._open[token]
                return False
            if use:
                self._open[token] = (times[0], now)
            return True

    def end(self, token: object) -> None:
        """End one session."""
        with self._lock:
            if isinstance(token, str):
                self._open.pop(token, None)

    def end_others(self, token: object) -> None:
        """End every session but this one."""
        with self._lock:
            self._open = {name: times for name, times in self._open.items() if name == token}

    @staticmethod
    def _over(times: tuple[float, float], now: float) -> bool:
        return now - times[0] > LONGEST_SESSION or now - times[1] > IDLE_SECONDS


class _Cookies(SecureCookieSessionInterface):
    """The session's cookie: set over TLS, it goes over TLS only, and has a name of its own.

    With a shared name, a page of the same device without TLS could neither replace nor read it, and could not sign in.
    """

    def get_cookie_name(self, app: Flask) -> str:
        name = super().get_cookie_name(app)
        return f"__Host-{name}" if request.is_secure else name

    def get_cookie_path(self, app: Flask) -> str:
        return "/" if request.is_secure else request.script_root or super().get_cookie_path(app)

    def get_cookie_secure(self, app: Flask) -> bool:
        return request.is_secure or super().get_cookie_secure(app)


GATE = AppKey[PinGate | None]("pin")  # None if no PIN is needed
PIN_FILE = AppKey[Path | None]("pin_file")
OWNERS = AppKey[OwnerSessions]("owners")
IN_KIOSK = AppKey[bool]("in_kiosk")


def guard(app: Flask, pin: str | None, *, kept: str | None = None, pin_file: Path | None = None) -> None:
    """Require a PIN for the owner's actions; without a PIN everyone who reaches the page is the owner (loopback only).

    ``kept``: the hash of the PIN, instead of the PIN; ``pin_file``: where to keep a PIN that is chosen on the page.
    """
    GATE.put(app, None if pin is None and kept is None else PinGate(pin, kept=kept))
    PIN_FILE.put(app, pin_file)
    OWNERS.put(app, OwnerSessions())
    IN_KIOSK.put(app, value=False)
    app.session_interface = _Cookies()
    app.config.update(
        SECRET_KEY=secrets.token_bytes(32),  # a restart ends every session
        SESSION_COOKIE_NAME="alea_owner",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        PERMANENT_SESSION_LIFETIME=int(LONGEST_SESSION),
        SESSION_REFRESH_EACH_REQUEST=False,
    )
    app.register_blueprint(blueprint)


def pin_needed() -> bool:
    """Return whether this request's sender must give the PIN before an owner's action."""
    return GATE.get() is not None and not OWNERS.get().holds(session.get("owner"))


def require_owner() -> None:
    """Refuse the request unless its sender is the owner."""
    if GATE.get() is not None and not OWNERS.get().holds(session.get("owner"), use=True):
        abort(401, "This needs the owner's PIN.")


def at_device() -> bool:
    """Return whether the request comes from a browser on the device itself, and not through a proxy."""
    forwarded = any(name in request.headers for name in FORWARDED)
    return not forwarded and on_loopback(request.remote_addr or "")


def seated() -> bool:
    """Return whether the request's sender is the owner, or a visitor at a kiosk's own screen.

    A table with a PIN that is no kiosk can recognise a player only by the PIN: nobody has an account, and an address of
    this machine may be a proxy's. Visitors of a kiosk have no PIN, and its unit opens the page on the device itself.
    """
    return not pin_needed() or (IN_KIOSK.get() and at_device())


def require(who: Who) -> None:
    """Refuse the request unless its sender is one of those who may do this."""
    if who == "owner" or (who == "seated" and not seated()):
        require_owner()


def guarded(check: Callable[..., object]) -> Callable[[Callable[Values, Answer]], Callable[Values, Answer]]:
    """Guard a view with a check that may refuse its request; the check gets the same address parameters as the view.

    Put it below the route decorator, so that the route calls the guarded view.
    """

    def guard_of(view: Callable[Values, Answer]) -> Callable[Values, Answer]:
        @wraps(view)
        def checked(*args: Values.args, **values: Values.kwargs) -> Answer:
            check(*args, **values)
            return view(*args, **values)

        setattr(checked, GUARDED, True)
        return checked

    return guard_of


owner_only = guarded(lambda **_: require_owner())
"""Guards a view for the owner only."""


def is_guarded(view: Callable[..., object]) -> bool:
    """Return whether a view is for the owner only, or for a phone that the owner admitted."""
    return bool(getattr(view, GUARDED, False))


class SignIn(msgspec.Struct, frozen=True):
    """What the owner signs in with."""

    pin: Annotated[
        str,
        msgspec.Meta(description="The owner's PIN."),
        Refusal(Sentence('Expected {{"pin": "..."}} with the owner\'s PIN.')),
    ]


class ChosenPin(msgspec.Struct, frozen=True):
    """A PIN that the owner chooses."""

    pin: Annotated[
        str,
        msgspec.Meta(min_length=SHORTEST_CHOSEN, max_length=LONGEST_PIN, description="The new PIN."),
        Refusal(
            Sentence(
                "Expected a PIN of at least {least} characters: a shorter one is too easy to guess.",
                least=SHORTEST_CHOSEN,
            )
        ),
    ]
    old: Annotated[str, msgspec.Meta(description="The PIN so far, where there is one.")] = ""


@blueprint.post("/api/owner")
@takes(SignIn)
def sign_in() -> Response:
    """Check the PIN and remember its sender for a while."""
    checking = GATE.get()
    if checking is None:
        return jsonify({"ok": True})
    _check(checking, body_as(SignIn, json_object() or {}).pin)
    OWNERS.get().end(session.get("owner"))
    session["owner"] = OWNERS.get().begin()
    session.setdefault(DEVICE, secrets.token_urlsafe(24))
    return jsonify({"ok": True})


@blueprint.post("/api/owner/leave")
def sign_out() -> Response:
    """Forget the owner on this browser; it stays one that has given the right PIN."""
    OWNERS.get().end(session.get("owner"))
    for key in session.keys() - {DEVICE}:
        del session[key]
    return jsonify({"ok": True})


@blueprint.post("/api/owner/pin")
@owner_only
@takes(ChosenPin)
def change_pin() -> Response:
    """Choose a lasting PIN, the first one or another; all other sessions end.

    Without a PIN so far, only this device can reach the page, so its user needs none to choose the first.
    """
    path = PIN_FILE.get()
    chosen = body_as(ChosenPin, json_object() or {})
    checking = GATE.get()
    if checking is not None:
        # somebody at an unattended page must not be able to lock the owner out
        _check(checking, chosen.old)
    kept = hashed(chosen.pin)
    if path is not None:
        keep_pin(path, kept)
    if checking is None:
        GATE.put(current_app, PinGate(None, kept=kept))
    else:
        checking.change(kept)
    session["owner"] = OWNERS.get().begin()
    OWNERS.get().end_others(session["owner"])
    return jsonify({"ok": True})


@blueprint.post("/api/owner/seen")
@owner_only
def seen() -> Response:
    """Note that the owner has seen that somebody tried the PIN."""
    checking = GATE.get()
    if checking is not None:
        checking.seen()
    return jsonify({"ok": True})


def _check(checking: PinGate, pin: str) -> None:
    """Refuse the request unless this is the PIN."""
    address, token = request.remote_addr or "", session.get(DEVICE)
    try:
        right = checking.check(pin, address, device(token or "itself") if token or at_device() else address)
    except TooManyTriesError as error:
        response = jsonify({"error": here().translate(error.sentence.to_json())})
        response.status_code = 429
        response.headers["Retry-After"] = str(max(1, round(error.seconds)))
        abort(response)
    if not right:
        abort(403, "This is not the owner's PIN.")
