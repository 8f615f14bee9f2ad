"""The table that ``companion serve`` runs: made from its settings, it looks through other cameras when they change."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.commands.refusing import refusing
from companion.commands.serve.sights import board_profile_of, board_settings_of, chosen_lamps, known_dice, source_of
from companion.desk.table.match_desk import Reply
from companion.language.sentence import Sentence, why_of
from companion.settings.record import TableSettings

if TYPE_CHECKING:
    from companion.live.audits.auditing import Auditing
    from companion.live.dice_memory.learning import Learning
    from companion.live.seeing import Seeing
    from companion.live.table import LiveTable

OF_CAMERAS: Final = frozenset({"camera", "board_camera", "board", "board_profile", "loop", "mat", "lamps", "profile"})
"""The settings with which a table looks; a change of one of them opens its cameras again."""

TWICE: Final = Sentence("Expected two cameras, but got the same one twice: choose another one for the board.")

OF_PROGRAM: Final = frozenset({"strength", "program_pause"})


@dataclass(frozen=True)
class Start:
    """What is named at the start alone: the journal, a sample table with its pace, a kiosk's folder.

    ``own``: gives the journal of the owner's own matches, where ``journal`` is a sample's and will be deleted.
    """

    journal: Path
    own: Callable[[], Path]
    sample: str | None = None
    pace: float = 1.0
    kiosk: Path | None = None


class TableHost:
    """Holds the running table.

    ``moved``: called with the table that follows a sample's, and its journal; None where none may follow.
    """

    def __init__(self, settings: TableSettings, start: Start) -> None:
        """Make and start the table; its cameras wait until `start_cameras`.

        Raises:
            click.ClickException: it cannot be made from these settings; the text says why.
        """
        self._start = start
        self._sample = start.sample
        self._learning: Learning | None = None
        self.moved: Callable[[LiveTable, Path], None] | None = None
        self.table = self._begin(start.journal, settings, start.sample, cameras=False)

    def start_cameras(self) -> None:
        """Start the cameras, once the page has answered: what they read would make its first visitor wait."""
        self.table.start_cameras()

    @property
    def plays_sample(self) -> bool:
        """Whether the table is a sample's."""
        return self._sample is not None

    def apply(self, settings: TableSettings, changed: frozenset[str]) -> Reply | None:
        """Let changed settings take effect; return what a refused or finished change of cameras says, else None."""
        if changed & OF_PROGRAM:
            self.table.upkeep.play_programs(settings.strength, settings.program_pause)
        if not changed & OF_CAMERAS:
            return None
        if settings.board_camera is not None and settings.board_camera == settings.camera:
            return Reply(ok=False, sentence=TWICE)
        from companion.vision.sources.source import SourceError

        try:
            if self._sample is not None:
                return self._leave_sample(settings)
            return self.table.use_cameras(self._seeing(settings, self._learning))
        except (SourceError, ValueError) as why:
            return Reply(ok=False, sentence=why_of(why))
        except click.ClickException as why:
            return Reply(ok=False, sentence=Sentence("{text}", text=why.message))

    def _leave_sample(self, settings: TableSettings) -> Reply:
        """End the sample; the owner's own table begins, with the matches that its own journal holds."""
        if self.moved is None:
            return Reply(
                ok=False,
                sentence=Sentence("This table plays a sample: start it without --sample to use a camera."),
            )
        self._seeing(settings, None)  # what is wrong with the camera must not end the sample
        before, path = self.table, self._start.own()
        shared = path == self._start.journal or settings.leds != "none"
        if shared:
            before.stop()
        self.table, self._sample = self._begin(path, settings, None, after=before.snapshot().version), None
        self.moved(self.table, path)
        if not shared:
            before.stop()
        return Reply(ok=True, sentence=Sentence("The table looks through this camera now."))

    def _seeing(self, settings: TableSettings, learning: "Learning | None") -> "Seeing":
        """Open what the table looks through, and how it reads.

        What needs a camera, such as lamps, waits while there is none.

        Raises:
            SourceError: there is no such camera.
            click.ClickException: there is no such profile, or no such lamps.
        """
        from companion.live.board_side import AUTO
        from companion.live.seeing import Seeing
        from companion.live.watching.dice_settings import dice_reader
        from companion.vision.mat import Mat

        seen = settings.board is not None or settings.board_camera is not None
        known = board_profile_of(settings.board_profile) if seen else None
        held = None if known is None else known.camera
        over_dice, over_board, kiosk = settings.camera, settings.board_camera, self._start.kiosk
        board = settings.board
        if over_board is not None and over_board == over_dice:  # kept at different times: one camera sees both
            over_board, board = None, board or AUTO
        profile = known_dice(settings.profile)
        if learning is not None:
            learning.start_with(profile)
        source = (
            None if over_dice is None else source_of(over_dice, kiosk, None if over_board else held, loop=settings.loop)
        )
        return Seeing(
            source,
            Mat() if settings.mat == "whole" else None,
            # in a kiosk the first visitor must not wait for the reader
            dice_reader(profile, warm=kiosk is not None and source is not None, learning=learning),
            board,
            None if over_board is None else source_of(over_board, kiosk, held, loop=settings.loop),
            board_settings_of(known),
            None if over_dice is None else chosen_lamps(settings.lamps),
        )

    def _begin(
        self, journal: Path, settings: TableSettings, sample: str | None, *, after: int = 0, cameras: bool = True
    ) -> "LiveTable":
        from companion.commands.leds.kept import lights
        from companion.commands.leds.session import chosen_board
        from companion.ledger.entries import JournalError
        from companion.live.features import TableFeatures
        from companion.live.led_board import AS_USUAL
        from companion.live.seeing import Seeing
        from companion.live.table import LiveTable
        from companion.vision.sources.source import SourceError

        leds = None if settings.leds == "none" else chosen_board(settings.leds, settings.most_ma)
        with refusing(SourceError):
            self._learning = None if sample is not None else _learning(journal, settings)
            sees = self._seeing(settings, self._learning) if sample is None else Seeing()
            table = LiveTable(
                journal,
                sees,
                TableFeatures(
                    sample=sample,
                    sample_pace=self._start.pace,
                    leds=leds,
                    lights=lights(settings.leds_map, settings.leds_theme) or AS_USUAL,
                    learning=self._learning,
                    auditing=None if sample is not None else _auditing(journal, self._learning, settings),
                    program_strength=settings.strength,
                    program_pause=settings.program_pause,
                ),
                keeping=settings.keeping,
                first_version=after,
            )
        try:
            table.start(cameras=cameras)
        except (JournalError, OSError) as error:
            raise click.ClickException(f"The journal {journal} cannot be used: {error}") from error
        table.upkeep.leds.dim(settings.lights)
        return table


def _learning(journal: Path, settings: TableSettings) -> "Learning":
    """Return what the table remembers of its dice."""
    from companion.live.dice_memory.folder import MemoryFolder
    from companion.live.dice_memory.learning import Learning

    return Learning(MemoryFolder(journal.with_suffix(".memory")), on=settings.learning)


def _auditing(journal: Path, learning: "Learning | None", settings: TableSettings) -> "Auditing":
    """Return what draws dice that were read without a question, for the owner to look at."""
    from companion.live.audits.auditing import Auditing

    seed = partial(secrets.randbits, 48)
    return Auditing(journal, time.time, seed, learning=learning, on=settings.audits)
