"""The features of a table: what the owner asks of them, and what follows the match for it. A new one is added here."""

import random
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from companion.live.board_uplink import BoardUplink
from companion.live.dice_memory.learning import Learning
from companion.live.dice_memory.match_lessons import MatchLessons
from companion.live.dice_memory.teaching import Teaching
from companion.live.following import Follower
from companion.live.inbox import Inbox
from companion.live.led_board import AS_USUAL, LedBoard, Lights
from companion.live.program_seats import ProgramSeats
from companion.live.remote_table import RemoteTable
from companion.live.sample import Sample
from companion.live.seeing import Seeing
from companion.live.shared_matches import SharedMatches
from companion.live.watching.dice_settings import Combine, WatchSettings, dice_reader
from companion.players.strengths import PAUSE_SECONDS, USUAL
from firmware_bridge.transport import Transport

if TYPE_CHECKING:
    from companion.live.audits.auditing import Auditing  # not every table draws dice


@dataclass(frozen=True)
class TableFeatures:
    """What a table has and does beside its match.

    Attributes:
        sample: the sample table that is played in place of cameras, by name; None without one.
        sample_pace: how many times its own speed a sample table is played.
        leds: an LED board, or None.
        lights: its map and its theme.
        program_pause: seconds before each throw or turn of a player who is the program.
        program_strength: how well the program plays, one of `companion.players.strengths.STRENGTHS`.
        learning: what the table remembers of its dice; None where it learns nothing. The reader uses it too.
        auditing: draws dice for the owner to look at; None where nothing is drawn.
    """

    sample: str | None = None
    sample_pace: float = 1.0
    leds: Transport | None = None
    lights: Lights = AS_USUAL
    program_pause: float = PAUSE_SECONDS
    program_strength: str = USUAL
    learning: Learning | None = None
    auditing: "Auditing | None" = None


PLAIN: Final = TableFeatures()


class RunningFeatures:
    """The features of one table as they run, with those that an owner turns to by name."""

    def __init__(self, features: TableFeatures, inbox: Inbox, chance: random.Random, shared: SharedMatches) -> None:
        """Make them; nothing runs before their `Follower.start`. ``shared``: the lines to other tables.

        Raises:
            UnknownSourceError: there is no such sample table.
        """
        self.strength = features.program_strength
        self.learning, self.auditing = features.learning, features.auditing
        self.teaching = None if features.learning is None else Teaching(features.learning)
        uplink = BoardUplink(inbox, features.lights.wiring, time.monotonic)
        self.squares = uplink.squares
        self.leds = LedBoard(features.leds, features.lights, inbox.nudge, uplink)
        self.programs = ProgramSeats(chance, inbox.nudge, features.program_pause, features.program_strength)
        self.sample = None if features.sample is None else Sample(features.sample, features.sample_pace)
        lessons = None if features.learning is None else MatchLessons(features.learning)
        self.remote = RemoteTable(inbox.nudge, shared)
        followers = (uplink, self.remote, self.leds, self.programs, self.sample, lessons, self.auditing)
        self.followers: tuple[Follower, ...] = tuple(one for one in followers if one is not None)
        """In the order in which they act: a press of the board's button counts before the program plays."""

    @property
    def sample_name(self) -> str:
        """The name of the sample table that is played, "" without one."""
        return "" if self.sample is None else self.sample.script.name

    def seeing(self, sees: Seeing) -> Seeing:
        """Return what the table looks through: a sample's frames, if it plays one, else this."""
        if self.sample is None:
            return sees
        played, over = self.sample.source, self.sample.script.board
        return replace(sees, board_source=played, board=over) if over else replace(sees, source=played)

    def watching(self, sees: Seeing, combine: Combine) -> WatchSettings:
        """Return how the dice are watched; ``combine``: joins readings of several frames of one throw."""
        reader = sees.reader or dice_reader(learning=self.learning)
        # a sample's ground never shakes, but a busy computer may show its rolling dice for long
        still = self.sample is not None and sees.source is self.sample.source
        return WatchSettings(sees.mat, reader, combine, self.learning, self.teaching, sees.lamps, restless=not still)
