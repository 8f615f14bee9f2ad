"""Reading the players of a tournament: one a line, or a CSV with a column ``name`` and perhaps ``rating``."""

import csv
from collections.abc import Sequence
from typing import Final

from companion.hall.tournament.records import Entrant, TournamentError
from companion.language.sentence import N_, Sentence

FEWEST_ENTRANTS, MOST_ENTRANTS = 2, 200
LONGEST_NAME: Final = 40
HIGHEST_ENTRY: Final = 9999
HOW_MANY: Final = N_("Expected {fewest} to {most} players, but got {count}.")


def read_entrants(text: str) -> tuple[Entrant, ...]:
    """Return the players, the strongest first; those without a rating keep the order of the list, after the others.

    Commas, semicolons and tabs separate columns. Without a line of headings a line is a name and perhaps a rating.

    Raises:
        TournamentError: there are too few or too many players, a name is too long or there twice, or a rating is none.
    """
    read = _read(text)
    if not FEWEST_ENTRANTS <= len(read) <= MOST_ENTRANTS:
        raise TournamentError(Sentence.of(HOW_MANY, fewest=FEWEST_ENTRANTS, most=MOST_ENTRANTS, count=len(read)))
    read.sort(key=lambda one: -one[1])
    return tuple(Entrant(number, name, rating) for number, (name, rating) in enumerate(read, start=1))


def read_late(text: str, before: Sequence[Entrant]) -> Entrant:
    """Return the one player of a text, who comes after those that a tournament has; the first list keeps its order.

    Raises:
        TournamentError: it is not one player, the name is too long or there already, or there are too many.
    """
    read = _read(text)
    if len(read) != 1 or len(before) >= MOST_ENTRANTS:
        raise TournamentError(Sentence("Expected one more player of at most {most}.", most=MOST_ENTRANTS))
    name, rating = read[0]
    if name.casefold() in {one.name.casefold() for one in before}:
        raise TournamentError(Sentence("{name} is in the list twice.", name=name))
    return Entrant(len(before) + 1, name, rating)


def _read(text: str) -> list[tuple[str, int]]:
    """Return names and ratings in the order of the text."""
    separator = next((one for one in ("\t", ";") if one in text), ",")
    table = csv.reader(text.lstrip("\ufeff").splitlines(), delimiter=separator)
    cells = [(table.line_num, [cell.strip() for cell in row]) for row in table]
    rows = [(line, row) for line, row in cells if any(row)]
    heads = [cell.casefold() for cell in rows[0][1]] if rows else []
    name_at, rating_at = 0, 1
    if "name" in heads:
        rows, name_at = rows[1:], heads.index("name")
        rating_at = heads.index("rating") if "rating" in heads else -1
    read: list[tuple[str, int]] = []
    for line, row in rows:
        name = row[name_at] if name_at < len(row) else ""
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise TournamentError(
                Sentence(
                    "Line {line}: expected a name of 1 to {most} characters that can all be seen, but got {name}.",
                    line=line,
                    most=LONGEST_NAME,
                    name=f"{name!a:.60}",
                )
            )
        if name.casefold() in {one.casefold() for one, _ in read}:
            raise TournamentError(Sentence("{name} is in the list twice.", name=name))
        read.append((name, _rating(name, row[rating_at] if 0 <= rating_at < len(row) else "")))
    return read


def _rating(name: str, text: str) -> int:
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal() and int(text) <= HIGHEST_ENTRY):
        sentence = Sentence(
            "Expected a rating from 0 to {most} for {name}, a whole number.", most=HIGHEST_ENTRY, name=name
        )
        raise TournamentError(sentence)
    return int(text)
