"""The settings of a running table, each declared once: its type with bounds, its default, its title and its option."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from companion.desk.command import Refusal
from companion.language.sentence import N_, Sentence
from companion.live.keeping import MOST_DAYS, Keeping, KeepingError, Which
from companion.players.strengths import PAUSE_SECONDS, USUAL
from firmware_bridge.frame import LEAST_BRIGHTNESS

Board = Literal["auto", "tables", "rithmomachia", "8x14", "8x9", "rim", "pairs", "wheel"]
Strength = Literal["child", "beginner", "club", "master"]

NO_LANGUAGES: Final = Sentence("Expected a list of languages, such as en and de.")
NO_SHARE: Final = Sentence(
    "Expected {least} to 100 percent of the lights' brightness: nobody sees darker ones.",
    least=round(LEAST_BRIGHTNESS * 100),
)
NO_AUDITS: Final = Sentence("Expected true or false for whether dice are picked for checks.")
NO_CHOICE: Final = Sentence("Expected true or false for whether the table learns its dice.")


class KeptPictures(Struct, frozen=True):
    """Which pictures are kept on the disk, and for how long."""

    keep: Annotated[Which, Meta(description="Of which throws and boards.")] = "never"
    days: Annotated[int, Meta(ge=1, le=MOST_DAYS, description="For how many days.")] = Keeping.days


def _not_kept(asked: Any, _: Mapping[str, Any]) -> Sentence:
    if isinstance(asked, Mapping):
        try:
            Keeping(asked.get("keep", "never"), asked.get("days", Keeping.days))
        except KeepingError as why:
            return why.sentence
    return Sentence("Expected which pictures are kept, and for how many days.")


def _option(spelling: str, title: str, description: str, *, running: bool = False, metavar: str = "NAME") -> Meta:
    """Declare a setting that an option sets as well.

    ``title``: what the owner's page calls it; ``description``: the help of the option; ``running``: whether a change
    takes effect at once, and not only after the next start.
    """
    extra = {"option": spelling, "running": running, "metavar": metavar}
    return Meta(title=title, description=description, extra=extra)


class TableSettings(Struct, frozen=True):
    """What a table is set to. A field without an option is chosen on the owner's pages only."""

    camera: Annotated[
        str | None,
        _option(
            "--camera",
            N_("Camera over the dice"),
            "0, /dev/video0, http://..., rtsp://..., a video, a folder, or push.",
            running=True,
            metavar="SOURCE",
        ),
    ] = None
    board_camera: Annotated[
        str | None,
        _option(
            "--board-camera",
            N_("Camera over the board"),
            "A separate camera over the board, named like that of --camera; without --camera, the dice are tapped in.",
            running=True,
            metavar="SOURCE",
        ),
    ] = None
    board: Annotated[
        Board | None,
        _option(
            "--board",
            N_("Board that the camera sees"),
            "The camera also sees this board and follows the men on it; auto means the board of the game being played.",
            running=True,
        ),
    ] = None
    board_profile: Annotated[
        str | None,
        _option(
            "--board-profile",
            N_("Profile of the board"),
            "A profile made by `companion calibrate board`: the camera follows the board from there and notices "
            "knocks.",
            running=True,
        ),
    ] = None
    loop: Annotated[
        bool,
        _option(
            "--loop",
            N_("Play a recording again"),
            "Play a folder or video again when it ends; otherwise its last picture stays.",
            running=True,
        ),
    ] = False
    mat: Annotated[
        Literal["auto", "whole"],
        _option(
            "--mat",
            N_("Part of the picture that counts"),
            "auto looks for a tray or mat in the first picture and keeps nothing outside it; whole uses all of it.",
            running=True,
        ),
    ] = "auto"
    lamps: Annotated[
        str | None,
        _option(
            "--lamps",
            N_("Two lamps over the dice"),
            "Two lamps over the dice, lit one at a time when a picture leaves a question: wled://HOST for two "
            "segments of one WLED strip, or two strips with a comma between them.",
            metavar="STRIPS",
            running=True,
        ),
    ] = None
    profile: Annotated[
        str | None,
        _option(
            "--profile",
            N_("Looks of your own dice"),
            "Read your own dice as `companion learn` learnt them.",
            running=True,
        ),
    ] = None
    game: Annotated[
        str | None,
        _option(
            "--game",
            N_("Game that the form offers first"),
            "The game that the form for a new match offers first.",
            metavar="SLUG",
            running=True,
        ),
    ] = None
    strength: Annotated[
        Strength,
        _option("--strength", N_("Strength of the program"), "How well the program plays in its seats.", running=True),
    ] = USUAL  # type: ignore[assignment]  # one of them
    program_pause: Annotated[
        float,
        Meta(ge=0, le=60),
        _option(
            "--program-pause",
            N_("Pause before the program's turns, in seconds"),
            "How long the program waits before each throw and turn of its own; within a turn it goes on sooner.",
            metavar="SECONDS",
            running=True,
        ),
    ] = PAUSE_SECONDS
    leds: Annotated[
        str,
        _option(
            "--leds",
            N_("Board of lights"),
            "LEDs on the board: auto, none, simulated, a serial port, wled://HOST or ddp://HOST.",
            metavar="BOARD",
        ),
    ] = "none"
    leds_map: Annotated[
        str | None,
        _option(
            "--leds-map",
            N_("Map of the lights"),
            "Which LED lights which site, as recorded by `companion leds map`.",
        ),
    ] = None
    leds_theme: Annotated[
        str,
        _option(
            "--leds-theme",
            N_("Colours of the lights"),
            "Colours of the LEDs: standard, colour-blind, dim or bright.",
        ),
    ] = "standard"
    most_ma: Annotated[
        float,
        Meta(ge=50),
        _option(
            "--led-current",
            N_("Current of the lights, in milliamperes"),
            "Milliamperes the LEDs may draw; more only with their own power supply.",
            metavar="MA",
        ),
    ] = 400.0
    host: Annotated[
        str,
        _option(
            "--host",
            N_("Address to listen on"),
            "Address to listen on; 0.0.0.0 opens the page to the network.",
            metavar="TEXT",
        ),
    ] = "127.0.0.1"
    port: Annotated[
        int,
        Meta(ge=0, le=65535),
        _option("--port", N_("Port of the page"), "0 takes any free port.", metavar="INTEGER"),
    ] = 8000
    allow_host: Annotated[
        tuple[str, ...],
        _option(
            "--allow-host",
            N_("Other names of this computer"),
            "Another host name under which the page may be reached.",
        ),
    ] = ()
    base_path: Annotated[
        str,
        Meta(pattern=r"^((/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+/?)?$"),
        _option(
            "--base-path",
            N_("Path under which a proxy shows the page"),
            "The path under which a proxy shows the page, like /alea.",
            metavar="PATH",
        ),
        Refusal(lambda value, _: Sentence("Expected a path like /alea, but got {path}.", path=str(value)[:60])),
    ] = ""
    phone_port: Annotated[
        int,
        Meta(ge=0, le=65535),
        _option(
            "--phone-port",
            N_("Port of the phone's page"),
            "The port of the phone's encrypted page; 0 takes any free port.",
            metavar="INTEGER",
        ),
    ] = 8443
    texts: Annotated[
        str | None,
        _option(
            "--texts",
            N_("Folder of further languages"),
            "A folder with further languages of the page, one folder each; `companion texts` helps to write them.",
            metavar="FOLDER",
            running=True,
        ),
    ] = None
    languages: Annotated[
        tuple[str, ...],
        Meta(description="The languages that the page offers, the first of them first."),
        Refusal(NO_LANGUAGES),
    ] = ()
    pictures: Annotated[KeptPictures, Refusal(_not_kept)] = KeptPictures()
    lights: Annotated[
        Annotated[float, Meta(ge=LEAST_BRIGHTNESS, le=1)],
        Meta(description="The share of their brightness at which the lights of a board are shown."),
        Refusal(NO_SHARE),
    ] = 1.0
    learning: Annotated[
        bool,
        _option(
            "--no-learn",
            N_("Learn the dice during play"),
            "Learn nothing about the dice during play, and use nothing learnt before.",
            running=True,
        ),
        Refusal(NO_CHOICE),
    ] = True
    audits: Annotated[
        bool,
        Meta(description="Whether dice that were read without a question are drawn, for the owner to look at."),
        Refusal(NO_AUDITS),
    ] = True

    @property
    def keeping(self) -> Keeping:
        """Which pictures are kept on the disk, and for how long."""
        return Keeping(self.pictures.keep, self.pictures.days)

    def offered(self, there: tuple[str, ...]) -> tuple[str, ...]:
        """Return the languages in ``there`` that the page offers, in the owner's order; all of them without one."""
        chosen = tuple(name for name in self.languages if name in there)
        return chosen or there


@dataclass(frozen=True)
class Declared:
    """A setting that an option sets as well, as its field declares it.

    ``kind``: the type of its values; ``least`` and ``most``: bounds of a number; ``pattern``: of a text; ``choices``:
    the words that it takes; the rest as for `_option`.
    """

    name: str
    option: str
    title: str
    description: str
    metavar: str
    running: bool
    default: Any
    kind: type
    least: float | None = None
    most: float | None = None
    pattern: str | None = None
    choices: tuple[str, ...] = ()


def _declared(field: msgspec.structs.FieldInfo) -> Declared | None:
    metas = [one for one in getattr(field.type, "__metadata__", ()) if isinstance(one, Meta)]
    declared = next((one for one in metas if one.extra is not None), None)
    if declared is None or declared.extra is None:
        return None
    inner = get_args(field.type)[0]
    if get_origin(inner) in (Union, UnionType):
        inner = next(one for one in get_args(inner) if one is not NoneType)
    choices = get_args(inner) if get_origin(inner) is Literal else ()
    return Declared(
        field.name,
        declared.extra["option"],
        declared.title or "",
        declared.description or "",
        declared.extra["metavar"],
        declared.extra["running"],
        field.default,
        str if choices else get_origin(inner) or inner,
        next((one.ge for one in metas if one.ge is not None), None),
        next((one.le for one in metas if one.le is not None), None),
        next((one.pattern for one in metas if one.pattern is not None), None),
        choices,
    )


DECLARED: Final = {
    declared.name: declared
    for field in msgspec.structs.fields(TableSettings)
    if (declared := _declared(field)) is not None
}
"""The settings that options set, by name, in the order in which they are declared."""
