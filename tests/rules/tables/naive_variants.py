"""Every tables variant once more, copied a second time from Lewins' tables for the naive rules of the tests.

Nothing here looks at the data of the program: a slip of the pen there shall not be repeated here.
"""

import re
from dataclasses import dataclass, field
from functools import cache

POINTS = "abcdefghiklmnopqrstuwxyz"

Men = dict[str, int]


@cache
def along(pairs: str) -> str:
    """Spell out Lewins' way of writing a track: ``"am nz"`` is a to m, then n to z; ``"zn"`` runs backwards."""
    spelled = ""
    for pair in pairs.split():
        start, end = POINTS.index(pair[0]), POINTS.index(pair[1])
        spelled += POINTS[start : end + 1] if start <= end else POINTS[end : start + 1][::-1]
    return spelled


def setup(text: str) -> Men:
    """Read an array: ``"a15"``, ``"a2 f5 h3 m5"``; ``"af:2"`` is two on each point from a to f."""
    men: Men = {}
    for word in text.split():
        one = re.fullmatch(r"([a-z])(\d+)", word)
        if one:
            men[one[1]] = int(one[2])
            continue
        pair, each = word.split(":")
        men |= dict.fromkeys(along(pair), int(each))
    return men


@dataclass(frozen=True)
class Side:
    """One side's way: where its men enter (with 1, 2, ... 6), the track, and the table where they come home."""

    array: str
    enters: str
    moves: str
    home: str
    single: str = ""  # points on which this side never puts a second man
    never_entered: str = ""  # a point on which its men do not enter at all
    stays: str = ""  # points from which men do not move on, except by bearing
    wall: str = ""  # points reached by the numbers 1 to 6 in Doblet


@dataclass(frozen=True)
class Variant:
    """One game: both sides and what is special about it."""

    page: str
    first: Side
    second: Side
    dice: str = "3"
    men: int = 15
    moves: bool = True
    bears: bool = True
    most_on_a_point: int = 15
    all_enter_first: bool = False
    doubles_twice: bool = False
    extra_turn: bool = False
    lends: bool = False
    piles: bool = False
    slaps: bool = False
    enters_diagonally: bool = False
    team_dice: str = ""
    turned: "tuple[Side, Side] | None" = None  # both sides where the array is turned round
    second_sides: dict[str, Side] = field(default_factory=dict)  # by the point on which side 2 begins


def up(array: str, **more: str) -> Side:
    return Side(array, "af", "am nz", "tz", **more)


def down(array: str, **more: str) -> Side:
    return Side(array, "zt", "zn ma", "af", **more)


def emperor(dice: str, page: str) -> Variant:
    return Variant(page, up("a15", single="am"), down("z15", single="nz"), dice=dice)


def in_at_a(page: str, **more: object) -> Variant:
    plain = {"first": up(""), "second": up("")}
    return Variant(page, **(plain | more))  # type: ignore[arg-type]


def dogs(page: str) -> Variant:
    only = Side("", "af", "af", "af")
    return Variant(page, only, only, dice="2", men=12, moves=False, bears=False, most_on_a_point=2)


ALFONSO = "Lewins, table of the Libro de los Juegos"
ROYAL = "Lewins, table of Royal 13 A"

VARIANTS = {
    "tables/zeno": Variant(
        "Lewins, Zeno: Rules",
        up("a15"),
        down("z15"),
        bears=False,
        second_sides={  # figures 4, 5 and 6
            "z": down("z15"),
            "n": Side("n15", "ns", "nz am", "gm"),
            "m": Side("m15", "mg", "ma zn", "sn"),
        },
    ),
    "tables/ludus-anglicorum": emperor("3-turn", "Lewins, Ludus Anglicorum: Rules"),
    "tables/emperador": emperor("3", ALFONSO),
    "tables/pyf": in_at_a("Lewins, Pyf: Rules", first=up("", stays="tz"), second=up("", stays="tz"), team_dice="2"),
    "tables/twelve-dogs": dogs("Lewins, Twelve dogs: Rules"),
    "tables/doze-canes": dogs(ALFONSO),
    "tables/buffa-cortesa": in_at_a(ALFONSO, doubles_twice=True, extra_turn=True, lends=True),
    "tables/buffa-de-baldrac": Variant(ALFONSO, up(""), Side("", "mg", "ma zn", "sn"), all_enter_first=True),
    "tables/cab-e-quinal": Variant(ALFONSO, up("e15"), up("f15")),
    "tables/cab-e-quinal-2": Variant(ALFONSO, up("e14 d1"), up("f14 t1"), dice="2+6"),
    "tables/doblet": Variant(
        ALFONSO,
        Side("af:2", "", "af", "af", wall="af"),
        Side("zt:2", "", "zt", "zt", wall="zt"),
        men=12,
        moves=False,
        piles=True,
    ),
    "tables/fallas": Variant(ALFONSO, up("a2 t13"), down("z2 f13")),
    "tables/laquet": Variant(ALFONSO, up("a1 z14"), up("g1 tx:3 y2"), dice="2"),
    "tables/medio-emperador": Variant(ALFONSO, Side("a15", "af", "af tz", "tz"), Side("z15", "zt", "zt fa", "af")),
    "tables/pareia-de-entrada": in_at_a(ALFONSO, doubles_twice=True, extra_turn=True),
    "tables/quinze-tablas": Variant(ALFONSO, up("ag:2 h1"), down("zs:2 r1")),
    "tables/reencontrat": Variant(ALFONSO, up("", single="am"), Side("", "ns", "nz am", "gm", single="nz")),
    "tables/seis-dos-y-as": Variant(ALFONSO, up("a3 b4 f8"), up("c5 d5 e5"), enters_diagonally=True),
    "tables/todas-tablas": Variant(ALFONSO, up("a2 f5 h3 m5"), down("z2 t5 r3 n5"), dice="2"),
    "tables/baralie": Variant(ROYAL, up("a15"), up("b14 c1"), dice="2+6", turned=(down("z15"), down("y14 x1"))),
    "tables/imperial": Variant(ROYAL, up("f5 g5 k5"), down("p5 s5 t5"), bears=False),
    "tables/provincial": Variant(ROYAL, up("f8 g7"), down("t8 s7"), bears=False),
    "tables/ludus-lumbardorum": Variant(
        ROYAL,
        Side("a15", "fa", "fa zt", "zt", single="af", never_entered="a"),
        Side("z15", "tz", "tz af", "af", single="tz", never_entered="z"),
        dice="2",
    ),
    "tables/paume-carie": in_at_a(
        ROYAL, first=Side("", "af", "af", "af"), second=Side("", "af", "af", "af"), dice="2", moves=False, slaps=True
    ),
    "tables/paume-carie-2": in_at_a(ROYAL, first=up("", stays="tz"), second=up("", stays="tz"), dice="2"),
    "tables/verquere": Variant(
        "Lewins, Verquere and Swedish Tables",
        up("a15", single="am"),
        Side("n15", "ns", "nz am", "gm", single="nz"),
        dice="2",
    ),
    "tables/backgammon": Variant(
        "The rules of today", up("a2 m5 r3 t5"), down("z2 n5 h3 f5"), dice="2", doubles_twice=True
    ),
}
