"""Rule cards: half a sheet for every game, made from the texts that the page has, in each of the page's languages."""

from collections.abc import Iterator
from datetime import date
from importlib.resources import files
from typing import Any, Final

from calibration.kit.harmonies import harmonies_table
from calibration.kit.paper import Paper
from companion.drawings.picture import picture_of, svg_of
from companion.language.sentence import player
from companion.language.texts import Texts, load
from companion.lessons.course import courses
from companion.odds.usual_lengths import offered_length
from companion.printing.setting import PrintedDocument, measured
from companion.referee.game_facts import dice_fact, players_fact
from companion.rules.game import Game
from companion.rules.options import Option, OptionValue
from companion.rules.registry import games

ONE_SIDE: Final = 12
"""The most rulings that share a side with the rules: with more, or with a list to look up, a card has a back."""

FITTED_AT_ONCE: Final = 12
"""The cards whose type is chosen in one go: the typesetter keeps some 5 MB of each until it is done."""


def card_sheets() -> int:
    """Return the number of sheets: a card with a back has one to fold, and of the others two lie on each, to cut."""
    folded = sum(map(_has_back, games().values()))
    return folded + -(-(len(games()) - folded) // 2)


def cards_document(paper: Paper, language: str, made: date, shown: int | None = None) -> PrintedDocument:
    """Return the cards of all games, or of the first ``shown``, those with a back first."""
    words = load(language)
    ordered = sorted(games().values(), key=_has_back, reverse=True)[:shown]
    families = files("companion") / "web" / "static" / "families"
    vignettes = (families / f"{name}.svg" for name in sorted(set(map(_family, ordered))))
    pictures = {one.name: one.read_text(encoding="utf-8") for one in vignettes if one.is_file()}
    boards = {f"board-{number}.svg": svg_of(game.start(game.least_players)) for number, game in enumerate(ordered)}
    cards = [_card(game, words) | {"board": f"board-{number}.svg"} for number, game in enumerate(ordered)]
    for card, game in zip(cards, ordered, strict=True):
        card["examples"] = []
        for texts, svg in _examples(game, words):
            name = f"example-{len(boards)}.svg"
            boards[name] = svg
            card["examples"].append(texts | {"picture": name})
    data = {
        "title": words("kit.cards"),
        "language": language,
        "sheet": paper.turned.size,
        "words": {name: words(name) for name in ("new.how_to_play", "new.options", "kit.source", "kit.taking")},
        "vignettes": list(pictures),
        "fits": None,
    }
    used = pictures | boards
    fits = [
        fit
        for start in range(0, len(cards), FITTED_AT_ONCE)
        for fit in measured("card", data | {"cards": cards[start : start + FITTED_AT_ONCE]}, used)
    ]
    return PrintedDocument("card", data | {"cards": cards, "fits": fits}, made, used)


def _examples(game: Game, words: Texts) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield what the game's lesson teaches about taking a man, with its picture: the move is made, he can be taken."""
    for step in (step for course in courses().values() if course.then == game.slug for step in course.steps):
        emptied = [site for site, men in step.goal.board.items() if not men]
        if not emptied or step.throws or step.goal.won:
            continue
        move = step.start.parse(step.right[0][0])
        moved = step.start.account(move).sites[-1]
        drawn = picture_of(game).example(step.start.after(move), emptied[0], moved)
        if drawn is not None:
            texts = {"idea": words.translate(step.idea.to_json()), "why": words.translate(step.why.to_json())}
            yield texts | {"size": drawn.size}, drawn.svg


def _has_back(game: Game) -> bool:
    return game.glossary is not None or len(_asked(game)) > ONE_SIDE


def _family(game: Game) -> str:
    return game.slug.partition("/")[0]


def _asked(game: Game) -> list[Option]:
    """Return what the sources leave open; what came later only helps to learn the game."""
    return [option for option in game.options if not option.later]


def _card(game: Game, words: Texts) -> dict[str, Any]:
    """Return the texts of a card in a language."""
    facts = [words(f"cards.{fact.key}", **fact.parts) for fact in (players_fact(game), dice_fact(game))]
    if (length := offered_length(game)) is not None:
        facts.append(words.translate(length.sentence().to_json()))
    reading, glossary = game.interpretation, game.glossary
    entries = [] if glossary is None else [(lot, *named.split(", ", 1)) for lot, named in glossary.entries.items()]
    return {
        "title": words.translated(game.title),
        "family": f"{_family(game)}.svg",
        "back": _has_back(game),
        "heights": picture_of(game).printed_heights(game.board),
        "aim": words.translate(game.aim.to_json()),
        "facts": facts,
        "story": words.translate(game.story.to_json()),
        "men": words("moves.whose", **{name: player(number).to_json() for name, number in _SIDES.items()})
        if game.board.sites and game.start(game.least_players).occupancy()
        else "",
        "steps": [words.translate(step.to_json()) for step in game.how_to_play],
        "reading": "" if reading is None else words.translate(reading.to_json()),
        "rulings": [_ruling(option, words, _family(game)) for option in _asked(game)],
        "glossary": None
        if glossary is None
        else {
            "title": words.get(f"kit.{_family(game)}_glossary", glossary.title),
            "entries": [(lot, latin, words.translated(english)) for lot, latin, english in entries],
        },
        "harmonies": harmonies_table(words) if _family(game) == "rithmomachia" else None,
        "source": game.source,
    }


_SIDES: Final = {"light": 1, "dark": 2}


def _ruling(option: Option, words: Texts, family: str) -> dict[str, str]:
    """Return what a ruling is about, what holds where nobody says otherwise, and what else may hold."""
    name = words.get(f"kit.{family}_{option.name}", words(f"option.{option.name}.name"))
    if option.values is None:
        return {"name": name, "first": str(option.default), "others": ""}
    first, *others = (_value(option, value, words) for value in option.values)
    return {"name": name, "first": first, "others": words("kit.otherwise", others="; ".join(others))}


def _value(option: Option, value: OptionValue, words: Texts) -> str:
    if isinstance(value, bool):
        return words("new.yes" if value else "new.no")
    return words.get(f"option.{option.name}.{value}", str(value))
