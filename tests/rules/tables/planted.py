"""Faults planted into the JSON of a first position of any tables game: (words that must name it, how it is planted)."""

from collections.abc import Callable
from typing import Any

Data = dict[str, Any]
Change = Callable[[Data], Data | None]

FREE = "tables/xii-scripta"
APART = ("tables/doblet", FREE)
"""Where the sides never meet."""

NO_PAIRS = ("tables/ludus-anglicorum", "tables/emperador", "tables/reencontrat", "tables/verquere")
NO_BEARING = ("tables/zeno", "tables/imperial", "tables/provincial", "tables/twelve-dogs", "tables/doze-canes")
POINTS_COUNT = ("tables/twelve-dogs", "tables/doze-canes")


def _standing(men: Data) -> list[str]:
    return [place for place, count in men.items() if isinstance(count, int) and count and place not in {"hit", "off"}]


def _take(data: Data, side: str, to: str, count: int = 1) -> None:
    """Put so many men of a side, from wherever they stand, on a place."""
    men = data["men"][side]
    for _ in range(count):
        for origin in [place for place in _standing(men) if place != to][:1]:
            men[origin] -= 1
            men[to] = men.get(to, 0) + 1


def one_man_gone(data: Data) -> Data:
    men = data["men"]["1"]
    men[_standing(men)[0]] -= 1
    return data


def both_on_one_point(data: Data) -> Data | None:
    if data["game"] in APART:
        return None
    for side in ("1", "2"):
        _take(data, side, "a")
    return data


def no_such_number(data: Data) -> Data | None:
    return None if data["game"] == FREE else data | {"dice": [7]}


def no_such_throw(data: Data) -> Data | None:
    return None if data["game"] == FREE else data | {"dice": [1] * 7}


def more_hit_than_in_hand(data: Data) -> Data | None:
    if "hit" not in data["men"]["1"]:
        return None
    _take(data, "1", "a")
    data["men"]["1"]["hit"] = data["men"]["1"]["hand"] + 1
    return data


def hit_in_no_table(data: Data) -> Data | None:
    if "hit_in" not in data["men"]["1"]:
        return None
    _take(data, "1", "hand")
    return data


def half_a_pair(data: Data) -> Data | None:
    if data["game"] != "tables/doblet":
        return None
    men = data["men"]["1"]
    men["a"], men["off"] = 1, 1
    return data


def paired_where_none_may(data: Data) -> Data | None:
    if data["game"] not in NO_PAIRS:
        return None
    _take(data, "1", "b", 2)
    return data


def three_on_a_point_for_two(data: Data) -> Data | None:
    if data["game"] not in POINTS_COUNT:
        return None
    _take(data, "1", "a", 3)
    return data


def borne_off_where_nobody_is(data: Data) -> Data | None:
    if data["game"] not in NO_BEARING:
        return None
    _take(data, "1", "off")
    return data


def both_have_won(data: Data) -> Data | None:
    if data["game"] in (FREE, *NO_BEARING):
        return None
    count = sum(data["men"]["1"][place] for place in _standing(data["men"]["1"]))
    for side in ("1", "2"):
        kept = {key: value for key, value in data["men"][side].items() if not isinstance(value, int)}
        data["men"][side] = kept | {"off": count}
    return data


def dice_after_the_end(data: Data) -> Data | None:
    if data["game"] not in {"tables/zeno", "tables/imperial", "tables/provincial"}:
        return None
    return data | {"men": {"1": {"t": 15, "off": 0}, "2": data["men"]["2"] | {"t": 0, "m": 5}}, "dice": [1]}


def marked(name: str, value: object) -> Change:
    """Set something that the first position has not."""
    return lambda data: None if data["game"] == FREE else data | {name: value}


def nobody_plays(data: Data) -> Data | None:
    return data | {"turn": 9} if data["game"] == FREE else None


def slapped_before_the_win(data: Data) -> Data | None:
    return data | {"won": 1} if data["game"] == "tables/paume-carie" else None


PLANTED: tuple[tuple[str, Change], ...] = (
    ("men, not", one_man_gone),
    ("both sides stand on a", both_on_one_point),
    ("no number from 1 to 6", no_such_number),
    ("No throw of this game leaves", no_such_throw),
    ("given as hit", more_hit_than_in_hand),
    ("given as hit in some table", hit_in_no_table),
    ("the pair on a is not taken down", half_a_pair),
    ("before all pairs are taken down", half_a_pair),
    ("no second man may join", paired_where_none_may),
    ("takes two", three_on_a_point_for_two),
    ("nobody bears off", borne_off_where_nobody_is),
    ("Both sides have reached the goal", both_have_won),
    ("The game is over, but the dice", dice_after_the_end),
    ("it has no dice", marked("turning", value=True)),
    ("some throw can move a man", marked("tied", value=True)),
    ("ad fallum, but that was not agreed", marked("lost", 1)),
    ("throwing for the start, but that was not agreed", marked("battle", [])),
    ("Slaps are counted, but nobody has won", marked("slaps", 1)),
    ("who does not play", nobody_plays),
    ("it has men left", slapped_before_the_win),
)
