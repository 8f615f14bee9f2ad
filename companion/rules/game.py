"""The contract that every game keeps: games, positions, choices and outcomes."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol, Self, TypedDict

from companion.language.sentence import Listing, Sentence, player
from companion.rules.board import Board
from companion.rules.dice import Throw, all_throws
from companion.rules.errors import OptionError, Refusal
from companion.rules.family import Family
from companion.rules.options import Option, OptionValue


@dataclass(frozen=True)
class Await:
    """What a position waits for.

    ``throw``: all the dice named, of any one of the ``dice_sets`` named. ``recast``: exactly one die of those
    named, of the player's choice. ``choice``: one of `Position.legal`. ``over``: nothing more.
    """

    kind: Literal["throw", "recast", "choice", "over"]
    player: int
    sentence: Sentence
    dice_sets: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winners (several when the win is shared), why, and the game's own particulars."""

    winners: tuple[int, ...]
    why: Sentence
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def tie(self) -> bool:
        """Whether more than one player shares the win."""
        return len(self.winners) > 1


@dataclass(frozen=True)
class Account:
    """What one throw or choice came to: the sentence to say, the sites it changed, and the game's own particulars."""

    sentence: Sentence
    sites: tuple[str, ...]
    details: Mapping[str, Any]


class Choice(Protocol):
    """The smallest thing a hand does that is not a throw. ``str()`` is the text a player reads and types."""

    def __str__(self) -> str: ...
    def __hash__(self) -> int: ...
    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        ...


class Choices(ABC):
    """Every legal choice of a position: found only as far as asked for; ``in`` does not list them all."""

    @abstractmethod
    def __iter__(self) -> Iterator[Choice]: ...

    @abstractmethod
    def __contains__(self, choice: object) -> bool: ...

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True)
class Play:
    """A whole turn: the position it leads to, and one of the ways to get there, choice by choice."""

    choices: tuple[Choice, ...]
    position: "Position"


@dataclass(frozen=True)
class Glossary:
    """What a rule card lists beside the rules: a name and what it is called, entry by entry."""

    title: str
    entries: Mapping[str, str]


NAMELESS: Mapping[int, str] = {}
"""No player is known by name."""


class BoardNotes(TypedDict, total=False):
    """What a page draws beside the men; each where a game has it.

    ``held``: the men that each player has taken and holds. ``claims``: the kinds of capture that may be claimed now.
    ``sides``: each player's side. ``free``: the side to play where every man may go anywhere.
    """

    held: dict[str, list[dict[str, Any]]]
    claims: list[str]
    sides: dict[str, int]
    free: int


class Position(ABC):
    """An immutable, hashable state of a game. Players are numbered from 1."""

    @property
    @abstractmethod
    def game(self) -> "Game":
        """The game that this is a position of."""

    @property
    @abstractmethod
    def players(self) -> int:
        """How many play."""

    @property
    @abstractmethod
    def options(self) -> Mapping[str, OptionValue]:
        """Every option's value, defaults included."""

    @property
    @abstractmethod
    def awaits(self) -> Await:
        """Who is to do what."""

    @property
    def side(self) -> int:
        """Whose men whoever is to play moves: a side where teams play, else the player."""
        return self.awaits.player

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The end, or None while the game goes on."""

    @abstractmethod
    def legal(self) -> Choices:
        """Return the legal choices; empty while a throw is awaited and nothing else may be done."""

    @property
    def conceals(self) -> bool:
        """Whether finding what may be chosen is part of the game, so that not every legal choice is shown."""
        return False

    def open_choices(self) -> Iterator[Choice]:
        """Give the legal choices that may be shown to everybody; all of them, unless the game `conceals` some."""
        return iter(self.legal())

    def listed_choices(self) -> Iterator[Choice]:
        """Give the open choices that a page lists; not those that it lets people point out, where any man may go."""
        return self.open_choices()

    @abstractmethod
    def refusal(self, move: "Throw | Choice") -> Refusal | None:
        """Return which rule forbids this throw or choice here, and the error that `after` raises; None if allowed."""

    def why_not(self, move: "Throw | Choice") -> Sentence | None:
        """Say which rule forbids this throw or choice here, or None if it is allowed."""
        refusal = self.refusal(move)
        return None if refusal is None else refusal[1]

    def check_legal(self, move: "Throw | Choice") -> None:
        """Raise what `refusal` returns, if anything."""
        refusal = self.refusal(move)
        if refusal is not None:
            error, said = refusal
            raise error(said, self)

    def after(self, move: "Throw | Choice") -> Self:
        """Return the position after a throw or choice.

        Raises:
            WrongThrowError, IllegalChoiceError, GameOverError: with position, expected and got.
        """
        self.check_legal(move)
        return self.applied(move)

    @abstractmethod
    def applied(self, move: "Throw | Choice") -> Self:
        """Return the position after a throw or choice that was just checked: `refusal` is not asked again."""

    def account(self, move: "Throw | Choice") -> Account:
        """Say what this throw or choice comes to here (before it is applied). Raises as `after`."""
        self.check_legal(move)
        return self.accounted(move)

    @abstractmethod
    def accounted(self, move: "Throw | Choice") -> Account:
        """Say what a throw or choice comes to that was just checked: `refusal` is not asked again."""

    def standing(self) -> Outcome:
        """Return how the match ends if the players agree to end it here: as a rule, whoever has the most wins."""
        counted = self.scores()
        most = max(counted.values())
        leaders = tuple(number for number, count in counted.items() if count == most)
        if len(leaders) > 1:
            return Outcome(leaders, Sentence("The win is shared with {count} each.", count=most))
        return Outcome(leaders, Sentence("{winner} has most, {count}.", winner=player(leaders[0]), count=most))

    def passed(self) -> "Position | None":
        """Return the position once whoever is to play lets the turn (or the recast) go by, or None if that cannot be.

        No rule of play: a referee needs it when a throw is voided of which later throws are to keep their players.
        """
        return None

    def text(self, move: "Throw | Choice") -> str:
        """Return the text form of a throw or choice as it would be typed here; `parse` reads it back."""
        return str(move)

    def throws(self) -> Sequence[Throw]:
        """Return every throw that could be handed in here, each as likely as the next (of one dice set if several do).

        For a recast these are the faces of each die that may be taken.
        """
        waits = self.awaits
        if waits.kind == "throw":
            return all_throws(waits.dice_sets[0], waits.dice)
        if waits.kind == "recast":
            return [throw for name in waits.dice for throw in all_throws(waits.dice_sets[0], (name,))]
        return ()

    def plays(self) -> Sequence[Play]:
        """Return the whole turns that may be played from here, one for each position that a turn can lead to.

        Where every choice is a turn of its own, the plays are the choices.
        """
        found: dict[Position, Play] = {}
        for choice in self.legal():
            reached = self.applied(choice)
            found.setdefault(reached, Play((choice,), reached))
        return tuple(found.values())

    def teaching(self) -> Sequence[Sentence]:
        """Return what a learner may be told here and an opponent should not be: shown only on request."""
        return ()

    def drawn(self, names: Mapping[int, str] = NAMELESS) -> str:
        """Return the board in plain text, several lines, as it is shown at a prompt; ``names`` are the players' own."""
        del names
        return "\n".join(f"{self.game.called(site)}: {what}" for site, what in self.occupancy().items())

    @abstractmethod
    def parse(self, text: str) -> "Throw | Choice":
        """Read the text form of a throw or choice as it would be typed here.

        Raises:
            ThrowError, IllegalChoiceError: what was expected, and what came.
        """

    def meant(self, text: str) -> "Sequence[Throw | Choice]":
        """Return every throw or choice that a text can stand for here, allowed or not; `parse` wants one that is.

        Raises:
            ThrowError, IllegalChoiceError: as `parse`.
        """
        return (self.parse(text),)

    @abstractmethod
    def move_from_json(self, data: Mapping[str, Any]) -> "Throw | Choice":
        """Read the JSON form of a throw or choice."""

    @abstractmethod
    def occupancy(self) -> Mapping[str, Any]:
        """Return what stands on each occupied site."""

    def seen_from_above(self) -> Mapping[str, Any]:
        """Return of `occupancy` what a camera should see."""
        return self.occupancy()

    def board_notes(self) -> BoardNotes:
        """Return what the page draws beside the men that stand on the board, as plain JSON by its name."""
        return {}

    @abstractmethod
    def scores(self) -> Mapping[int, int]:
        """Return each player's count as the game counts it."""

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
    player_counts: tuple[int, ...]
    """How many can play, in ascending order; two sides of equal teams, say, take 2, 4 or 6."""
    options: tuple[Option, ...]
    board: Board
    family: Family
    """What the floors above know of the games of this kind."""
    kit_parts: tuple[str, ...] = ()
    """The men or tokens of the printable kit with which it is played, beside board and dice."""
    teaches: bool = False
    """Whether a learner can be told something in this game: whether `Position.teaching` ever says anything."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and other.slug == self.slug

    def __hash__(self) -> int:
        return hash(self.slug)

    def __repr__(self) -> str:
        return f"<game {self.slug}>"

    @property
    def least_players(self) -> int:
        """How many play at least."""
        return self.player_counts[0]

    @property
    def most_players(self) -> int:
        """How many can play at most."""
        return self.player_counts[-1]

    @property
    def counted_players(self) -> str:
        """How many can play, in words: ``"2 to 6 players"``, ``"2, 4 or 6 players"``."""
        return str(self._counted())

    def _counted(self) -> Sentence:
        if len(self.player_counts) > 1 and self.player_counts == tuple(
            range(self.least_players, self.most_players + 1)
        ):
            return Sentence("{least} to {most} players", least=self.least_players, most=self.most_players)
        return Sentence("{counts} players", counts=Listing(self.player_counts, "or"))

    @property
    def story(self) -> Sentence:
        """What the game is about, in three sentences for somebody who has never heard of it."""
        return Sentence("{title}", title=self.title)

    @property
    def reading(self) -> Sentence | None:
        """How the game is read here where its source leaves something open, or None where nothing is to be said."""
        return None

    @property
    def how_to_play(self) -> tuple[Sentence, ...]:
        """How a turn goes and how the game is won, step by step, as it is played where nothing else is agreed."""
        return ()

    @property
    def glossary(self) -> Glossary | None:
        """What somebody at the table looks up, or None where nothing is."""
        return None

    def where_it_lies(self, picture_of: Callable[[str], str]) -> Sentence:
        """Say where the board's first site lies before a camera; ``picture_of`` tells the picture's name of a site.

        This is said of a board that lies as named or turned by half.
        """
        first = self.board.sites[0].name
        side = Sentence("at the left") if picture_of(first) == first else Sentence("at the right")
        return Sentence("square {site} lies {where}", site=first, where=side)

    @property
    def boards(self) -> tuple[Board, ...]:
        """Every board that the game is drawn on, `board` first."""
        return (self.board,)

    def called(self, site: str) -> str:
        """Return what players call a site or the thing that stands for it there."""
        return site

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
            Sentence(
                "{title} has the options {known}, but '{name}' was given.", title=self.title, known=known, name=name
            )
        )

    def settings(self, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """Return every option's value: those given, checked, and the defaults of the others.

        Raises:
            OptionError: an unknown option, or a value that it does not take.
        """
        for name in options:
            self.option(name)
        return {o.name: o.check(options[o.name]) if o.name in options else o.default for o in self.options}

    def check_players(self, players: int) -> None:
        """Raise `OptionError` unless so many can play."""
        if players not in self.player_counts:
            raise OptionError(
                Sentence(
                    "{title} takes {expected}, but {players} came.",
                    title=self.title,
                    expected=self._counted(),
                    players=players,
                )
            )

    @property
    @abstractmethod
    def decisive(self) -> Mapping[str, Any]:
        """What decides a game beside its options, as plain data: the rules' revision and their data, but no wording."""

    @cached_property
    def rules_hash(self) -> str:
        """A hash over the rules' data and revision, kept by a journal to know by which rules it was played."""
        options = [[o.name, o.default, o.values, o.least, o.most] for o in self.options]
        whole = {"game": self.slug, **self.decisive, "options": options}
        return hashlib.sha256(json.dumps(whole).encode()).hexdigest()

    def options_then(self, rules: str) -> Mapping[str, OptionValue]:
        """Return the options that bring back the rules of an earlier `rules_hash`; "" is a record that keeps none."""
        del rules
        return {}

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
            PositionFormatError: the text is not of the form that `Position.to_json` writes.
        """
