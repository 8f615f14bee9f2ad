"""The language of a request: what the visitor chose at this browser, else what the browser asks for."""

from pathlib import Path
from typing import Any

from flask import Blueprint, current_app, g, has_request_context, request

from companion.kiosk import texts

COOKIE = "alea_language"  # set by the page's own script: choosing a language changes nothing at the table
SETTING = "ALEA_TEXTS"  # a folder with further languages and texts, as a path; None for none
DEFAULT_SETTING = "ALEA_LANGUAGE"  # for browsers that ask for no language that there is

blueprint = Blueprint("languages", __name__)


def available() -> tuple[str, ...]:
    """Name the languages that this page speaks."""
    return texts.languages(_folder())


def language() -> str:
    """Return the language of this request: by the address, the cookie, or the browser's own list."""
    known = available()
    if has_request_context():
        if (fixed := g.get("language")) in known:
            return str(fixed)  # a kiosk speaks what its curator lets it speak
        for wanted in (request.args.get("language"), request.cookies.get(COOKIE)):
            if wanted in known:
                return wanted
        if best := request.accept_languages.best_match(known):
            return best
    usual = current_app.config.get(DEFAULT_SETTING)
    return usual if usual in known else texts.DEFAULT


def here() -> texts.Texts:
    """Return the texts in the language of this request."""
    return texts.load(language(), _folder())


def _folder() -> Path | None:
    setting = current_app.config.get(SETTING)
    return Path(setting) if setting else None


@blueprint.app_context_processor
def _catalogue() -> dict[str, Any]:
    catalogue = here()
    return {
        "t": catalogue,
        "say": catalogue.say,
        "translated": catalogue.translated,
        "language": catalogue.language,
        "languages": [(name, texts.load(name, _folder()).name) for name in available()],
    }
