"""The language of a request: what the visitor chose in this browser, else what the browser asks for."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, current_app, g, has_request_context, request

from companion.language import texts
from companion.language.sentence import player
from companion.web.app_state import AppKey
from companion.web.owner.settings import settings_file

COOKIE = "alea_language"  # the page's own script sets it: choosing a language changes nothing at the table
SETTING = "ALEA_TEXTS"  # a folder with further languages and texts, as a path; None for none
DEFAULT_SETTING = "ALEA_LANGUAGE"  # for browsers that ask only for languages that do not exist here

blueprint = Blueprint("languages", __name__)


def known() -> tuple[str, ...]:
    """Return the languages that this page has texts for."""
    return texts.languages(_folder())


def available() -> tuple[str, ...]:
    """Return the languages that the owner offers, in the owner's order."""
    return settings_file().now.offered(known())


def named() -> list[tuple[str, str]]:
    """Return the code of every language and its name in that language."""
    return [(code, texts.name(code, _folder())) for code in known()]


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
        "languages": [(name, texts.name(name, _folder())) for name in available()],
    }


MOST_SEATS = 6
"""The most players of a match."""

PROGRAM = "The program"
"""What a match calls the program in a seat; a second one is called ``The program 2``."""

CURATED: AppKey[Callable[[str], Mapping[str, str]]] = AppKey("CURATED_NAMES")
"""In a kiosk: how the curator's names of any language are called in one language."""


def prepare(app: Flask) -> None:
    """Let an app's templates call players, one or several in a list, as `seat_names` says."""
    CURATED.put(app, lambda _: {})
    app.add_template_global(in_words, "called")


def in_words(listed: str) -> str:
    """Return names with commas between them as the reader's language has them."""
    names = seat_names()
    return ", ".join(names.get(name, name) for name in listed.split(", "))


def seat_names() -> dict[str, str]:
    """Return how each name of a seat is called in the language of this request, where it has another name there."""
    t = here()
    names = {str(player(number)): t("new.player", number=number) for number in range(1, MOST_SEATS + 1)}
    names[PROGRAM] = t("cards.program_name")
    for number in range(2, MOST_SEATS + 1):
        names[f"{PROGRAM} {number}"] = t("cards.program_name_more", count=number)
    names |= CURATED.get()(language())
    return {name: said for name, said in names.items() if name != said}
