"""The contract that every game keeps: games, positions, choices and outcomes."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol, Self

from companion.language.sentence import Listing, Sentence, player
from companion.rules.board import Board, BoardNotes
from companion.rules.dice import Throw, all_throws
from companion.rules.errors import OptionError, Refusal
from companion.rules.family import Family
from companion.rules.how_to_play import GameTexts, Glossary, manner, sentences
from companion.rules.options import Option, OptionValue
from companion.rules.results import Account, Outcome


@dataclass(frozen=True)
class Await:
    """What a position waits for.

    ``throw``: all ``dice``, from any one of the ``dice_sets``. ``recast``: exactly one of the ``dice``, which the
    player chooses. ``choice``: one of `Position.legal`. ``over``: nothing more.
    """

    kind: Literal["throw", "recast", "choice", "over"]
    player: int
    sentence: Sentence
    dice_sets: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()


class Choice(Protocol):
    """The smallest act that is not a throw. ``str()`` is the text that a player reads and types."""

    def __str__(self) -> str: ...
    def __hash__(self) -> int: ...
    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""


class Choices(ABC):
    """All legal choices of a position. Iteration finds them one by one; ``in`` does not list them all."""

    @abstractmethod
    def __iter__(self) -> Iterator[Choice]: ...

    @abstractmethod
    def __contains__(self, choice: object) -> bool: ...

    def __len__(self) -> int:
        return sum(1 for _ in self)


class ListedChoices(tuple[Choice, ...], Choices):
    """The legal choices of a position that never has many: a list."""

    __slots__ = ()


@dataclass(frozen=True)
class Play:
    """A whole turn: the position it leads to, and one of the ways to get there, choice by choice."""

    choices: tuple[Choice, ...]
    position: "Position"


class Recorded(NamedTuple):
    """A game from another program's file: the players' names, empty where it gives none, and every throw and choice."""

    players: tuple[str, ...]
    moves: "tuple[Throw | Choice, ...]"


NAMELESS: Mapping[int, str] = {}
"""The names of players where none is known."""


class Position(ABC):
    """An immutable, hashable state of a game. Players are numbered from 1."""

    conceals = False
    """Whether players must find some legal choices themselves, so the program does not show all of them."""

    @property
    @abstractmethod
    def game(self) -> "Game":
        """The game of this position."""

    @property
    @abstractmethod
    def players(self) -> int:
        """The number of players."""

    @property
    @abstractmethod
    def options(self) -> Mapping[str, OptionValue]:
        """Every option's value, defaults included."""

    @property
    @abstractmethod
    def awaits(self) -> Await:
        """Who must do what next."""

    @property
    def side(self) -> int:
        """The side whose men the awaited player moves: the team's side, or the player's own number without teams."""
        return self.awaits.player

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The end, or None while the game goes on."""

    @abstractmethod
    def legal(self) -> Choices:
        """Return the legal choices; empty while only a throw is allowed."""

    def open_choices(self) -> Iterator[Choice]:
        """Yield the legal choices that everybody may see: all of them, unless the game `conceals` some."""
        return iter(self.legal())

    def listed_choices(self) -> Iterator[Choice]:
        """Yield the open choices that a page lists.

        It omits those that players point out on the board, in games where any man may go anywhere.
        """
        return self.open_choices()

    @abstractmethod
    def refusal(self, move: "Throw | Choice") -> Refusal | None:
        """Return the error that `after` raises here and which rule forbids the throw or choice; None if allowed."""

    def why_not(self, move: "Throw | Choice") -> Sentence | None:
        """Say which rule forbids this throw or choice here, or None if it is allowed."""
        refusal = self.refusal(move)
        return None if refusal is None else refusal[1]

    def check_legal(self, move: "Throw | Choice") -> None:
        """Raise the error that `refusal` returns, if any."""
        refusal = self.refusal(move)
        if refusal is not None:
            error, sentence = refusal
            raise error(sentence, self)

    def after(self, move: "Throw | Choice") -> Self:
        """Return the position after a throw or choice.

        Raises:
            WrongThrowError, IllegalChoiceError, GameOverError: with the position, what was expected and what came.
        """
        self.check_legal(move)
        return self.applied(move)

    @abstractmethod
    def applied(self, move: "Throw | Choice") -> Self:
        """Return the position after a throw or choice that was just checked; does not call `refusal` again."""

    def account(self, move: "Throw | Choice") -> Account:
        """Return the account of this throw or choice here, before it is applied. Raises the errors of `after`."""
        self.check_legal(move)
        return self.accounted(move)

    @abstractmethod
    def accounted(self, move: "Throw | Choice") -> Account:
        """Return the account of a throw or choice that was just checked; does not call `refusal` again."""

    def standing(self) -> Outcome:
        """Return the outcome if the players agree to end the match here; as a rule, the highest score wins."""
        counted = self.scores()
        most = max(counted.values())
        leaders = tuple(number for number, count in counted.items() if count == most)
        if len(leaders) > 1:
            return Outcome(leaders, Sentence("The win is shared with {count} each.", count=most))
        return Outcome(leaders, Sentence("{winner} has the most, {count}.", winner=player(leaders[0]), count=most))

    def passed(self) -> "Position | None":
        """Return the position after the awaited player skips the turn (or the recast), or None if that is impossible.

        This is not a rule of play. A referee needs it to void a throw while later throws keep their players.
        """
        return None

    def text(self, move: "Throw | Choice") -> str:
        """Return the text that a player would type here for a throw or choice; `parse` reads it back."""
        return str(move)

    def throws(self) -> Sequence[Throw]:
        """Return every possible throw here, all equally likely; of one dice set if several are allowed.

        For a recast, these are the faces of each die that the player may choose.
        """
        waits = self.awaits
        if waits.kind == "throw":
            return all_throws(waits.dice_sets[0], waits.dice)
        if waits.kind == "recast":
            return [throw for name in waits.dice for throw in all_throws(waits.dice_sets[0], (name,))]
        return ()

    def plays(self) -> Sequence[Play]:
        """Return the whole turns that are possible from here, one for each position that a turn can lead to.

        If every choice is a whole turn, the plays are the choices.
        """
        found: dict[Position, Play] = {}
        for choice in self.legal():
            reached = self.applied(choice)
            found.setdefault(reached, Play((choice,), reached))
        return tuple(found.values())

    def teaching(self) -> Sequence[Sentence]:
        """Return hints for a learner that an opponent should not see; the program shows them only on request."""
        return ()

    def drawn(self, names: Mapping[int, str] = NAMELESS) -> str:
        """Return the board in plain text, several lines, for a prompt; ``names`` are the players' names."""
        del names
        return "\n".join(f"{self.game.called(site)}: {what}" for site, what in self.occupancy().items())

    @abstractmethod
    def parse(self, text: str) -> "Throw | Choice":
        """Read the text that a player types here for a throw or choice.

        Raises:
            ThrowError, IllegalChoiceError: the sentence says what was expected and what came.
        """

    def meant(self, text: str) -> "Sequence[Throw | Choice]":
        """Return every throw or choice that a text can mean here, allowed or not; `parse` accepts only one meaning.

        Raises:
            ThrowError, IllegalChoiceError: as `parse` does.
        """
        return (self.parse(text),)

    @abstractmethod
    def move_from_json(self, data: Mapping[str, Any]) -> "Throw | Choice":
        """Read the JSON form of a throw or choice."""

    @abstractmethod
    def occupancy(self) -> Mapping[str, Any]:
        """Return what stands on each occupied site."""

    def seen_from_above(self) -> Mapping[str, Any]:
        """Return the part of `occupancy` that a camera should see."""
        return self.occupancy()

    def board_notes(self) -> BoardNotes:
        """Return what the page draws beside the men on the board, as plain JSON by name."""
        return {}

    @abstractmethod
    def scores(self) -> Mapping[int, int]:
        """Return each player's score by the rules of the game."""

    @property
    def goal(self) -> int | None:
        """The score that ends the game, as `scores` counts it; None where no score does."""
        return None

    @abstractmethod
    def faults(self) -> tuple[Sentence, ...]:
        """List everything wrong with a position that was set up by hand."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, which `Game.from_json` reads back to an equal position."""


class Game(ABC):
    """One variant: what a player reads before choosing it, and where it starts."""

    slug: str
    title: str
    source: str
    story: Sentence
    """What the game is about, in three sentences for somebody who has never heard of it."""
    interpretation: Sentence | None = None
    """How the program interprets the game where its source leaves something open, or None if it says nothing."""
    texts: GameTexts
    """Where the files of its package say how it is won and played, and how the program plays it."""
    player_counts: tuple[int, ...]
    """The allowed numbers of players, in ascending order, e.g. 2, 4 or 6 for two sides of equal teams."""
    options: tuple[Option, ...]
    board: Board
    family: Family
    """What the floors above know of this game's family."""
    kit_parts: tuple[str, ...] = ()
    """The men or tokens of the printable kit that the game needs besides board and dice."""
    teaches: bool = False
    """Whether `Position.teaching` ever returns hints in this game."""
    program_plays: bool = True
    """Whether the program can take a seat: not if only the players' agreement rules the game."""
    chooses: bool = True
    """Whether a player chooses anything, or only throws."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and other.slug == self.slug

    def __hash__(self) -> int:
        return hash(self.slug)

    def __repr__(self) -> str:
        return f"<game {self.slug}>"

    @property
    def least_players(self) -> int:
        """The least number of players."""
        return self.player_counts[0]

    @property
    def most_players(self) -> int:
        """The greatest number of players."""
        return self.player_counts[-1]

    @property
    def counted_players(self) -> str:
        """The allowed numbers of players, in words: ``"2 to 6 players"``, ``"2, 4 or 6 players"``."""
        return str(self._counted())

    def _counted(self) -> Sentence:
        if len(self.player_counts) > 1 and self.player_counts == tuple(
            range(self.least_players, self.most_players + 1)
        ):
            return Sentence("{least} to {most} players", least=self.least_players, most=self.most_players)
        return Sentence("{counts} players", counts=Listing(self.player_counts, "or"))

    @property
    def how_to_play(self) -> tuple[Sentence, ...]:
        """How a turn goes and how to win the game, step by step, if the players agree on nothing else."""
        return sentences(self.texts.package, self.texts.how_to_play)

    @property
    def aim(self) -> Sentence:
        """How the game is won, in one line, if the players agree on nothing else."""
        return sentences(self.texts.package, self.texts.aim)[0]

    @property
    def manner(self) -> Sentence:
        """How the program plays it in a seat, in one sentence."""
        return manner(self.texts.package, self.texts.manner)

    @property
    def glossary(self) -> Glossary | None:
        """What players at the table look up, or None if there is nothing."""
        return None

    def where_it_lies(self, picture_of: Callable[[str], str]) -> Sentence:
        """Say where the board's first site lies before a camera; ``picture_of`` returns the picture's name of a site.

        This default is for a board that lies as named or turned by half a turn.
        """
        first = self.board.sites[0].name
        side = Sentence("on the left") if picture_of(first) == first else Sentence("on the right")
        return Sentence("square {site} lies {where}", site=first, where=side)

    @property
    def boards(self) -> tuple[Board, ...]:
        """Every drawn board of the game, `board` first."""
        return (self.board,)

    def called(self, site: str) -> str:
        """Return what players call a site or the thing that it stands for."""
        return site

    def called_in_sentence(self, site: str) -> Sentence | str:
        """Return the same as part of a sentence; it may be a term that pages say in the reader's language."""
        return self.called(site)

    def option(self, name: str) -> Option:
        """Return the option of this name.

        Raises:
            OptionError: the game has no such option.
        """
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(option.name for option in self.options)
        raise OptionError(
            Sentence("{title} has the options {known}, but got '{name}'.", title=self.title, known=known, name=name)
        )

    def settings(self, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """Return every option's value: the given ones after a check, and the defaults of the others.

        Raises:
            OptionError: an unknown option, or a value that the option does not take.
        """
        for name in options:
            self.option(name)
        return {o.name: o.check(options[o.name]) if o.name in options else o.default for o in self.options}

    def check_players(self, players: int) -> None:
        """Raise `OptionError` unless the game takes this number of players."""
        if players not in self.player_counts:
            raise OptionError(
                Sentence(
                    "{title} is for {expected}, but there are {players}.",
                    title=self.title,
                    expected=self._counted(),
                    players=players,
                )
            )

    @property
    @abstractmethod
    def decisive(self) -> Mapping[str, Any]:
        """What decides a game besides its options, as plain data: the rules' revision and data, but no wording."""

    @cached_property
    def rules_hash(self) -> str:
        """A hash of the rules' data and revision; a journal keeps it to know the rules of each match."""
        options = [[o.name, o.default, o.values, o.least, o.most] for o in self.options if not o.later]
        whole = {"game": self.slug, **self.decisive, "options": options}
        return hashlib.sha256(json.dumps(whole).encode()).hexdigest()

    def options_then(self, rules: str) -> Mapping[str, OptionValue]:
        """Return the options that restore the rules of an earlier `rules_hash`; "" is a record without a hash."""
        del rules
        return {}

    def as_file(self, start: Position, moves: Iterable[Throw | Choice], names: Mapping[int, str]) -> str | None:
        """Return a match as a file that other programs of this game read, None where there is no such file."""
        del start, moves, names
        return None

    def from_file(self, text: str) -> Sequence[Recorded]:
        """Return the games of a file that another program wrote; none if it is no file of this game.

        Raises:
            GameError: it is one, but cannot be played here.
        """
        del text
        return ()

    @abstractmethod
    def start(self, players: int, **options: OptionValue) -> Position:
        """Return the first position.

        Raises:
            OptionError: an unknown option or value, or a number of players that the game does not take.
        """

    @abstractmethod
    def from_json(self, data: Mapping[str, Any]) -> Position:
        """Read a position; it may have `Position.faults`.

        Raises:
            PositionFormatError: the data does not have the form that `Position.to_json` writes.
        """
