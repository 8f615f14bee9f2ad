"""Make a map by asking: light one LED at a time, and a person names the site that it lights. No input or output."""

from collections.abc import Sequence
from typing import Final

from firmware_bridge.frame import Colour, LedFrame
from firmware_bridge.wiring import Wiring, WiringError

BACK, SKIP, SAME, END = "<", "-", "+", "."
"""Possible answers besides a site's name: go back one LED, this one lights none, as the LED before, enough."""

LIT: Final = Colour(255, 255, 255)
"""The LED of the question."""

KNOWN: Final = Colour(0, 60, 40)
"""LEDs with a known site: they show how far the map has come."""


class Guide:
    """Goes through the LEDs of a chain, from the first one without a known site.

    ``order``: the expected order of the sites along the wire: a person who follows it need not type a name. After
    another answer the proposals continue from there, backwards if two answers went that way.
    """

    def __init__(self, wiring: Wiring, order: Sequence[str], each: int = 1, others: Sequence[str] = ()) -> None:
        """``wiring``: what is known already, with all the LEDs of the chain; ``each``: how many LEDs each site has.

        ``others``: sites that a person may name but the guide never proposes.

        Raises:
            WiringError: a site of the map is not a site of the board.
        """
        self._names = [*order, *(site for site in others if site not in order)]
        strangers = [site for site in wiring.sites if site not in self._names]
        if strangers:
            raise WiringError(
                f"The map {wiring.name} has the site {strangers[0]}, which this board has not: begin another map."
            )
        self._made_of = wiring
        self._order = list(order)
        self._each = each
        self._sites: list[str | None] = [None] * wiring.leds
        for site, leds in wiring.sites.items():
            for led in leds:
                self._sites[led] = site
        known = [led for led, site in enumerate(self._sites) if site is not None]
        self.led = known[-1] + 1 if known else 0
        """The LED of the present question."""
        self.ended = False
        """Whether there are no more questions: the person had enough, or no LED is left."""
        self._end_of_chain()

    @property
    def proposed(self) -> str | None:
        """The site that this LED lights if the wire runs in the expected order, or None past its end."""
        before = [site for site in self._sites[: self.led] if site is not None]
        if not before:
            return self._order[0] if self._order else None
        last = before[-1]
        if last not in self._order:
            return None
        if before.count(last) < self._each:
            return last
        index = self._order.index(last) + self._step(before)
        return self._order[index] if 0 <= index < len(self._order) and self._order[index] not in before else None

    def _step(self, before: Sequence[str]) -> int:
        runs = [site for site in dict.fromkeys(before) if site in self._order]
        if len(runs) < 2:  # noqa: PLR2004  (a direction needs two)
            return -1 if runs == self._order[-1:] else 1
        return -1 if self._order.index(runs[-1]) - self._order.index(runs[-2]) == -1 else 1

    @property
    def wiring(self) -> Wiring:
        """The map so far."""
        sites = {
            site: tuple(led for led, lit in enumerate(self._sites) if lit == site)
            for site in self._names
            if site in self._sites
        }
        return Wiring(self._made_of.name, self._made_of.board, self._made_of.leds, sites, self._made_of.squares)

    @property
    def missing(self) -> list[str]:
        """The sites that have no LED yet."""
        return [site for site in self._order if site not in self._sites]

    def frame(self) -> LedFrame:
        """Return the frame that lights the LED of the question, and faintly those with a known site."""
        known = self.wiring.frame(dict.fromkeys(self._names, KNOWN)).colours
        return LedFrame(tuple(LIT if led == self.led else colour for led, colour in enumerate(known)))

    def answer(self, text: str) -> None:
        """Take an answer: the name of a site, nothing for the proposed one, or one of the signs above.

        Raises:
            WiringError: it names no site of this board, no site is proposed, or no LED before it fits.
        """
        match text.strip():
            case "" if self.proposed is None:
                raise WiringError(f"No site is proposed here: type its name, {SKIP} for none or {END} to end.")
            case "":
                self._set(self.proposed)
            case sign if sign == BACK:
                if self.led == 0:
                    raise WiringError("This is the first LED: there is none to go back to.")
                self.led -= 1
                self._sites[self.led] = None
            case sign if sign == SKIP:
                self._set(None)
            case sign if sign == SAME:
                if self.led == 0 or self._sites[self.led - 1] is None:
                    raise WiringError("The LED before this one lights no site: type the name of this one's.")
                self._set(self._sites[self.led - 1])
            case sign if sign == END:
                self.ended = True
            case name:
                self._set(self._named(name))

    def _named(self, name: str) -> str:
        found = [site for site in self._names if site.lower() == name.lower()]
        if name in found:
            return name
        if len(found) != 1:
            some = ", ".join(self._order[:3])
            raise WiringError(f"Expected a site of this board, such as {some}, but got {name!r}.")
        return found[0]

    def _set(self, site: str | None) -> None:
        self._sites[self.led] = site
        self.led += 1
        self._end_of_chain()

    def _end_of_chain(self) -> None:
        self.ended = self.ended or self.led >= len(self._sites)
