"""How players are called to a reader: the names that come with a seat are in the reader's language."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.desk.table.seats_asked import program_name
from companion.language.sentence import player
from companion.web.app_state import AppKey
from companion.web.languages import here, language

MOST_SEATS: Final = 6
"""The most players of a match."""

CURATED: AppKey[Callable[[str], Mapping[str, str]]] = AppKey("CURATED_NAMES")
"""In a kiosk: how the curator's names of any language are called in one language."""


def seat_names() -> dict[str, str]:
    """Return how each name of a seat is called in the language of this request, where it has another name there."""
    t = here()
    seats = range(1, MOST_SEATS + 1)
    names = {str(player(number)): t("new.player", number=number) for number in seats}
    names |= {program_name(number): t("cards.program_name_more", count=number) for number in seats}
    names[program_name()] = t("cards.program_name")
    names |= CURATED.get()(language())
    return {name: spoken for name, spoken in names.items() if name != spoken}


def named(shown: Any) -> Any:
    """Return what a view shows, values as in JSON, with every name of a seat as `seat_names` has it.

    A text may also be such names with commas between them, as a match is called that has no name of its own.
    """
    names = seat_names()
    return _named(shown, names) if names else shown


def _named(shown: Any, names: Mapping[str, str]) -> Any:
    match shown:
        case str():
            return ", ".join(names.get(name, name) for name in shown.split(", "))
        case Mapping():
            return {key: _named(one, names) for key, one in shown.items()}
        case list() | tuple():
            return [_named(one, names) for one in shown]
    return shown
