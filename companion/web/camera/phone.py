"""A phone as the camera: a code on the table's page admits it, and it can only send pictures.

It connects to a separate, encrypted listener, because browsers allow a camera only to encrypted pages. That listener
answers only the endpoints in `FOR_PHONES`, so the camera's address gives no access to the table.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Protocol

import msgspec
from flask import Blueprint, Flask, Response, abort, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.desk.command import Refusal
from companion.language.sentence import Sentence
from companion.vision.source_names import PUSHED
from companion.web.access.auth import IN_KIOSK, at_device, guarded, owner_only, require_owner
from companion.web.answers import as_file
from companion.web.app_state import AppKey
from companion.web.camera.pairing import PairingError, PairingToken, PhonePairing
from companion.web.errors import refused
from companion.web.json_bodies import body_as, json_object, takes
from companion.web.streams import FollowedState
from companion.web.to_scan import picture_to_scan

LISTENER: Final = "alea.phone_listener"
"""The key that the encrypted listener sets in a request's environment."""

FOR_PHONES: Final = frozenset(
    {
        "api.frames",
        "assets.sheet",
        "static",
        "games.setup",
        "phone.page",
        "phone.pair",
        "phone.take_over",
        "phone.certificate",
    }
)
"""The endpoints of the table's page that the encrypted listener answers."""

COOKIE: Final = "__Host-alea-phone"
"""The name makes browsers send it only to this host and only encrypted (RFC 6265bis, 4.1.3.2)."""

PAGE: Final = re.compile(r"[0-9a-z]{1,32}")

NOT_HERE: Final = (
    "This address is for a phone's camera alone; the table's page is at the address that the table printed."
)

blueprint = Blueprint("phone", __name__)


@dataclass(frozen=True)
class Opened:
    """The encrypted listener: its addresses, the likeliest first, the certificate's fingerprint, and the root."""

    addresses: Sequence[str]
    fingerprint: str
    root: bytes


class Door(Protocol):
    """What opens the encrypted listener; see `companion.web.serving.encrypted`."""

    @property
    def opened(self) -> Opened | None:
        """What phones can reach now; None while it is closed."""

    def open(self) -> Opened:
        """Let phones reach the app; raises `CertificateError` or `OSError` with a sentence on what to do."""


FOR_PHONES_ONLY = AppKey[tuple[Collection[str], str]]("for_phones")
PHONES = AppKey[PhonePairing]("phones")
DOOR = AppKey[Door | None]("phone_door")


def prepare(app: Flask, answered: Collection[str] = FOR_PHONES, home: str = "pages.home") -> None:
    """Let the app take pictures, at first from its own page's cameras; a door that is put there adds phones.

    ``answered``: the endpoints that the encrypted listener answers; it redirects ``home`` to the phone's page.
    """
    FOR_PHONES_ONLY.put(app, (frozenset(answered), home))
    PHONES.put(app, PhonePairing())
    DOOR.put(app, None)
    app.jinja_env.globals["own_device"] = PUSHED["push"]
    app.before_request(_only_for_phones)
    app.register_blueprint(blueprint)


def opened() -> Opened | None:
    """Return what phones can reach now, None while nothing is open to them."""
    door = DOOR.get()
    return None if door is None else door.opened


def _only_for_phones() -> AnyResponse | None:
    answered, home = FOR_PHONES_ONLY.get()
    if request.environ.get(LISTENER) and request.endpoint not in answered:
        if request.endpoint == home:
            return redirect(url_for("phone.page"))
        abort(403, NOT_HERE)
    return None


senders_only = guarded(lambda **_: sender())
"""Guards a view for those who may send pictures: refuses everyone else before reading the body."""


@blueprint.get("/phone")
def page() -> str:
    """Show the page that makes a phone the table's camera."""
    return render_template("camera/phone.html")


@blueprint.get("/api/phone")
@owner_only
def state() -> Response:
    """Return the state of the phone: the open code, who sends, and when the last picture came."""
    listener = opened()
    invited, sending = PHONES.get().invitation(), PHONES.get().sending()
    return jsonify(
        {
            "open": listener is not None,
            "addresses": [] if listener is None else list(listener.addresses),
            "fingerprint": None if listener is None else listener.fingerprint,
            "code": None if invited is None else {"number": invited[0].number, "seconds": round(invited[1])},
            "phones": PHONES.get().phones,
            "sending": None
            if sending is None
            else {"pictures": sending.pictures, "ago": round(sending.ago, 1), "phone": sending.phone},
        }
    )


@blueprint.post("/api/phone/invite")
@owner_only
def invite() -> Response:
    """Make a new code, and open the table to phones; an older code no longer admits anybody."""
    from companion.certificate import CertificateError  # noqa: PLC0415  (only a phone needs encryption)

    door = DOOR.get()
    try:
        if door is not None:
            door.open()
    except (CertificateError, OSError) as why:
        abort(409, str(why))
    invited = PHONES.get().invite()
    return jsonify({"ok": True, "number": invited.number, "address": _address(invited)})


@blueprint.post("/api/phone/dismiss")
@owner_only
def dismiss() -> Response:
    """Forget all phones that were admitted so far: they may not send any more."""
    PHONES.get().dismiss()
    return jsonify({"ok": True})


@blueprint.get("/api/phone/code.svg")
@owner_only
def code() -> Response:
    """Return the open code as a picture: the address of the phone's page with the token after its #."""
    invited = PHONES.get().invitation()
    if invited is None:
        abort(404, "No code is open: ask for a new one.")
    return picture_to_scan(_address(invited[0]))


@blueprint.get("/api/phone/certificate.crt")
def certificate() -> Response:
    """Return the root certificate of this machine, for installing on a phone; it is no secret."""
    return as_file(_listener().root, "application/x-x509-ca-cert", "alea-table.crt")


class Paired(msgspec.Struct, frozen=True):
    """What a phone shows to be let in."""

    token: Annotated[
        str,
        msgspec.Meta(description="The token of the code that is open."),
        Refusal(Sentence('Expected {{"token": "..."}}; scan the code that the table\'s page shows.')),
    ]


@blueprint.post("/api/phone/pair")
@takes(Paired)
def pair() -> Response:
    """Admit a phone that shows the token of the open code."""
    token = body_as(Paired, json_object() or {}).token
    try:
        key = PHONES.get().pair(token)
    except PairingError as why:
        return refused(why.sentence, 403, kind=why.kind)
    response = jsonify({"ok": True})
    response.set_cookie(COOKIE, key, secure=True, httponly=True, samesite="Strict", path="/")
    return response


@blueprint.post("/api/frames/take-over")
@senders_only
def take_over() -> Response:
    """Make the sender's camera the table's, even while another one is sending."""
    PHONES.get().take_over(sender())
    return jsonify({"ok": True})


def hand_in(jpeg: bytes, watched: FollowedState) -> Response:
    """Hand a picture of this request's sender to the table or laboratory, unless another camera is sending.

    Raises:
        ValueError: the picture is refused; the text is a sentence.
    """
    try:
        with PHONES.get().turn(sender()):
            watched.offer_frame(jpeg)
    except PairingError as why:
        return refused(why.sentence, kind=why.kind)
    return Response(status=204)


def sender() -> str:
    """Return the name of this request's sender; refuse a sender that may not send pictures."""
    key = request.cookies.get(COOKIE, "")
    if key and PHONES.get().knows(key):
        return key
    if request.environ.get(LISTENER):
        abort(401, "The table no longer knows this phone: scan the code on the table's page.")
    if not (IN_KIOSK.get() and at_device()):  # a kiosk's camera sends all day: no owner's session may last that long
        require_owner()
    named = request.headers.get("X-Alea-Camera", "")
    return f"page {named if PAGE.fullmatch(named) else ''}"  # the space distinguishes it from every key


def _address(invited: PairingToken) -> str:
    """Return where a code leads: to the name by which this request reached the table, if phones reach that too.

    Browsers do not send the part after # to a server, so it appears in no log.
    """
    addresses = _listener().addresses
    named = next((one for one in addresses if f"//{request.host.partition(':')[0]}:" in one), addresses[0])
    return f"{named}phone#{invited.token}"


def _listener() -> Opened:
    listener = opened()
    if listener is None:
        abort(409, "No phone can reach this table yet: ask for a code first.")
    return listener
