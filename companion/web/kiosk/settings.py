"""The curator's settings in ``kiosk.toml``: games, languages, times and opening hours, with a sentence per fault."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, get_args

from companion.language import texts
from companion.language.sentence import N_, Sentence, Template
from companion.rules.errors import GameError
from companion.rules.game import Game
from companion.rules.options import OptionValue
from companion.rules.registry import game as game_of
from companion.settings.file import SettingsError
from companion.settings.file import read_settings as read_table
from companion.settings.record import DECLARED
from companion.web.kiosk.hours import DAY_MINUTES, WEEKDAYS, Hours, Span

Dice = Literal["auto", "camera", "tapped", "program"]

SPAN: Final = re.compile(r"(\d{1,2}):(\d\d)\s*-\s*(\d{1,2}):(\d\d)")
LINK: Final = r"https?://[^\s\x00-\x1f]+"
TIMES: Final = {
    "idle_seconds": (2.0, 3600.0, 90.0),
    "countdown_seconds": (1.0, 600.0, 30.0),
    "closing_notice_minutes": (0.0, 120.0, 10.0),
}
"""Least, most and default of each. The least are for trying it out; WCAG 2.2.1 asks for a warning of 20 seconds."""

KNOWN: Final = ("languages", *TIMES, "attract", "sound", "link", "dice", "table", "games", "hours")

LONGEST_LINK: Final = 120
"""The most characters of the museum's address: every one makes the souvenirs' codes finer."""


LONE_PLAYER: Final = 1
"""The player count of a visitor who plays against the program."""

COUNTS: Final = N_("{slug} is for {counts}, but players is {value}.")
COUNTS_OR_ALONE: Final = N_(
    "{slug} is for {counts}, or for 1 against the program, but players is {value}: list some of these."
)


def counts_of(game: Game) -> tuple[int, ...]:
    """Return the possible numbers of visitors for a game: also one, if the program can be the other player."""
    return (LONE_PLAYER, *game.player_counts) if game.program_plays else game.player_counts


@dataclass(frozen=True)
class Offer:
    """A game on offer: its slug, the numbers of players, and the options that are set.

    One player plays against the program.
    """

    game: str
    players: tuple[int, ...]
    options: Mapping[str, OptionValue] = field(default_factory=dict)


@dataclass(frozen=True)
class KioskSettings:
    """The curator's settings; times in seconds, except ``closing_notice_minutes``.

    ``link``: the address that the souvenirs name, "" for none. ``table``: settings of the table, by the names in
    `companion.settings.record.TableSettings`: they hold where the owner has chosen no others.
    """

    games: tuple[Offer, ...]
    languages: tuple[str, ...]
    idle_seconds: float = 90.0
    countdown_seconds: float = 30.0
    closing_notice_minutes: float = 10.0
    attract: bool = True
    sound: bool = False
    link: str = ""
    dice: Dice = "auto"
    hours: Hours = field(default_factory=Hours)
    table: Mapping[str, Any] = field(default_factory=dict)

    def offer(self, slug: str) -> Offer | None:
        """Return the offer of this game, or None if there is none."""
        return next((offer for offer in self.games if offer.game == slug), None)


def read_settings(text: str, more: Path | None = None) -> tuple[KioskSettings | None, list[Sentence]]:
    """Return the settings of a ``kiosk.toml`` and a sentence for each fault; None as settings if there are faults.

    ``more``: a folder with further languages, if the file names none.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as why:
        return None, [Sentence("kiosk.toml is not TOML: {why}.", why=str(why))]
    reading = _KioskReading()
    settings = reading.settings(data, more)
    return (None if reading.faults else settings), reading.faults


class _KioskReading:
    """Reads one file's data and collects its faults."""

    def __init__(self) -> None:
        self.faults: list[Sentence] = []

    def _fault(self, template: Template, /, **parts: Any) -> None:
        self.faults.append(Sentence.of(template, **parts))

    def settings(self, data: Mapping[str, Any], more: Path | None) -> KioskSettings:
        for key in data:
            if key not in KNOWN:
                self._fault(
                    N_("kiosk.toml has {key}, but knows only {known}: check its spelling."),
                    key=key,
                    known=", ".join(KNOWN),
                )
        idle, countdown, notice = (self._time(data, key) for key in TIMES)
        table = self._table(data.get("table", {}))
        there = texts.languages(Path(table["texts"]) if table.get("texts") else more)
        return KioskSettings(
            games=self._games(data.get("games")),
            languages=self._languages(data.get("languages", list(there)), there),
            dice=self._dice(data.get("dice", "auto")),
            hours=self._hours(data["hours"]) if "hours" in data else Hours(),
            idle_seconds=idle,
            countdown_seconds=countdown,
            closing_notice_minutes=notice,
            attract=self._switch(data, "attract", usual=True),
            sound=self._switch(data, "sound", usual=False),
            link=self._link(data.get("link", "")),
            table=table,
        )

    def _table(self, value: object) -> Mapping[str, Any]:
        unknown = sorted(set(value) - set(DECLARED)) if isinstance(value, Mapping) else [_shown(value)]
        if unknown or not isinstance(value, Mapping):
            self._fault(
                N_("[table] in kiosk.toml has {key}, but knows only {known}: check its spelling."),
                key=", ".join(map(str, unknown))[:60],
                known=", ".join(DECLARED),
            )
            return {}
        try:
            read = read_table(value)
        except SettingsError as why:
            self._fault(N_("[table] in kiosk.toml: {why}"), why=why.sentence)
            return {}
        return {name: getattr(read, name) for name in value}

    def _time(self, data: Mapping[str, Any], key: str) -> float:
        least, most, usual = TIMES[key]
        value = data.get(key, usual)
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            self._fault(
                N_("{key} must be a number from {least} to {most}, but is {value}."),
                key=key,
                least=f"{least:g}",
                most=f"{most:g}",
                value=_shown(value),
            )
            return usual
        return float(value)

    def _switch(self, data: Mapping[str, Any], key: str, *, usual: bool) -> bool:
        value = data.get(key, usual)
        if not isinstance(value, bool):
            self._fault(N_("{key} must be true or false, but is {value}."), key=key, value=_shown(value))
            return usual
        return value

    def _link(self, value: object) -> str:
        if isinstance(value, str) and len(value) <= LONGEST_LINK and (not value or re.fullmatch(LINK, value)):
            return value
        self._fault(
            N_(
                "link must be an address that begins with https:// or http://, of at most {most} characters, "
                "but is {value}."
            ),
            most=LONGEST_LINK,
            value=_shown(value),
        )
        return ""

    def _dice(self, value: object) -> Dice:
        known: tuple[Dice, ...] = get_args(Dice)
        for name in known:
            if value == name:
                return name
        self._fault(N_("dice must be one of {known}, but is {value}."), known=", ".join(known), value=_shown(value))
        return "auto"

    def _languages(self, value: object, there: tuple[str, ...]) -> tuple[str, ...]:
        if not isinstance(value, list) or not value or not all(isinstance(name, str) for name in value):
            self._fault(
                N_('languages must list at least one language, e.g. ["en", "de"], but is {value}.'), value=_shown(value)
            )
            return ()
        for name in value:
            if name not in there:
                self._fault(
                    N_("languages lists {name}, but there are no texts in it: there are {known}."),
                    name=name,
                    known=", ".join(there),
                )
        if len(set(value)) < len(value):
            self._fault(N_("languages lists one language twice."))
        return tuple(value)

    def _games(self, value: object) -> tuple[Offer, ...]:
        if not isinstance(value, list) or not value or not all(isinstance(entry, dict) for entry in value):
            self._fault(N_('Offer at least one game: write [[games]] and below it game = "ludus-regularis".'))
            return ()
        offers = [offer for entry in value if (offer := self._offer(entry)) is not None]
        slugs = [offer.game for offer in offers]
        for slug in sorted({slug for slug in slugs if slugs.count(slug) > 1}):
            self._fault(N_("The game {slug} is offered twice."), slug=slug)
        return tuple(offers)

    def _offer(self, entry: Mapping[str, Any]) -> Offer | None:
        slug, options = entry.get("game"), entry.get("options", {})
        for key in entry:
            if key not in ("game", "players", "options"):
                self._fault(N_("[[games]] has {key}, but knows only game, players and options."), key=key)
        try:
            game = game_of(slug) if isinstance(slug, str) else None
            if game is None or not isinstance(options, dict):
                self._fault(
                    N_('Name a game with game = "..." and its options = {{ ... }}; this one is {value}.'),
                    value=_shown(dict(entry)),
                )
                return None
            known = counts_of(game)
            players = entry.get("players", list(known))
            if not isinstance(players, list) or not players or any(count not in known for count in players):
                sentence = COUNTS_OR_ALONE if LONE_PLAYER in known else COUNTS
                self._fault(sentence, slug=slug, counts=game.counted_players, value=_shown(players))
                return None
            game.settings(options)
            for count in players:
                game.start(max(count, game.least_players), **options)
        except (GameError, TypeError) as why:
            self._fault(N_("A game that is offered cannot be played like that: {why}"), why=str(why))
            return None
        return Offer(game.slug, tuple(sorted(set(players))), dict(options))

    def _hours(self, value: object) -> Hours:
        if not isinstance(value, dict):
            self._fault(N_('[hours] must be a table of days, e.g. monday = ["10:00-17:00"].'))
            return Hours()
        for key in value:
            if key not in WEEKDAYS:
                self._fault(N_("[hours] has {key}, but the days are {days}."), key=key, days=", ".join(WEEKDAYS))
        return Hours(tuple(self._day(day, value.get(day, [])) for day in WEEKDAYS))

    def _day(self, day: str, value: object) -> tuple[Span, ...]:
        if not isinstance(value, list):
            self._fault(
                N_('{day} must list hours, e.g. ["10:00-17:00"], but is {value}.'), day=day, value=_shown(value)
            )
            return ()
        spans = [span for text in value if (span := self._span(day, text)) is not None]
        spans.sort(key=lambda span: span.begins)
        if any(one.ends > other.begins for one, other in pairwise(spans)):
            self._fault(N_("The hours of {day} overlap."), day=day)
        return tuple(spans)

    def _span(self, day: str, text: object) -> Span | None:
        found = SPAN.fullmatch(text.strip()) if isinstance(text, str) else None
        if found is None:
            self._fault(N_("Write the hours of {day} as 10:00-17:00; these are {value}."), day=day, value=_shown(text))
            return None
        begins, ends = _minutes(found.groups()[:2]), _minutes(found.groups()[2:])
        if begins is None or ends is None or begins >= ends:
            self._fault(
                N_("The hours of {day} must end after they begin, at 24:00 at the latest; these are {value}."),
                day=day,
                value=_shown(text),
            )
            return None
        return Span(begins, ends)


def _minutes(parts: Sequence[str]) -> int | None:
    hour, minute = int(parts[0]), int(parts[1])
    total = hour * 60 + minute
    return total if minute < 60 and total <= DAY_MINUTES else None  # noqa: PLR2004  (minutes of an hour)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004  (a line's worth)
