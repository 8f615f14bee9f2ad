"""The language of a request: what the visitor chose in this browser, else what the browser asks for."""

from pathlib import Path
from typing import Any

from flask import Blueprint, current_app, g, has_request_context, request

from companion.language import texts
from companion.web.app_state import SETTINGS

COOKIE = "alea_language"  # the page's own script sets it: choosing a language changes nothing at the table
DEFAULT_SETTING = "ALEA_LANGUAGE"  # for browsers that ask only for languages that do not exist here

blueprint = Blueprint("languages", __name__)


def known() -> tuple[str, ...]:
    """Return the languages that this page has texts for."""
    return texts.languages(_folder())


def available() -> tuple[str, ...]:
    """Return the languages that the owner offers, in the owner's order."""
    return SETTINGS.get().now.offered(known())


def named() -> list[tuple[str, str]]:
    """Return the code of every language and its name in that language."""
    return [(code, name(code)) for code in known()]


def name(code: str) -> str:
    """Return what a language calls itself."""
    return texts.name(code, _folder())


def language() -> str:
    """Return the language of this request: from the address, the cookie, or the browser's own list."""
    offered = available()
    if has_request_context():
        if (fixed := g.get("language")) in known():
            return str(fixed)  # a kiosk uses only languages that its curator allows
        for wanted in (request.args.get("language"), request.cookies.get(COOKIE)):
            if wanted in offered:
                return wanted
        if best := request.accept_languages.best_match(offered):
            return best
    usual = current_app.config.get(DEFAULT_SETTING)
    return usual if usual in offered else offered[0]


def here() -> texts.Texts:
    """Return the texts in the language of this request."""
    return texts.load(language(), _folder())


def _folder() -> Path | None:
    folder = SETTINGS.get().now.texts
    return Path(folder) if folder else None


@blueprint.app_context_processor
def _catalogue() -> dict[str, Any]:
    catalogue = here()
    return {
        "t": catalogue,
        "say": catalogue.translate,
        "translated": catalogue.translated,
        "language": catalogue.language,
        "languages": [(code, name(code)) for code in available()],
        "unread": [code for code in available() if texts.unread(code, _folder())],
    }
