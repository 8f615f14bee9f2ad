"""The LED board of a running table: its thread draws what the match means, and the game never waits for it."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.desk.lights.marks import DARKNESS, LightMarker, LightMarks
from companion.desk.lights.theme import Rhythm, Theme, theme
from companion.desk.lights.usual_wiring import usual_wiring
from companion.desk.page.lights import LightsNow, lights_part
from companion.desk.page.table import FeatureParts
from companion.desk.shapes.table import LightsShape
from companion.live.board_uplink import BoardUplink
from companion.live.following import Follower, MatchNow
from companion.referee.match import Match
from companion.rules.game import Game
from firmware_bridge.driver import Driver
from firmware_bridge.driver import State as LedState
from firmware_bridge.frame import DARK, LEAST_BRIGHTNESS, Colour, LedFrame
from firmware_bridge.phrase import Phrase
from firmware_bridge.transport import NoBoard, Transport
from firmware_bridge.wiring import Wiring

log = logging.getLogger(__name__)

TRY_AGAIN_SECONDS: Final = 0.5
"""Seconds between two checks of the board's state, which its driver finds out by itself."""

AFTER_TROUBLE: Final = 1.0
"""Seconds to wait after an unexpected error, so that it cannot fill the log."""


@dataclass(frozen=True)
class Lights:
    """How an LED board is used. ``wiring``: its map, None for the usual one; ``theme``: None for the standard."""

    wiring: Wiring | None = None
    theme: Theme | None = None


AS_USUAL: Final = Lights()


TRIAL: Final = (Colour(160, 0, 0), Colour(0, 160, 0), Colour(0, 0, 160), Colour(90, 90, 90))
"""The colours that all LEDs show during a trial, one after the other: they show at once a dead part of an LED, or a
wrong order."""

TRIAL_STEP: Final = 1.2
"""Seconds of each colour of a trial: slow enough to look over the board, and far from flashing."""


class LedBoard(Follower):
    """Shows what a match means on an LED board, or does nothing without one. Nothing here waits for the board."""

    def __init__(
        self,
        transport: Transport | None,
        lights: Lights,
        changed: Callable[[], None],
        uplink: BoardUplink | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``changed`` is called from this board's thread when the board came or went; ``uplink`` receives its events.

        ``clock``: in seconds, with any start.
        """
        self._transport = transport or NoBoard()
        self._there = not isinstance(self._transport, NoBoard)
        self._driver: Driver | None = None  # made by `start`: it holds resources of the system
        self._changed = changed
        self._uplink = uplink
        self._own = lights.wiring
        self._theme = lights.theme or theme()
        self._marker = LightMarker()
        self._marks = DARKNESS  # the newest marks; for the writer's thread alone
        self._clock = clock
        self._turn = threading.Condition()
        self._rhythm = Rhythm(self._theme)  # guarded by _turn, as is what follows
        self._wiring = lights.wiring
        self._game: Game | None = None
        self._longest = 0  # LEDs of the longest frame so far: a shorter one would leave the others lit
        self._share = 1.0  # of the brightness that the theme has
        self._tried: float | None = None  # when a trial began
        self._redraw = False  # whether to draw although nothing else is new
        self._ending = False
        self._state = LedState.WAITING
        self._trouble: str | None = None
        self._notice: Phrase | None = None
        self._thread = threading.Thread(target=self._run, name="lights", daemon=True)

    def start(self) -> None:
        """Begin to show."""
        if self._there:
            self._driver = Driver(self._transport)
            if self._uplink is not None:
                self._driver.listen(self._uplink.hear)
            self._driver.start()
            self._thread.start()

    def stop(self) -> None:
        """Show darkness and let go of the board."""
        with self._turn:
            self._ending = True
            self._turn.notify_all()
        if self._driver is not None:
            self._thread.join()
            if self._longest:
                self._driver.show(LedFrame((DARK,) * self._longest))
            self._driver.stop()

    def publish(self, now: MatchNow) -> FeatureParts:
        """Show from now on what the match means in this state of the table, and nothing while the table rests."""
        if not self._there:
            return {}
        self._marks = DARKNESS if now.suspended else self._marker.marks(now.match, now.state, now.finding)
        self._show(None if now.match is None else now.match.game, self._marks)
        return {"lights": self._part(now.match)}

    def shown(self) -> dict[str, list[int]] | None:
        """Return the red, green and blue of each site, as a screen has them; None unless the board is simulated."""
        colours = self._transport.shown()
        if colours is None:
            return None
        with self._turn:
            sites = {} if self._wiring is None else self._wiring.sites
        first = {site: leds[0] for site, leds in sites.items() if leds and leds[0] < len(colours)}
        return {site: [colours[led].red, colours[led].green, colours[led].blue] for site, led in first.items()}

    def dim(self, share: float) -> None:
        """Show every colour at this share of its brightness, from `LEAST_BRIGHTNESS` to 1; at once."""
        with self._turn:
            self._share = min(max(share, LEAST_BRIGHTNESS), 1.0)
            self._redraw = True
            self._turn.notify_all()

    def try_out(self) -> bool:
        """Show red, green, blue and white on every LED, then what the match means; return whether there is a board."""
        with self._turn:
            if not self._there:
                return False
            self._tried = self._clock()
            self._turn.notify_all()
            return True

    def threads(self) -> list[threading.Thread]:
        """Return the threads that must be alive while there is a board."""
        return [self._thread] if self._there and self._thread.ident is not None else []

    def _show(self, game: Game | None, marks: LightMarks) -> None:
        with self._turn:
            if game is not self._game:
                self._game = game
                self._wiring = self._own or (self._wiring if game is None else usual_wiring(game.slug))
            self._rhythm.want(marks)
            self._turn.notify_all()

    def _part(self, match: Match | None) -> LightsShape:
        """Return the page's part on the lights. ``match``: the one that is shown."""
        with self._turn:
            wiring, game = self._wiring, self._game
        now = LightsNow(
            self._transport.name,
            str(self._state),
            self._state is LedState.LIVE,
            self._trouble,
            self._notice,
            self._theme,
            self._marks,
            wiring,
            game,
            drawn=self._transport.shown() is not None,
        )
        pressed = None if self._uplink is None else self._uplink.pressed
        squares = None if self._uplink is None else self._uplink.followed
        return lights_part(match, now, None if pressed is None else pressed.to_json(match), squares)

    def _run(self) -> None:
        driver = self._driver
        assert driver is not None, "it is made before this thread"
        while True:
            with self._turn:
                if self._ending:
                    return
                frame = self._trial()
                due = self._rhythm.due(self._clock())
                if frame is not None:
                    self._turn.wait(TRIAL_STEP / 4)
                elif self._redraw or due == 0:
                    self._redraw = False
                    frame = self._frame(self._rhythm.draw(self._clock()))
                else:
                    self._turn.wait(TRY_AGAIN_SECONDS if due is None else min(due, TRY_AGAIN_SECONDS))
            try:
                if frame is not None:
                    driver.show(frame)
                self._report(driver.state, driver.trouble, driver.notice)
            except Exception:
                log.exception("the lights go on after this")
                time.sleep(AFTER_TROUBLE)

    def _trial(self) -> LedFrame | None:
        """Return the frame of a trial, None without a trial; after the trial, what the match means is drawn again."""
        if self._tried is None:
            return None
        step = int((self._clock() - self._tried) / TRIAL_STEP)
        if step >= len(TRIAL):
            self._tried, self._redraw = None, True
            return None
        board = None if self._driver is None else self._driver.board
        reported = None if board is None else board.leds
        count = reported or (0 if self._wiring is None else self._wiring.leds) or self._longest or 1
        self._longest = max(self._longest, count)
        return LedFrame((TRIAL[step].dimmed(self._share),) * self._longest)

    def _frame(self, colours: dict[str, Colour]) -> LedFrame:
        # before the first match one dark LED is sent: a board that shows effects of its own then ends them
        dimmed = {site: colour.dimmed(self._share) for site, colour in colours.items()}
        frame = LedFrame((DARK,)) if self._wiring is None else self._wiring.frame(dimmed)
        self._longest = max(self._longest, len(frame.colours))
        return LedFrame((*frame.colours, *[DARK] * (self._longest - len(frame.colours))))

    def _report(self, state: LedState, trouble: str | None, notice: Phrase | None) -> None:
        """Report that the board has come or gone, or that a person should know something about it."""
        if (state, trouble, notice) != (self._state, self._trouble, self._notice):
            self._state, self._trouble, self._notice = state, trouble, notice
            self._changed()
