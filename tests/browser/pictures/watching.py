"""The moving picture of the README: what the camera of a running table sees, what is read, and what the referee says.

Everything in it comes from a real run, over the table's own interface: the camera's pictures, the outlines and faces of
the dice as they were read, and the referee's sentences. Only the frame around them is drawn here.
"""

import textwrap
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from companion.language.texts import load
from tests.browser.conftest import Server

THROWS = 3  # that the picture shows
PICTURE = (440, 330)
PANEL = 300
FONTS = Path(__file__).resolve().parents[3] / "calibration" / "workshop" / "fonts"
VELLUM, INK, SOFT, RUBRIC, GOOD, ASKED = "#faf5e8", "#2b1f14", "#5f4f3c", "#8f1d24", "#7cf29c", "#ffd166"
LONGEST, SHORTEST = 2.4, 0.45  # seconds of one look; a table leaves a verdict to its players for longer
MOST_BYTES = 400_000


@dataclass(frozen=True)
class Moment:
    """One moment of the run: the camera's picture, the dice as (outline, face, certain), and the words beside it."""

    picture: bytes
    dice: tuple[tuple[tuple[tuple[float, float], ...], str, bool], ...]
    turn: str
    verdict: str


def moments_of(server: Server, throws: int = THROWS) -> Iterator[tuple[Moment, float]]:
    """Yield the different moments of a run with how many seconds each lasted, until so many throws are judged."""
    before, since = None, time.monotonic()
    while True:
        state = server.state()
        if (picture := _picture(server)) is not None:
            moment = Moment(picture, _dice(state), _sentence(state["awaits"]["sentence"]), _verdict(state))
            if before is not None and moment.dice and moment.dice == before.dice:
                moment = replace(moment, picture=before.picture)  # the next hand may be seen before the state says so
            if before is not None and moment != before:
                yield before, time.monotonic() - since
                if state["match"]["throws"] >= throws and state["camera"]["phase"] != "still":
                    return
            if moment != before:
                before, since = moment, time.monotonic()
        time.sleep(0.05)


def _picture(server: Server) -> bytes | None:
    try:
        with urllib.request.urlopen(f"{server.address}/api/picture/table.jpg", timeout=60) as answer:
            return bytes(answer.read())
    except urllib.error.HTTPError:
        return None  # the camera has not sent its first picture yet


def _dice(state: Any) -> tuple[Any, ...]:
    reading = state["reading"]
    if reading is None or state["camera"]["phase"] != "still" or state["camera"]["hand"]:
        return ()
    return tuple(
        (tuple((x, y) for x, y in die["polygon"]), die["face"] or "?", die["status"] == "read")
        for die in reading["dice"]
        if die["polygon"]
    )


def _verdict(state: Any) -> str:
    if state["camera"]["phase"] == "still" and not state["camera"]["hand"] and state["throw"] is not None:
        return _sentence(state["throw"]["sentence"])
    return _sentence(state["state_sentence"])


def _sentence(sentence: Any) -> str:
    """Return a sentence as the page says it."""
    return load("en").translate(sentence)


def thinned(seen: Iterable[tuple[Moment, float]]) -> list[tuple[Moment, float]]:
    """Leave out what passes quickly while a hand or dice move: a camera's noise makes each of its pictures large."""
    kept: list[tuple[Moment, float]] = []
    for moment, seconds in seen:
        if kept and not moment.dice and kept[-1][1] < SHORTEST and kept[-1][0].verdict == moment.verdict:
            kept[-1] = (kept[-1][0], kept[-1][1] + seconds)
        else:
            kept.append((moment, seconds))
    return kept


def drawn(moment: Moment) -> Image.Image:
    """Return a look as a picture: the camera's on the left with the dice outlined, the words on the right."""
    seen = Image.open(BytesIO(moment.picture)).convert("RGB")
    wide, high = PICTURE[0] / seen.width, PICTURE[1] / seen.height
    image = Image.new("RGB", (PICTURE[0] + PANEL, PICTURE[1]), VELLUM)
    image.paste(seen.resize(PICTURE, Image.Resampling.LANCZOS), (0, 0))
    pen = ImageDraw.Draw(image)
    for outline, face, certain in moment.dice:
        corners = [(x * wide, y * high) for x, y in outline]
        colour = GOOD if certain else ASKED
        pen.line([*corners, corners[0], corners[1]], fill=colour, width=3, joint="curve")
        x, y = sum(x for x, _ in corners) / len(corners), max(y for _, y in corners)
        y = min(y + 12, PICTURE[1] - 12)
        box = pen.textbbox((x, y), face, font=_font(18), anchor="mm")
        pen.rectangle((box[0] - 5, box[1] - 3, box[2] + 5, box[3] + 3), fill="#17351f" if certain else "#4d3a05")
        pen.text((x, y), face, font=_font(18), fill=colour, anchor="mm")
    left = PICTURE[0] + 18
    pen.multiline_text((left, 18), textwrap.fill(moment.turn, 27), font=_font(20), fill=RUBRIC, spacing=6)
    pen.multiline_text((left, 120), textwrap.fill(moment.verdict, 29), font=_font(19), fill=INK, spacing=6)
    pen.text((left, PICTURE[1] - 24), "Alea, a real run of the sample table", font=_font(14), fill=SOFT)
    return image


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS / "Quattrocento-Regular.otf"), size)


def film(server: Server, out: Path) -> None:
    """Write the moving picture as WebP.

    Raises:
        AssertionError: it is larger than a README should load.
    """
    seen = thinned(moments_of(server))
    frames: Sequence[Image.Image] = [drawn(moment) for moment, _ in seen]
    lasting = [round(1000 * min(LONGEST, max(SHORTEST, seconds))) for _, seconds in seen]
    frames[0].save(
        out,
        save_all=True,
        append_images=frames[1:],
        duration=lasting,
        loop=0,
        quality=60,
        method=4,
        minimize_size=False,
    )
    assert out.stat().st_size <= MOST_BYTES, f"{out} has {out.stat().st_size} bytes"
