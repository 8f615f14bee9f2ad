"""The variants as plain records, read from the data file that a historian can check against the page."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from companion.data_file import data_of
from companion.rules.options import OptionValue
from companion.rules.tables.points import POINTS


@dataclass(frozen=True)
class Variant:
    """One entry of ``variants.toml``; pairs are side 1 and side 2.

    ``goal`` is "" where the option ``goal`` decides it. ``extra`` names the options that only some variants have,
    ``without`` the common ones that make no sense here. ``setups`` maps an option and one of its values to another
    start. ``second_sides`` gives for each value of the option ``second_side`` the track and the start of side 2.
    ``file`` names the form in which other programs read a match, "" for none. ``rule`` names the rule of play that no
    other variant has. ``earlier`` maps an earlier hash of the rules to
    the options that restore those rules.
    """

    slug: str
    title: str
    source: str
    story: str
    ruled: str
    men: int
    tracks: tuple[str, str]
    start: tuple[Mapping[str, int], Mapping[str, int]]
    options: Mapping[str, OptionValue]
    movement: Mapping[str, Any]
    team_dice: str
    goal: str
    rule: str
    extra: tuple[str, ...]
    without: tuple[str, ...]
    setups: Mapping[str, Any]
    second_sides: Mapping[str, Any]
    file: str
    earlier: Mapping[str, Mapping[str, OptionValue]]
    entry: Mapping[str, Any] = field(repr=False)

    @property
    def enters(self) -> bool:
        """Whether men wait in hand at the start."""
        return any(sum(side.values()) < self.men for side in self.start)


def spelled(track: str) -> str:
    """Return the points of a track written as ranges: ``"f-a z-t"`` is ``"fedcbazyxwut"``."""
    found = ""
    for run in track.split():
        first, last = (POINTS.index(point) for point in run.split("-"))
        found += POINTS[first : last + 1] if first <= last else POINTS[last : first + 1][::-1]
    return found


@cache
def variants() -> Mapping[str, Variant]:
    """Return every variant by the last part of its slug, in the order of the file."""
    return {entry["slug"]: _variant(entry) for entry in data_of(__package__, "variants.toml")["variant"]}


def _variant(entry: Mapping[str, Any]) -> Variant:
    first, second = (spelled(track) for track in entry["tracks"])
    ours, theirs = entry["start"]
    later = entry.get("later", {})
    return Variant(
        slug=entry["slug"],
        title=entry["title"],
        source=entry["source"],
        story=entry["story"],
        ruled=entry["ruled"],
        men=entry.get("men", 15),
        tracks=(first, second),
        start=(ours, theirs),
        options=entry.get("options", {}),
        movement=entry.get("movement", {}),
        team_dice=entry.get("team_dice", ""),
        goal=entry.get("goal", ""),
        rule=entry.get("rule", ""),
        extra=(*entry.get("extra", ()), *later.get("extra", ())),
        without=tuple(entry.get("without", ())),
        setups=entry.get("setups", {}),
        second_sides=later.get("second_side", {}),
        file=later.get("file", ""),
        earlier=entry.get("earlier", {}),
        entry=entry,
    )
