"""The page as an app of a telephone or computer: its manifest, and what a browser shows while the table is away.

A service worker keeps one page with its styles. It never answers for the table: every state comes from the running
table or not at all, so that no page shows a match as it was. Browsers run it on this computer or over https only.
"""

from hashlib import sha256
from importlib.resources import files
from typing import Final

from flask import Blueprint, Response, json, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as WerkzeugResponse

from companion.web.assets import sheet_address
from companion.web.languages import here, language

VELLUM: Final = "#fbf6e9"
ICONS: Final = ((192, "any"), (512, "any"), (512, "maskable"))
"""Side in pixels and purpose; a maskable one may be cut to any shape within its middle."""

blueprint = Blueprint("offline", __name__)


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return what a browser needs to put the page among the device's apps."""
    texts = here()
    manifest_json = {
        "name": f"{texts('page.brand')}, {texts('page.tagline')}",
        "short_name": texts("page.brand"),
        "lang": language(),
        "id": f"{request.script_root}/",
        "start_url": f"{request.script_root}/",
        "scope": f"{request.script_root}/",
        "display": "standalone",
        "background_color": VELLUM,
        "theme_color": VELLUM,
        "icons": [
            {"src": _icon(side, purpose), "sizes": f"{side}x{side}", "type": "image/png", "purpose": purpose}
            for side, purpose in ICONS
        ],
    }
    return Response(
        json.dumps(manifest_json), mimetype="application/manifest+json", headers={"Cache-Control": "no-cache"}
    )


@blueprint.get("/offline")
def page() -> str:
    """Show that the table does not answer; the page goes on by itself as soon as it does."""
    return render_template("page/offline.html")


@blueprint.get("/service-worker.js")
def worker() -> Response:
    """Return the service worker, with what it keeps; its text changes with the page, its language and its theme."""
    kept = [
        url_for(".page"),
        sheet_address(),
        url_for("static", filename="mark.svg"),
        url_for("static", filename="js/page/offline.js"),
    ]
    version = sha256(page().encode()).hexdigest()[:16]
    script = (files(__package__) / "static" / "js" / "offline" / "worker.js").read_text(encoding="utf-8")
    text = f"const KEPT = {json.dumps(kept)};\nconst VERSION = {json.dumps(version)};\n{script}"
    return Response(text, mimetype="text/javascript", headers={"Cache-Control": "no-cache"})


@blueprint.get("/favicon.ico")
def favicon() -> WerkzeugResponse:
    """Lead browsers that ask for this name to the page's sign."""
    return redirect(url_for("static", filename="icons/icon-48.png"))


def _icon(side: int, purpose: str) -> str:
    name = f"icon-{side}.png" if purpose == "any" else f"icon-{purpose}.png"
    return url_for("static", filename=f"icons/{name}")
