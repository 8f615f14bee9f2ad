"""The tables games as a player chooses them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from companion.data_file import data_of
from companion.language.sentence import Listing, Sentence, Template
from companion.rules.board import Board
from companion.rules.dice import Throw
from companion.rules.family import Family
from companion.rules.game import Choice, Game, Position, Recorded
from companion.rules.how_to_play import manner, sentences
from companion.rules.options import Option, OptionValue
from companion.rules.tables.mat import is_mat, mat_of, read_mat, writes_mat
from companion.rules.tables.points import HALF, POINTS, tables_board
from companion.rules.tables.position import TablesPosition
from companion.rules.tables.rulings import Settings, TablesRules, rules
from companion.rules.tables.setting_up import position_from_json
from companion.rules.tables.state import PLAIN
from companion.rules.tables.variants import Variant, variants

RULES_REVISION = 1
"""Increase it whenever the code judges any position differently than before; part of `Game.rules_hash`."""


_CORNERS = {
    POINTS[0]: Sentence("at the bottom right"),
    POINTS[HALF - 1]: Sentence("at the bottom left"),
    POINTS[HALF]: Sentence("at the top left"),
    POINTS[-1]: Sentence("at the top right"),
}
"""Where the corner points lie in the picture, by the picture's own names."""


class Tables(Game):
    """One variant of ``variants.toml``."""

    family = Family(
        "tables",
        board="companion.referee.board.tables.following:FOLLOWING",
        odds="companion.odds.known.tables:ODDS",
        player="companion.players.tables.player:PLAYER",
        page="companion.desk.page.family_page:PLAIN",
        picture="companion.drawings.tables:PICTURE",
    )
    kit_parts = ("tables-men",)
    player_counts = (2, 4, 6)

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.name = variant.slug
        self.slug = f"tables/{variant.slug}"
        self.title = variant.title
        self.source = variant.source
        self.story, self.interpretation = (Sentence.of(Template(text)) for text in (variant.story, variant.ruled))
        self.options = _options(variant)
        self.board: Board = tables_board()

    @property
    def aim(self) -> Sentence:
        """How the game is won, in one line."""
        return sentences(__package__, f"aim-{self.judged(self.least_players, {}).goal}")[0]

    @property
    def manner(self) -> Sentence:
        """How the program plays in a seat."""
        alike = self.judged(self.least_players, {}).goal == "places"
        return manner(__package__, "manner-places" if alike else "manner")

    @property
    def how_to_play(self) -> tuple[Sentence, ...]:
        """How a turn goes and how the game is won."""
        return how_to_play(self.judged(self.least_players, {}))

    @property
    def decisive(self) -> Mapping[str, Any]:
        """What decides a game besides its options: revision and the variant's entry."""
        wording = {"title", "source", "story", "ruled", "earlier", "later"}
        return {
            "revision": RULES_REVISION,
            # the file once said habits for movement: a match from then has still these rules
            "variant": {
                "habits" if name == "movement" else name: value
                for name, value in self.variant.entry.items()
                if name not in wording
            },
        }

    def options_then(self, rules: str) -> Mapping[str, OptionValue]:
        """Return the options that replay a match of these earlier rules as it was played."""
        return self.variant.earlier.get(rules, {})

    def as_file(self, start: Position, moves: Iterable[Throw | Choice], names: Mapping[int, str]) -> str | None:
        """Return a match of backgammon as a MAT file."""
        return mat_of(start, moves, names) if isinstance(start, TablesPosition) and writes_mat(start) else None

    def from_file(self, text: str) -> Sequence[Recorded]:
        """Return the games of a MAT file."""
        start = self.start(2)
        return read_mat(text, start) if isinstance(start, TablesPosition) and writes_mat(start) and is_mat(text) else ()

    def where_it_lies(self, picture_of: Callable[[str], str]) -> Sentence:
        """Say in which corner of the picture the first point lies."""
        return Sentence("point a lies {where}", where=_CORNERS[picture_of(POINTS[0])])

    def settled(self, players: int, options: Mapping[str, OptionValue]) -> Settings:
        """Return every option's value for this number of players.

        Raises:
            OptionError: an unknown option or value, or a number of players that the game does not take.
        """
        self.check_players(players)
        settings = self.settings(options)
        if players > 2 and self.variant.team_dice and "dice" not in options:  # noqa: PLR2004 - a team
            settings["dice"] = self.variant.team_dice
        return tuple(settings.items())

    def judged(self, players: int, options: Mapping[str, OptionValue]) -> TablesRules:
        """Return the rules with these options for this number of players.

        Raises:
            OptionError: an unknown option or value, or a number of players that the game does not take.
        """
        return rules(self, self.name, self.settled(players, options), players)

    def start(self, players: int, **options: OptionValue) -> TablesPosition:
        """Return the first position.

        Raises:
            OptionError: an unknown option or value, or not 2, 4 or 6 players.
        """
        judged = self.judged(players, options)
        aside = PLAIN._replace(battle=()) if judged.options.get("battle") else PLAIN
        return TablesPosition(judged, 1, judged.start(), (), aside)

    def from_json(self, data: Mapping[str, Any]) -> TablesPosition:
        """Read a position; only ``game`` and ``men`` are required.

        Raises:
            PositionFormatError: the data does not have the form that `TablesPosition.to_json` writes.
        """
        return position_from_json(self, self.judged, data)


def _options(variant: Variant) -> tuple[Option, ...]:
    """Return a variant's options: the common ones except those in ``without``, and its own; its defaults come first."""
    found = []
    for entry in data_of(__package__, "options.toml")["option"]:
        name = entry["name"]
        if name not in variant.extra if entry.get("only") else name in variant.without:
            continue
        default = variant.options.get(name, entry["default"] if "default" in entry else entry["values"][0])
        meaning = Sentence.of(Template(entry["meaning"]))
        if "values" in entry:
            values = (default, *(value for value in entry["values"] if value != default))
            found.append(Option(name, default, meaning, values, later=entry.get("later", False)))
        else:
            found.append(Option(name, default, meaning, None, entry["least"], entry["most"]))
    return tuple(found)


@cache
def tables_game(name: str) -> Tables:
    """Return the variant of this name, the last part of its slug."""
    return Tables(variants()[name])


def how_to_play(rules: TablesRules) -> tuple[Sentence, ...]:
    """Return sentences on a turn, landing, entering and the end of a tables game with its settled options."""
    variant, movement = rules.variant, rules.courses[0].movement
    named = [f"dice-{rules.mode}"]
    if variant.rule == "doblet":
        return _sentences([*named, "doblet", "duty", "lost", "doblet-end"])
    named += [name for name, wanted in (("doubles", rules.doubles_twice), ("again", rules.extra_turn)) if wanted]
    named += ["enters"] if variant.enters else []
    named += ["enters-all"] if movement.forced == "hand" else []
    named += ["stands"] if movement.entry_only else ["moves"]
    named += ["duty", "passed-on" if rules.to_opponent else "lost"]
    named.append("held-corners" if variant.rule == "corners" else "held")
    named += ["start-shut"] if movement.start_shut else []
    named += ["hit-first"] if movement.forced == "hit" else []
    named += ["no-pairs"] if not movement.pairing else []
    named += ["two-at-most"] if movement.most == 2 else []  # noqa: PLR2004 (the only limit that any source sets)
    named += ["rests"] if movement.still_home else []
    named.append(rules.goal)
    named += ["three-each"] if rules.goal == "places" else []
    named += ["slaps"] if rules.slaps else []
    named += ["gammon"] if rules.counts_gammons and rules.goal == "bear" else []
    named.append("tie")
    first, *rest = _sentences(named)
    return (_way(rules), first, *rest)


def _sentences(named: list[str]) -> tuple[Sentence, ...]:
    return tuple(one for name in named for one in sentences(__package__, name))


def _way(rules: TablesRules) -> Sentence:
    """Say where each side runs."""
    ours, theirs = (_spoken(track) for track in rules.ways)
    if "table" in rules.options or rules.courses[0].movement.entry_only:
        return Sentence("Both sides play in one table of six points.")
    if ours == theirs:
        return Sentence("Both sides run the same way, {way}.", way=ours)
    return Sentence("Side 1 runs {first}, side 2 {second}.", first=ours, second=theirs)


def _spoken(track: str) -> Listing:
    """Return ``"a-f t-z"`` as ``"a to f, t to z"``."""
    runs = (run.split("-") for run in track.split())
    return Listing((Sentence("{start} to {end}", start=start, end=end) for start, end in runs), "comma")
