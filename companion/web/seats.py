"""Names that come with a seat: nobody chose them, so every reader meets them in the own language."""

from collections.abc import Callable, Mapping

from flask import Flask

from companion.language.sentence import player
from companion.web import languages
from companion.web.app_state import AppKey

MOST = 6
"""The most players of a match."""

PROGRAM = "The program"
"""What a match calls the program in a seat; a second one is called ``The program 2``."""

CURATED: AppKey[Callable[[str], Mapping[str, str]]] = AppKey("CURATED_NAMES")
"""In a kiosk: how the curator's names of any language are called in one language."""


def prepare(app: Flask) -> None:
    """Let an app's templates call players, one or several in a list, as `called` says; a kiosk adds its own names."""
    CURATED.put(app, lambda _: {})
    app.add_template_global(in_words, "called")


def in_words(listed: str) -> str:
    """Return names with commas between them as the reader's language has them."""
    names = called()
    return ", ".join(names.get(name, name) for name in listed.split(", "))


def called() -> dict[str, str]:
    """Return how each name of a seat is called in the language of this request, where it has another name there."""
    t = languages.here()
    names = {str(player(number)): t("new.player", number=number) for number in range(1, MOST + 1)}
    names[PROGRAM] = t("cards.program_name")
    for number in range(2, MOST + 1):
        names[f"{PROGRAM} {number}"] = t("cards.program_name_more", count=number)
    names |= CURATED.get()(languages.language())
    return {name: said for name, said in names.items() if name != said}
