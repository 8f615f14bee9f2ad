"""A telephone as the camera: it is let in by a code on the table's page, sends pictures, and can do nothing else.

It comes through a listener of its own, which is encrypted, for browsers give a camera to such pages only. Through that
listener only what stands in `FOR_PHONES` is answered, so that a camera opens the table to nobody.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Annotated, Any, Final

import msgspec
import segno
from flask import Blueprint, Flask, Response, abort, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.desk.command import Refusal
from companion.language.sentence import Sentence
from companion.web.app_state import AppKey
from companion.web.camera.pairing import Pairing, PairingError
from companion.web.json_bodies import body_as, json_object, takes
from companion.web.languages import here
from companion.web.owner.auth import Answer, Values, guarded, owner_only, require_owner
from companion.web.table import Watched

LISTENER: Final = "alea.phone_listener"
"""What the encrypted listener puts into a request's environment."""

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
"""The endpoints of the table's page that are answered through the encrypted listener."""

COOKIE: Final = "__Host-alea-phone"
"""The name makes browsers keep it to this very address, sent encrypted only (RFC 6265bis, 4.1.3.2)."""

PAGE: Final = re.compile(r"[0-9a-z]{1,32}")
CODE_SCALE, CODE_BORDER = 6, 4  # pixels a module; the quiet zone that readers need (ISO/IEC 18004)

NOT_HERE: Final = (
    "This address is for a telephone's camera alone; the table's page is at the address that the table printed."
)

blueprint = Blueprint("phone", __name__)


@dataclass(frozen=True)
class Opened:
    """The encrypted listener: its addresses, the likeliest first, the certificate's fingerprint, and its root."""

    addresses: Sequence[str]
    fingerprint: str
    root: bytes


FOR_PHONES_ONLY = AppKey[tuple[Collection[str], str]]("for_phones")
PHONES = AppKey[Pairing]("phones")
LISTENING = AppKey[Opened | None]("phone_listener")


def prepare(app: Flask, answered: Collection[str] = FOR_PHONES, home: str = "pages.home") -> None:
    """Let the app take pictures, of its own page's cameras for now; `opened` lets phones in.

    ``answered``: the endpoints that are answered through the encrypted listener; from ``home`` it leads to its page.
    """
    FOR_PHONES_ONLY.put(app, (frozenset(answered), home))
    PHONES.put(app, Pairing())
    LISTENING.put(app, None)
    app.before_request(_only_for_phones)
    app.register_blueprint(blueprint)


def opened(app: Flask, listener: Opened) -> None:
    """Tell the app that phones can reach it now."""
    LISTENING.put(app, listener)


def phones() -> Pairing:
    """Return who may send pictures to the running table."""
    return PHONES.get()


def _only_for_phones() -> AnyResponse | None:
    answered, home = FOR_PHONES_ONLY.get()
    if request.environ.get(LISTENER) and request.endpoint not in answered:
        if request.endpoint == home:
            return redirect(url_for("phone.page"))
        abort(403, NOT_HERE)
    return None


def senders_only(view: Callable[Values, Answer]) -> Callable[Values, Answer]:
    """Guard a view that is for those who may send pictures: whoever may not is refused before anything is read."""
    return guarded(lambda **_: sender())(view)


@blueprint.get("/phone")
def page() -> str:
    """Show the page that makes a telephone the table's camera."""
    return render_template("camera/phone.html")


@blueprint.get("/api/phone")
@owner_only
def state() -> Response:
    """Return how it stands with the telephone: the code that is open, who sends, and when the last picture came."""
    listener = LISTENING.get()
    invited, sending = phones().invitation(), phones().sending()
    response = jsonify(
        {
            "open": listener is not None,
            "addresses": [] if listener is None else list(listener.addresses),
            "fingerprint": None if listener is None else listener.fingerprint,
            "code": None if invited is None else {"number": invited[0].number, "seconds": round(invited[1])},
            "phones": phones().phones,
            "sending": None
            if sending is None
            else {"pictures": sending.pictures, "ago": round(sending.ago, 1), "phone": sending.phone},
        }
    )
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.post("/api/phone/invite")
@owner_only
def invite() -> Response:
    """Make a new code; an older one lets nobody in any more."""
    _listener()
    return jsonify({"ok": True, "number": phones().invite().number})


@blueprint.post("/api/phone/dismiss")
@owner_only
def dismiss() -> Response:
    """Let no phone send any more that was let in so far."""
    phones().dismiss()
    return jsonify({"ok": True})


@blueprint.get("/api/phone/code.svg")
@owner_only
def code() -> Response:
    """Return the open code as a picture: the address of the phone's page, the token behind its #.

    What stands behind # is sent to no server by itself, and stands in no log.
    """
    invited = phones().invitation()
    if invited is None:
        abort(404, "No code is open: ask for a new one.")
    address = f"{_listener().addresses[0]}phone#{invited[0].token}"
    drawn = BytesIO()
    segno.make_qr(address, error="m").save(
        drawn,
        kind="svg",
        xmldecl=False,
        scale=CODE_SCALE,
        border=CODE_BORDER,
        dark="#2b1f14",
        light="#ffffff",
        svgclass=None,
        lineclass=None,
    )
    response = Response(drawn.getvalue(), mimetype="image/svg+xml")
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/api/phone/certificate.crt")
def certificate() -> Response:
    """Return the root certificate of this machine, to be installed on a telephone; it is no secret."""
    response = Response(_listener().root, mimetype="application/x-x509-ca-cert")
    response.headers["Content-Disposition"] = 'attachment; filename="alea-table.crt"'
    return response


class Paired(msgspec.Struct, frozen=True):
    """What a telephone shows to be let in."""

    token: Annotated[
        str,
        msgspec.Meta(description="The token of the code that is open."),
        Refusal(Sentence('Expected {{"token": "..."}}; scan the code that the table\'s page shows.')),
    ]


@blueprint.post("/api/phone/pair")
@takes(Paired)
def pair() -> Response:
    """Let a telephone in that shows the token of the open code."""
    token = body_as(Paired, json_object() or {}).token
    try:
        key = phones().pair(token)
    except PairingError as why:
        return _refused(why, 403)
    response = jsonify({"ok": True})
    response.set_cookie(COOKIE, key, secure=True, httponly=True, samesite="Strict", path="/")
    return response


@blueprint.post("/api/frames/take-over")
@senders_only
def take_over() -> Response:
    """Make the sender's camera the table's, though another one is sending."""
    phones().take_over(sender())
    return jsonify({"ok": True})


def hand_in(jpeg: bytes, watched: Watched) -> Response:
    """Hand a picture of this request's sender to the table or laboratory, unless it is another camera's turn.

    Raises:
        ValueError: it is not taken; the text is a sentence.
    """
    try:
        with phones().turn(sender()):
            watched.offer_frame(jpeg)
    except PairingError as why:
        return _refused(why, 409)
    return Response(status=204)


def sender() -> str:
    """Name who sends this request; refuse whoever may send no picture."""
    key = request.cookies.get(COOKIE, "")
    if key and phones().knows(key):
        return key
    if request.environ.get(LISTENER):
        abort(401, "This telephone is not known to the table any more: scan the code on the table's page.")
    require_owner()
    named = request.headers.get("X-Alea-Camera", "")
    return f"page {named if PAGE.fullmatch(named) else ''}"  # a space is in no key


def _listener() -> Opened:
    listener = LISTENING.get()
    if listener is None:
        abort(409, "No telephone can reach this table: start it with 'companion serve --phone'.")
    return listener


def _refused(why: PairingError, status: int) -> Response:
    said = why.sentence.to_json()
    answer: dict[str, Any] = {"error": here().translate(said), "sentence": said, "kind": why.kind}
    response = jsonify(answer)
    response.status_code = status
    return response
