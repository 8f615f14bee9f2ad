"""The names of the groups: from the owner, from the general reader, or from what the set's counts leave open."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration.learning.grouping import Groups
from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import Chances, Marks

TRUSTED_CHANCE = 0.9
"""The general reader's reading of one face counts from this chance on."""

MOST_OF = 0.5
"""The general reader names a group if it surely reads at least this share of it as one face ..."""

MOST_RIVAL_SHARE = 0.2
"""... and at most this share as any other."""

LEAST_FIT_CHANCE = 0.01
"""The counts name a group only if chance gives so large or small a group at least this often."""

NOTHING = ("-", "none")
"""An owner's words for a group that shows no face of the dice."""

Source = Literal["owner", "reader", "counts"]


class NamesError(ValueError):
    """The owner's text names no groups or no faces; the message is one sentence."""


@dataclass(frozen=True)
class Name:
    """What one group shows, and the name's source. ``text`` None: no face of the dice."""

    text: str | None
    source: Source


@dataclass(frozen=True)
class NamedGroups:
    """The names of the groups by their numbers, and notes for the owner, a sentence each."""

    names: Mapping[int, Name]
    notes: tuple[str, ...]


def parse_names(typed: str, groups: int, texts: Sequence[tuple[str | None, str]]) -> dict[int, Name]:
    """Read ``1=EIOU,2=IO,3=-``: groups counted from 1, and their faces.

    ``texts``: (die, text) of every possible face.

    Raises:
        NamesError: another form, no such group, or no such face.
    """
    names: dict[int, Name] = {}
    for part in filter(None, (piece.strip() for piece in typed.split(","))):
        found = re.fullmatch(r"(\d{1,4})\s*=\s*(\S+)", part)
        if not found:
            raise NamesError(f"Expected names like 1=EIOU,2=IO, but got {part!r}.")
        number, face = int(found[1]), found[2]
        if not 1 <= number <= groups:
            raise NamesError(f"The groups are 1 to {groups}, but group {number} was named.")
        name = name_of(face, texts)
        if name is None:
            known = ", ".join(dict.fromkeys(own for _, own in texts))
            raise NamesError(f"The faces are {known} (and - for none), but a group was called {face!r}.")
        names[number - 1] = name
    return names


def name_of(typed: str, texts: Sequence[tuple[str | None, str]]) -> Name | None:
    """Return the name of one group as the owner typed it; None if there is no such face."""
    if typed.lower() in NOTHING:
        return Name(None, "owner")
    own = (text for _, text in texts if bag_of(text.upper()) == bag_of(typed.upper()))
    return next((Name(text, "owner") for text in own), None)


def name_groups(
    groups: Groups, general: Marks, texts: Sequence[tuple[str | None, str]], given: Mapping[int, Name], throws: int
) -> NamedGroups:
    """Name the groups of one shape.

    The owner's names stay. The general reader names a group if it surely reads most of it as one face. The set's counts
    name the last open group. ``general``: the general reader's reading of each face, over ``texts``; if it reads
    nothing of this set, all of it unreadable.
    """
    bags, votes = _votes(groups, general, texts)
    names = dict(given)
    notes = []
    for number, vote in enumerate(votes):
        order = np.argsort(-vote)
        best = int(order[0]) if len(vote) else -1
        agreed = len(vote) > 0 and vote[best] >= MOST_OF and (len(vote) == 1 or vote[order[1]] <= MOST_RIVAL_SHARE)
        if not agreed:
            continue
        text = _first_text(bags[best], texts)
        if number not in names:
            names[number] = Name(text, "reader")
        elif names[number].text is None or bag_of(names[number].text or "") != bags[best]:
            called = names[number].text or "no face"
            notes.append(
                f"Group {number + 1} is called {called}, but the general reader surely reads "
                f"{vote[best]:.0%} of it as {text}: look at it again."
            )
    left = _by_counts(groups, names, bags, texts, throws)
    if left is not None:
        names[left[0]] = Name(left[1], "counts")
    found = {bag_of(name.text) for name in names.values() if name.text is not None}
    missing = [_first_text(bag, texts) for bag in bags if bag not in found]
    if missing and len(names) > int(groups.max(initial=-1)):
        notes.append(f"No group shows {', '.join(missing)}: throw more often, so that each face comes up.")
    return NamedGroups(names, tuple(notes))


def name_members(
    groups: Groups, names: Mapping[int, Name], general: Marks, texts: Sequence[tuple[str | None, str]]
) -> list[Name | None]:
    """Return the name of each single face: its group's, unless the general reader surely contradicts.

    In poor light a group may hold faces of two kinds. If the general reader surely reads a face as another than its
    group's, that face is left out (None) rather than taught under a wrong name. A face in no named group that is surely
    read gets the name of the reading.
    """
    bags, sums = _by_bag(general, texts)
    members: list[Name | None] = []
    for number, row in zip(groups, sums, strict=True):
        own = names.get(int(number))
        best = int(row.argmax()) if len(row) else 0
        sure = len(row) > 0 and float(row[best]) >= TRUSTED_CHANCE
        if own is None:
            members.append(Name(_first_text(bags[best], texts), "reader") if sure else None)
        else:
            members.append(None if own.text is None or (sure and bags[best] != bag_of(own.text)) else own)
    return members


def open_groups(groups: Groups, names: Mapping[int, Name]) -> list[int]:
    """Return the groups without a name."""
    return [number for number in range(int(groups.max(initial=-1)) + 1) if number not in names]


def _votes(groups: Groups, general: Marks, texts: Sequence[tuple[str | None, str]]) -> tuple[list[str], list[Chances]]:
    """Return the set's bags of marks, and for each group the share of it that is surely read as each of them."""
    bags, sums = _by_bag(general, texts)
    votes = [
        (sums[groups == number] >= TRUSTED_CHANCE).mean(axis=0) for number in range(int(groups.max(initial=-1)) + 1)
    ]
    return bags, votes


def _first_text(bag: str, texts: Sequence[tuple[str | None, str]]) -> str:
    return next(text for _, text in texts if bag_of(text) == bag)


def _by_counts(
    groups: Groups, names: Mapping[int, Name], bags: Sequence[str], texts: Sequence[tuple[str | None, str]], throws: int
) -> tuple[int, str] | None:
    """Return the one group without a name and the one face without a group, if its size fits how often it shows."""
    unnamed = open_groups(groups, names)
    taken = {bag_of(name.text) for name in names.values() if name.text is not None}
    free = [bag for bag in bags if bag not in taken]
    if len(unnamed) != 1 or len(free) != 1 or throws < 1:
        return None
    size = int((groups == unnamed[0]).sum())
    whole = int((groups >= 0).sum())
    share = sum(bag_of(text) == free[0] for _, text in texts) / len(texts)
    # the normal approximation of the binomial distribution: it only needs to detect a gross misfit
    off = abs(size - whole * share) / max(1e-9, np.sqrt(whole * share * (1 - share)))
    chance = float(np.exp(-off * off / 2))
    return (unnamed[0], _first_text(free[0], texts)) if chance >= LEAST_FIT_CHANCE else None


def _by_bag(general: Marks, texts: Sequence[tuple[str | None, str]]) -> tuple[list[str], Chances]:
    """Return the set's bags of marks, and how likely each face shows each of them, shape (faces, bags)."""
    bags = list(dict.fromkeys(bag_of(text) for _, text in texts))
    sums = np.zeros((len(general), len(bags)))
    for place, (_, text) in enumerate(texts):
        sums[:, bags.index(bag_of(text))] += general.texts[:, place]
    return bags, sums
