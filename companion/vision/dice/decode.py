"""Decode a throw as a whole: which face of which die each seen face is, given the dice that can lie there together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from companion.rules.dice import DiceSet, Shape
from companion.vision.dice.faces import Chances
from companion.vision.dice.pose import CORNERS

LEAST_CHANCE: Final = 1e-300
"""Replaces a chance of 0 in logarithms and divisors."""

MOST_STATES: Final = 1000
"""Keep this many partial assignments: all of them with up to 12 different dice, the likeliest with more."""


@dataclass(frozen=True)
class Kind:
    """Dice with the same faces, so that nobody can distinguish them in a picture.

    ``dice``: their names in the set. ``columns``: the columns of the posteriors that hold their faces. Two faces with
    the same text are two columns, so a throw shows such a text twice as often. ``most``: how many of these dice may lie
    on the table; this may be more than the number of names.
    """

    dice: tuple[str, ...]
    shape: Shape
    columns: tuple[int, ...]
    most: int

    @property
    def name(self) -> str | None:
        """The die's name if there is only one such die, otherwise None."""
        return self.dice[0] if self.most == 1 else None


@dataclass(frozen=True, eq=False)
class Decoded:
    """What one die shows: the die and text of the likeliest throw, and the posterior over (die, text).

    ``die`` is None for dice that cannot be distinguished; ``among`` are the names that it may have. ``identity``: the
    chance that it is this die (or one of these). ``stranger``: the chance that it is none of the expected dice, because
    more dice lie there than possible. If that is likeliest, ``among`` is empty.
    """

    die: str | None
    text: str
    chances: tuple[tuple[tuple[str, str], float], ...]
    identity: float = 1.0
    stranger: float = 0.0
    among: tuple[str, ...] = ()

    def letters(self) -> tuple[tuple[str, float], ...]:
        """Return the posterior over texts of all dice, likeliest first; texts with the same letters count as one.

        The decoded text stands for all texts with its letters. For other letters the likeliest text stands for all.
        """
        bags: dict[str, float] = {}
        names: dict[str, tuple[float, str]] = {}
        for (_, text), chance in self.chances:
            bag = bag_of(text)
            bags[bag] = bags.get(bag, 0.0) + chance
            names[bag] = max(names.get(bag, (-1.0, "")), (chance, text))
        own = bag_of(self.text)
        found = [(self.text if bag == own else names[bag][1], chance) for bag, chance in bags.items()]
        return tuple(sorted(found, key=lambda pair: -pair[1]))


@lru_cache(maxsize=1024)
def bag_of(text: str) -> str:
    """Return a key that is the same for texts that differ only in the order of their letters.

    Numbers are no letters: 12 is not 21.
    """
    return text if text.isdigit() else "".join(sorted(text))


def kinds_of(dice: DiceSet, expected: Iterable[str], faces: Sequence[tuple[str, str]]) -> tuple[Kind, ...]:
    """Group the expected dice of a set: dice in one kind look the same.

    ``faces``: (die, text) of each column of the posteriors. Dice with the same faces may share the columns of one of
    them. The result leaves out a die without columns, such as a tetrahedron with its hidden face, because `decode` does
    not handle it. If all dice of a set are alike, more of them may lie on the table than the set names.
    """
    columns: dict[str, list[int]] = {}
    for column, (name, _) in enumerate(faces):
        columns.setdefault(name, []).append(column)
    groups: dict[tuple[Shape, tuple[str, ...]], list[str]] = {}
    for die in dice.dice:
        groups.setdefault((die.shape, tuple(sorted(face.text for face in die.faces))), []).append(die.name)
    wanted = set(expected)
    kinds = []
    for (shape, _), names in groups.items():
        there = tuple(name for name in names if name in wanted)
        own = next((columns[name] for name in names if name in columns), None)
        if there and own is not None:
            whole = dice.alike and len(there) == len(dice.dice)
            kinds.append(Kind(there, shape, tuple(own), dice.most if whole else len(there)))
    return tuple(kinds)


def corner_fit(corners: Sequence[int], kinds: Sequence[Kind], slip: float = 0.01) -> Chances:
    """Return how well upper faces with this many corners fit each kind of dice, shape (faces, kinds).

    ``slip``: how often the locator misses a corner or finds one too many; so a wrong number never excludes a face.
    """
    return np.array([[1.0 if CORNERS.get(kind.shape) == seen else slip for kind in kinds] for seen in corners])


def decode(
    chances: Chances,
    faces: Sequence[tuple[str, str]],
    kinds: Sequence[Kind],
    *,
    fit: Chances | None = None,
) -> list[Decoded]:
    """Decode faces that lie on the table together, exactly, over all assignments of dice to faces.

    ``chances``: for each seen face, the likelihood of its appearance for each of ``faces``, (die, text); each row up to
    a factor. ``fit``: the likelihood of its outline for each of ``kinds``, shape (n, kinds); by default all the same.
    Each kind occurs at most ``most`` times, dice may be missing, and all assignments are equally likely. If there are
    more faces than dice, the surplus faces are strangers, and their appearance says nothing.

    Raises:
        ValueError: there is no kind of dice.
    """
    if not kinds:
        raise ValueError("Expected at least one die to look for, but there is none.")
    number = len(chances)
    outline = np.ones((number, len(kinds))) if fit is None else fit
    weight = np.column_stack([chances[:, list(kind.columns)].mean(axis=1) for kind in kinds]) * outline
    top = np.column_stack([chances[:, list(kind.columns)].max(axis=1) / len(kind.columns) for kind in kinds]) * outline
    room = [kind.most for kind in kinds]
    extra = number - sum(room)
    if extra > 0:
        even = chances.mean(axis=1)
        weight, top, room = np.column_stack([weight, even]), np.column_stack([top, even]), [*room, extra]
    belongs = _belongs(weight, room)
    best = _likeliest(top, room)
    return [
        _decoded(chances[i], faces, kinds, belongs[i], best[i] if best[i] < len(kinds) else None) for i in range(number)
    ]


def hand_out(decoded: Sequence[Decoded]) -> list[str | None]:
    """Return a name for each die: its own, or with dice that are alike, any free one of theirs.

    None for strangers, and for dice beyond the number of names.
    """
    given = {one.die for one in decoded}
    names: list[str | None] = []
    for one in decoded:
        name = one.die or next((free for free in one.among if free not in given), None)
        given.add(name)
        names.append(name)
    return names


State = tuple[int, ...]
"""How many dice of each kind are assigned to faces so far."""


def _forward(weight: Chances, room: Sequence[int]) -> tuple[list[dict[State, float]], float]:
    """Return for each number of faces the weight of every state, each step scaled to sum 1, and the log of all scales.

    This counts assignments as a permanent does, but over kinds instead of dice: a face may be any die that is left.
    """
    steps: list[dict[State, float]] = [{(0,) * len(room): 1.0}]
    scales = 0.0
    for row in weight:
        after: dict[State, float] = {}
        for state, value in steps[-1].items():
            for kind, most in enumerate(room):
                if state[kind] < most:
                    reached = (*state[:kind], state[kind] + 1, *state[kind + 1 :])
                    after[reached] = after.get(reached, 0.0) + value * row[kind] * (most - state[kind])
        if len(after) > MOST_STATES:
            after = dict(sorted(after.items(), key=lambda pair: -pair[1])[:MOST_STATES])
        scale = sum(after.values())
        scales += float(np.log(max(scale, LEAST_CHANCE)))
        steps.append({state: value / max(scale, LEAST_CHANCE) for state, value in after.items()})
    return steps, scales


def _belongs(weight: Chances, room: Sequence[int]) -> Chances:
    """Return each face's posterior over kinds, shape (n, kinds): the sum over all assignments of dice to faces."""
    steps, _ = _forward(weight, room)
    posterior = np.zeros_like(weight)
    behind: dict[State, float] = dict.fromkeys(steps[-1], 1.0)
    for i in range(len(weight) - 1, -1, -1):
        before: dict[State, float] = {}
        for state, value in steps[i].items():
            for kind, most in enumerate(room):
                reached = (*state[:kind], state[kind] + 1, *state[kind + 1 :])
                way = weight[i, kind] * (most - state[kind]) * behind.get(reached, 0.0)
                posterior[i, kind] += value * way
                before[state] = before.get(state, 0.0) + way
        largest = max(*before.values(), LEAST_CHANCE)
        behind = {state: value / largest for state, value in before.items()}
        posterior[i] /= max(posterior[i].sum(), LEAST_CHANCE)
    return posterior


def _likeliest(top: Chances, room: Sequence[int]) -> list[int]:
    """Return the kind of each face in the likeliest assignment."""
    logs = np.log(np.maximum(top, LEAST_CHANCE))
    best: dict[State, tuple[float, tuple[int, ...]]] = {(0,) * len(room): (0.0, ())}
    for row in logs:
        after: dict[State, tuple[float, tuple[int, ...]]] = {}
        for state, (value, way) in best.items():
            for kind, most in enumerate(room):
                if state[kind] < most:
                    reached = (*state[:kind], state[kind] + 1, *state[kind + 1 :])
                    after[reached] = max(after.get(reached, (-np.inf, ())), (value + row[kind], (*way, kind)))
        best = dict(sorted(after.items(), key=lambda pair: -pair[1][0])[:MOST_STATES])
    return list(max(best.values())[1])


def _decoded(
    appearance: Chances,
    faces: Sequence[tuple[str, str]],
    kinds: Sequence[Kind],
    belongs: Chances,
    best: int | None,
) -> Decoded:
    """Return what one face is, given the posterior over its kinds (the last entry: the chance of a stranger)."""
    posterior: dict[tuple[str, str], float] = {}
    for kind, chance in zip(kinds, belongs, strict=False):
        own = list(kind.columns)
        spread = appearance[own] / max(float(appearance[own].sum()), LEAST_CHANCE) * float(chance)
        for column, value in zip(own, spread, strict=True):
            posterior[faces[column]] = posterior.get(faces[column], 0.0) + float(value)
    stranger = float(belongs[len(kinds) :].sum())
    if stranger > 0:  # a stranger shows what it looks like, whatever the dice
        seen = appearance / max(float(appearance.sum()), LEAST_CHANCE)
        for face, value in zip(faces, seen, strict=True):
            posterior[face] = posterior.get(face, 0.0) + stranger * float(value)
    shown = kinds[best] if best is not None else None
    among = list(shown.columns) if shown else list(range(len(faces)))
    text = faces[among[int(appearance[among].argmax())]][1]
    identity = float(belongs[best]) if best is not None else 0.0
    return Decoded(
        shown.name if shown else None,
        text,
        tuple(sorted(posterior.items(), key=lambda pair: -pair[1])),
        identity,
        stranger,
        shown.dice if shown else (),
    )
