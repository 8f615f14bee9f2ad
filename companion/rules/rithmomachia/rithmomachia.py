"""The three games as a player chooses them: title, options, board, start, and reading a position from JSON."""

from collections.abc import Mapping
from typing import Any

from companion.language.sentence import Sentence, Template
from companion.rules.board import Board
from companion.rules.errors import OptionError, PositionFormatError
from companion.rules.family import Family
from companion.rules.game import Game
from companion.rules.how_to_play import GameTexts
from companion.rules.known_words import check_words
from companion.rules.options import OptionValue, read_options
from companion.rules.rithmomachia import notation
from companion.rules.rithmomachia.men import COLOURS, PLAYERS, Man, array, of_either_army, whole_pyramid
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.rule_set import RithmoRules, kind_of, rule_set
from companion.rules.rithmomachia.squares import FILES, PRACTICE_RANKS, drawn_board
from companion.rules.rithmomachia.state import Triumph

RULES_REVISION = 2
"""Increase it whenever the code judges any position differently than before; part of `Game.rules_hash`."""

WORDS = (
    *("game", "options", "turn", "phase", "men", "captured", "last", "lifted", "study"),
    *("removed", "triumphs", "returned"),
)
"""What a position has; `notation.position_to_json` writes it."""

FORWARD_RANKS = 2
"""By how many ranks the array "forward" moves the start of the men ahead."""


class Rithmomachia(Game):
    """One of the three games, as ``games.toml`` describes it."""

    family = Family(
        "rithmomachia",
        board="companion.referee.board.rithmomachia:FOLLOWING",
        odds="companion.odds.known.known_odds:NONE",
        player="companion.players.rithmomachia.search:PLAYER",
        page="companion.desk.page.family_page:PLAIN",
        picture="companion.drawings.rithmomachia:PICTURE",
    )
    kit_parts = ("rithmomachia-men",)
    teaches = True
    player_counts = (2,)

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.entry = entry
        self.slug = entry["slug"]
        self.title = entry["title"]
        self.source = entry["source"]
        self.story, self.interpretation = (Sentence.of(Template(entry[name])) for name in ("story", "ruled"))
        self.texts = GameTexts(__package__, self.slug, f"aim-{self.slug}")
        self.options = read_options(__package__, kind_of(self.slug))
        self.board = drawn_board(entry["ranks"])

    @property
    def boards(self) -> tuple[Board, ...]:
        """The board of this game, the other of the two long ones, and the practice board, which has no rules."""
        lengths = dict.fromkeys((self.entry["ranks"], 16, 14, PRACTICE_RANKS))
        return tuple(drawn_board(ranks) for ranks in lengths)

    @property
    def decisive(self) -> Mapping[str, Any]:
        """What decides a game besides its options: revision, men, ways and captures."""
        worded = ("title", "source", "story", "ruled")
        return {
            "revision": RULES_REVISION,
            "entry": {name: value for name, value in self.entry.items() if name not in worded},
            "arrays": [array(side) for side in COLOURS],
            "pyramids": [whole_pyramid(side) for side in COLOURS],
        }

    def start(self, players: int, **options: OptionValue) -> RithmoPosition:
        """Return the first position: both armies in array.

        Raises:
            OptionError: an unknown option or value, or not two players.
        """
        self.check_players(players)
        settings = tuple(self.settings(options).items())
        rules = rule_set(self.slug, settings)
        return RithmoPosition(self, settings, rules, PLAYERS[str(rules["first"])], _arrayed(rules))

    def from_json(self, data: Mapping[str, Any]) -> RithmoPosition:
        """Read a position; only ``men`` is required.

        Without ``captured`` it is a study: only the men on the board are in play. A man with a number that his side did
        not begin with counts as one who changed sides.

        Raises:
            PositionFormatError: the data does not have the form that `RithmoPosition.to_json` writes.
        """
        placed, study = data.get("men"), data.get("study", "captured" not in data)
        if data.get("game", self.slug) != self.slug or not isinstance(placed, dict) or not isinstance(study, bool):
            raise PositionFormatError(
                f'Expected an object with "men" under their squares, of "game": "{self.slug}", '
                f"but got {str(data)[:200]!r}."
            )
        check_words(data, WORDS, "a position")
        options = data.get("options", {})
        check_words(options, (option.name for option in self.options), '"options"')
        phase = data.get("phase", "move")
        if phase not in ("move", "claims"):
            raise PositionFormatError(f'Expected "phase" to be "move" or "claims", but it is {phase!r}.')
        try:
            settings = tuple(self.settings(dict(options)).items())
        except (OptionError, TypeError, ValueError) as problem:
            raise PositionFormatError(f"This is not a position of {self.title}: {problem}") from problem
        rules = rule_set(self.slug, settings)
        numbered = rules.board.numbered
        turn = data.get("turn", PLAYERS[str(rules["first"])])
        if isinstance(turn, bool) or turn not in COLOURS:
            raise PositionFormatError(f'Expected "turn" to be 1 or 2, but it is {turn!r}.')
        men = {str(site): notation.man_from_json(man) for site, man in placed.items()}
        if study:
            men = {site: of_either_army(man) for site, man in men.items()}
        return RithmoPosition(
            self,
            settings,
            rules,
            turn,
            tuple(men.get(name) for name in rules.board.names),
            phase,
            notation.hands_from_json(data.get("captured", {}), "captured"),
            _last(data.get("last"), numbered),
            _lifted(data.get("lifted", {}), numbered),
            notation.hands_from_json(data.get("removed", {}), "removed"),
            notation.hands_from_json(data.get("returned", {}), "returned"),
            _triumphs(data.get("triumphs", {}), rules),
            tuple((site, man) for site, man in men.items() if site not in numbered),
            study,
        )


def _arrayed(rules: RithmoRules) -> tuple[Man | None, ...]:
    """Return the men as they start, square by square."""
    board = rules.board
    men: list[Man | None] = [None] * board.count
    ahead = FORWARD_RANKS if rules["array"] == "forward" else 0
    for side, colour in COLOURS.items():
        for row, placed in enumerate(array(side)):
            rank = row + ahead if colour == "white" else board.ranks - 1 - row - ahead
            for file in range(len(FILES)):
                square = board.at(file, rank)
                assert square is not None, "the arrays fit on every board"
                men[square] = placed[file] or men[square]
    return tuple(men)


def _last(data: Any, numbered: Mapping[str, int]) -> tuple[int, int] | None:
    check_words(data, ("from", "to"), '"last"')
    match data:
        case None:
            return None
        case {"from": str(start), "to": str(end)} if start in numbered and end in numbered:
            return numbered[start], numbered[end]
    raise PositionFormatError(f'Expected "last" like {{"from": "c4", "to": "d5"}} or null, but {data!r} came.')


def _lifted(data: Any, numbered: Mapping[str, int]) -> tuple[tuple[int, Man], ...]:
    if isinstance(data, dict) and all(site in numbered for site in data):
        return tuple(sorted((numbered[site], notation.man_from_json(man)) for site, man in data.items()))
    raise PositionFormatError(f'Expected "lifted" to hold men under their squares, but {data!r} came.')


def _triumphs(data: Any, rules: RithmoRules) -> tuple[Triumph, ...]:
    """Read the triumphs, player 1's before player 2's."""
    found = []
    if isinstance(data, dict) and set(data) <= {"1", "2"}:
        for number, listed in sorted(data.items()):
            for entry in listed if isinstance(listed, list) else [listed]:
                check_words(entry, ("grade", "numbers"), "a triumph")
                match entry:
                    case {"grade": str(grade), "numbers": list(numbers)} if grade in rules.grades and all(
                        isinstance(one, int) for one in numbers
                    ):
                        found.append(Triumph(int(number), grade, tuple(numbers)))
                    case _:
                        raise PositionFormatError(
                            f'Expected a triumph like {{"grade": "{rules.grades[0]}", "numbers": [2, 3, 4]}}, '
                            f"but {entry!r} came."
                        )
        return tuple(found)
    raise PositionFormatError(f'Expected "triumphs" like {{"1": [], "2": []}}, but {data!r} came.')
