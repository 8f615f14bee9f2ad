"""Rule cards: one page a game, made from the game's own texts: its story, start, options and source."""

from collections.abc import Sequence
from typing import Final

from calibration.kit.boards import colour
from calibration.kit.diagrams.diagram import diagram_of
from calibration.kit.paper import Paper
from calibration.kit.pen import LEADING_CAPITALS, Pen, wrapped
from calibration.kit.plans import board_plans
from calibration.kit.sheets import GREY, PrintedPage
from companion.odds.usual_lengths import offered_length
from companion.rules.dice import dice_set
from companion.rules.die import DiceSet
from companion.rules.game import Game, Glossary
from companion.rules.options import Option
from companion.rules.registry import games

COLUMN_GUTTER: Final = 6.0
"""Millimetres between the two columns of options."""

STORY_CAPITALS: Final = 2.3
HEADING_CAPITALS: Final = 2.3
LARGEST_CAPITALS: Final = 2.1
SMALLEST_CAPITALS: Final = 1.35
"""The smallest height of capitals, in millimetres: options are as large as the page allows."""

NUMBERED_INDENT: Final = 5.0
"""The indent of a numbered sentence, in millimetres."""

GLOSSARY_COLUMNS: Final = 4

DICE: Final = {"wibold": "letter-dice", "ludix": "ludix-dice", "wheel": "virtues-wheel"}
"""The part of the kit for each dice set; the kit has no ordinary dice."""


def card_pages(paper: Paper) -> list[PrintedPage]:
    """Return a page for every game."""
    return [card_page(game, paper) for game in games().values()]


def card_page(game: Game, paper: Paper) -> PrintedPage:
    """Return one game's page."""
    note = (
        f"companion play {game.slug} plays it in a terminal; companion serve --game {game.slug} referees it at the "
        f"table."
    )
    return PrintedPage(f"Rule card: {game.title}", note, paper, lambda pen: _draw(pen, game, paper))


def _draw(pen: Pen, game: Game, paper: Paper) -> None:
    width, height = paper.room
    pen.text(0, 3.5, game.title, 5.0, face="bold", width=width)
    start = game.start(game.least_players)
    y = pen.paragraph(0, 9.0, _needs(game), STORY_CAPITALS * 0.85, width, colour=GREY)
    pen.line((0, y + 1.5), (width, y + 1.5), colour=colour("line"), thick=0.4)
    y = pen.paragraph(0, y + 4.0, str(game.story), STORY_CAPITALS, width)
    if game.interpretation is not None:
        y = pen.paragraph(0, y + 0.8, f"Read here: {game.interpretation}", STORY_CAPITALS * 0.9, width)
    y = _listed(pen, y, game.glossary, width) if game.glossary is not None else y
    y = _headed(pen, y + 3.0, "How it begins", width)
    diagram = diagram_of(game)
    if (tall := diagram.height(start, width)) > 0:
        with pen.at(0, y):
            diagram.draw(pen, start, width)
        y = pen.paragraph(0, y + tall + 0.5, diagram.legend(), STORY_CAPITALS * 0.8, width, colour=GREY) + 1.0
    y = pen.paragraph(0, y, str(start.awaits.sentence), STORY_CAPITALS, width)
    if game.how_to_play:
        y = _headed(pen, y + 3.0, "How it is played", width)
        for number, step in enumerate(game.how_to_play, 1):
            pen.text(0, y + STORY_CAPITALS * 0.7, f"{number}", STORY_CAPITALS * 0.9, face="bold")
            y = pen.paragraph(NUMBERED_INDENT, y, str(step), STORY_CAPITALS * 0.9, width - NUMBERED_INDENT) + 0.8
    source = f"Source: {game.source}"
    foot = height - len(wrapped(source, STORY_CAPITALS * 0.8, width)) * STORY_CAPITALS * 0.8 * LEADING_CAPITALS
    pen.paragraph(0, foot, source, STORY_CAPITALS * 0.8, width, face="slanted", colour=GREY)
    if game.options:
        y = _headed(pen, y + 3.0, "What the sources leave open: agree before you begin", width)
        _rulings(pen, y, game, width, foot - 3.0)


def _listed(pen: Pen, y: float, glossary: Glossary, width: float) -> float:
    """Write the game's terms in four columns, and return where the next block may begin."""
    y = _headed(pen, y + 3.0, glossary.title, width)
    rows = -(-len(glossary.entries) // GLOSSARY_COLUMNS)
    wide, step = width / GLOSSARY_COLUMNS, 3.4
    for index, (name, called) in enumerate(glossary.entries.items()):
        x, row = index // rows * wide, index % rows
        pen.text(x, y + (row + 0.5) * step, name, 1.7, face="bold")
        pen.text(x + 8, y + (row + 0.5) * step, called, 1.7, width=wide - 10)
    return y + rows * step


def _headed(pen: Pen, y: float, heading: str, width: float) -> float:
    pen.text(0, y + HEADING_CAPITALS / 2, heading, HEADING_CAPITALS, face="bold", width=width)
    return y + HEADING_CAPITALS + 2.2


def _needs(game: Game) -> str:
    """Say how many play and with what, what the dice show, and which parts of the kit those are."""
    awaits = game.start(game.least_players).awaits
    boards = {board.name for board in game.boards}
    parts = [DICE[name] for name in awaits.dice_sets if name in DICE]
    parts += [plan.name for plan in board_plans().values() if plan.board in boards and plan.name not in parts]
    parts += game.kit_parts
    words = game.counted_players[0].upper() + game.counted_players[1:] + "."
    if (length := offered_length(game)) is not None:
        words += f" Between two, {length.sentence()}."
    if "pips" in awaits.dice_sets:
        other = "or ordinary dice" if "wibold" in awaits.dice_sets else "Ordinary dice"
        words += (
            f" {len(awaits.dice)} ordinary dice." if other == "Ordinary dice" else " Ordinary dice will do as well."
        )
    for name in awaits.dice_sets:
        words += _faces(dice_set(name)) if name in DICE and name != "wheel" else ""
    return words + (f" From the kit: {', '.join(parts)}." if parts else "")


def _faces(dice: DiceSet) -> str:
    """Describe the faces of marked dice; list alike dice once."""
    shown = {" ".join(face.text for face in die.faces): die for die in dice.dice}
    each = [f"die {die.name}: {faces}" if len(shown) > 1 else f"each die: {faces}" for faces, die in shown.items()]
    worth = {face.text: face.value for die in dice.dice for face in die.faces} if dice.alike else {}
    values = ", ".join(f"{text} is {value}" for text, value in worth.items())
    return f" Faces of {'; '.join(each)}." + (f" {values}." if values else "")


def _rulings(pen: Pen, top: float, game: Game, width: float, foot: float) -> None:
    """Write the options in two columns, as large as they fit between ``top`` and ``foot``.

    If their meanings would be too small to read, write the names with their values in three columns, and where to find
    the meanings. What came later only helps to learn the game: it is on the form, and no card has room for it.
    """
    options = [one for one in game.options if not one.later]
    columns, column, room = 2, (width - COLUMN_GUTTER) / 2, foot - top
    capital, tall = _fitting([(_named(one), str(one.meaning)) for one in options], column, room, columns)
    whole = _columns(tall, room) <= columns
    if not whole:
        note = f"What each of them means: companion games {game.slug}"
        top = pen.paragraph(0, top, note, SMALLEST_CAPITALS, width, face="slanted", colour=GREY) + 1.0
        columns, column, room = 3, (width - 2 * COLUMN_GUTTER) / 3, foot - top
        capital, tall = _fitting([(_named(one), "") for one in options], column, room, columns)
    assert _columns(tall, room) <= columns, "the rulings do not fit on one page"
    while room > 1.0 and _columns(tall, room - 1.0) <= columns:  # balance the columns
        room -= 1.0
    x, y = 0.0, top
    for option, high in zip(options, tall, strict=True):
        if y > top and y + high > top + room:
            x, y = x + column + COLUMN_GUTTER, top
        low = pen.paragraph(x, y, _named(option), capital, column, face="bold")
        if whole:
            pen.paragraph(x, low, str(option.meaning), capital, column)
        y += high


def _fitting(texts: Sequence[tuple[str, str]], column: float, room: float, columns: int) -> tuple[float, list[float]]:
    """Return the largest size at which texts fill the columns, or the smallest allowed, and how tall each is then."""
    capital = LARGEST_CAPITALS
    while _columns(tall := _heights(texts, column, capital), room) > columns and capital > SMALLEST_CAPITALS:
        capital -= 0.05
    return capital, tall


def _heights(texts: Sequence[tuple[str, str]], column: float, capital: float) -> list[float]:
    """Return the height of each option, name and meaning, with the gap after it."""
    step = capital * LEADING_CAPITALS
    return [
        (len(wrapped(name, capital, column, "bold")) + (len(wrapped(meaning, capital, column)) if meaning else 0))
        * step
        + capital * 0.9
        for name, meaning in texts
    ]


def _columns(tall: Sequence[float], room: float) -> int:
    """Return how many columns of this height the options take, without breaking any."""
    count, used = 1, 0.0
    for high in tall:
        if used > 0 and used + high > room:
            count, used = count + 1, 0.0
        used += high
    return count


def _named(option: Option) -> str:
    """Return an option's name with its default, and its other values."""
    if option.values is None:
        return f"{option.name}: {option.default} ({option.least} to {option.most})"
    first, *others = (str(value).lower() if isinstance(value, bool) else str(value) for value in option.values)
    return f"{option.name}: {first}" + (f" (or {', '.join(others)})" if others else "")
