"""The language of a request: what the visitor chose at this browser, else what the browser asks for."""

from pathlib import Path
from typing import Any

from flask import Blueprint, current_app, g, has_request_context, request

from companion.language import texts
from companion.web.owner.settings import settings_file

COOKIE = "alea_language"  # set by the page's own script: choosing a language changes nothing at the table
SETTING = "ALEA_TEXTS"  # a folder with further languages and texts, as a path; None for none
DEFAULT_SETTING = "ALEA_LANGUAGE"  # for browsers that ask for no language that there is

blueprint = Blueprint("languages", __name__)


def known() -> tuple[str, ...]:
    """Name the languages that this page could speak."""
    return texts.languages(_folder())


def available() -> tuple[str, ...]:
    """Name the languages that this page speaks: those that the owner offers, the owner's first one first."""
    return settings_file().now.offered(known())


def named() -> list[tuple[str, str]]:
    """Return the code of every language that there is, and what it calls itself."""
    return [(code, texts.load(code, _folder()).name) for code in known()]


def language() -> str:
    """Return the language of this request: by the address, the cookie, or the browser's own list."""
    offered = available()
    if has_request_context():
        if (fixed := g.get("language")) in known():
            return str(fixed)  # a kiosk speaks what its curator lets it speak
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
    setting = current_app.config.get(SETTING)
    return Path(setting) if setting else None


@blueprint.app_context_processor
def _catalogue() -> dict[str, Any]:
    catalogue = here()
    return {
        "t": catalogue,
        "say": catalogue.translate,
        "translated": catalogue.translated,
        "language": catalogue.language,
        "languages": [(name, texts.load(name, _folder()).name) for name in available()],
    }
