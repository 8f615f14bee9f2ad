"""What the dice seen so far can point to: virtues, holders, letters, consonants, pairs that wait for a mate."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from companion.rules.dice import Throw, dice_set
from companion.rules.game import Await
from companion.rules.ludus_regularis.effects import effect_of
from companion.rules.ludus_regularis.pairing import Pair, pairs_of, partners
from companion.rules.ludus_regularis.rulings import CUBES, POINTER, winning_second_faces
from companion.rules.ludus_regularis.sentences import refusal_of_throw
from companion.rules.ludus_regularis.state import LudusState
from companion.rules.ludus_regularis.virtues import Virtue, by_lot, lacking, lot_of, of_sum, virtues


@dataclass(frozen=True)
class PairStanding:
    """One player's pairs of 21: those completed, and each single virtue with the free ones that would complete it."""

    player: int
    complete: tuple[Pair, ...]
    half: tuple[tuple[Virtue, tuple[Virtue, ...]], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, virtues as lots."""
        return {
            "player": self.player,
            "complete": [[one.lot, other.lot] for one, other in self.complete],
            "half": [{"virtue": v.lot, "mates": [mate.lot for mate in mates]} for v, mates in self.half],
        }


@dataclass(frozen=True)
class Prospects:
    """What a partial throw means for the player whose turn it is.

    ``virtues``: those that the lot, or in the sum game the sum, can still point to; final once all cubes lie.
    ``missing``: the vowels that the cubes lack for the virtue. ``consonants``: the faces of the tetrahedron that would
    win it; empty if none can. Both belong to the whole game and are None while a cube rolls.
    ``second_faces``: the winning faces of each cube while the position awaits the second cast.
    ``chance``: the chance of acquiring anything, with fair dice for all that still roll and the best cube for a second
    cast.
    """

    player: int
    virtues: tuple[Virtue, ...]
    holders: tuple[int, ...]
    missing: str | None
    consonants: tuple[str, ...] | None
    second_faces: Mapping[str, tuple[str, ...]]
    chance: Fraction
    standings: tuple[PairStanding, ...]

    @property
    def virtue(self) -> Virtue | None:
        """The virtue that the dice point to, if only one is possible."""
        return self.virtues[0] if len(self.virtues) == 1 else None

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, virtues as lots."""
        return {
            "player": self.player,
            "virtue": self.virtue.lot if self.virtue else None,
            "virtues": [virtue.lot for virtue in self.virtues],
            "holders": {v.lot: holder for v, holder in zip(self.virtues, self.holders, strict=True) if holder},
            "missing": None if self.missing is None else list(self.missing),
            "consonants": None if self.consonants is None else list(self.consonants),
            "second_faces": {cube: list(faces) for cube, faces in self.second_faces.items()},
            "chance": float(self.chance),
            "standings": [standing.to_json() for standing in self.standings],
        }


def prospects(state: LudusState, waits: Await, shown: Throw | None) -> Prospects:
    """Return what the dice shown so far point to; ignores dice that the position does not await."""
    standings = tuple(_standing(state, number) for number in range(1, state.seats + 1))
    if waits.kind == "over":
        return Prospects(state.turn, (), (), None, None, {}, Fraction(0), standings)
    if state.first_cast is not None:
        return _second_cast(state, waits, shown, standings)
    known = _known(waits, shown)
    meant = _meant(state, waits, known)
    missing, consonants = None, None
    if state.variant.by_letters and len(known.keys() & set(CUBES)) == len(CUBES):
        missing, consonants = _letters(state, known, meant[0])
    holders = tuple(state.holder(virtue) for virtue in meant)
    return Prospects(state.turn, meant, holders, missing, consonants, {}, _chance(state, waits, known), standings)


def _known(waits: Await, shown: Throw | None) -> dict[str, str]:
    if shown is None or shown.set_name not in waits.dice_sets:
        return {}
    if shown.set_name == "pips":
        # a pip die counts as the letter cube's face with as many letters
        return {
            name: dice_set("wibold").die(name).faces[int(face) - 1].text
            for name, face in shown.shown
            if name in waits.dice
        }
    return {name: face for name, face in shown.shown if name in waits.dice}


def _cube_values(known: Mapping[str, str]) -> list[tuple[int, ...]]:
    dice = dice_set("wibold")
    values = []
    for name in CUBES:
        die = dice.die(name)
        values.append((die.face(known[name]).value,) if name in known else tuple(f.value for f in die.faces))
    return values


def _meant(state: LudusState, waits: Await, known: Mapping[str, str]) -> tuple[Virtue, ...]:
    if POINTER in waits.dice:
        return (by_lot()[known[POINTER]],) if known else virtues()
    shown = list(product(*_cube_values(known)))
    if state.variant.by_sum:
        sums = {sum(values) for values in shown}
        return tuple(virtue for total in sorted(sums) for virtue in of_sum(total))
    lots = {lot_of(values) for values in shown}
    return tuple(virtue for virtue in virtues() if virtue.lot in lots)


def _letters(state: LudusState, known: Mapping[str, str], virtue: Virtue) -> tuple[str, tuple[str, ...]]:
    asked = virtue.vowels(initial_too=state.rule_set.initial_too)
    missing = lacking(asked, "".join(known[name] for name in CUBES))
    free = not state.holder(virtue)
    useful = free and (not missing or virtue.second_cast)
    return missing, virtue.winning_faces if useful else ()


def _chance(state: LudusState, waits: Await, known: Mapping[str, str]) -> Fraction:
    dice = dice_set(state.variant.dice_set)
    names = waits.dice
    choices = [(known[name],) if name in known else tuple(face.text for face in dice.die(name).faces) for name in names]
    worth, count = Fraction(0), 0
    for faces in product(*choices):
        throw = Throw(dice.name, tuple(zip(names, faces, strict=True)))
        effect = effect_of(state, throw)
        count += 1
        if effect.result == "acquired":
            worth += 1
        elif effect.result == "recast":
            winning = winning_second_faces(throw, state.rule_set)
            worth += max(Fraction(len(winning[name]), len(dice.die(name).faces)) for name in CUBES)
    return worth / count


def _second_cast(
    state: LudusState, waits: Await, shown: Throw | None, standings: tuple[PairStanding, ...]
) -> Prospects:
    first = state.first_cast
    assert first is not None, "asked only while a second cast is awaited"
    virtue = effect_of(state, first).meant[0]
    winning = winning_second_faces(first, state.rule_set)
    missing, _ = _letters(state, dict(first.shown), virtue)
    if shown is not None and refusal_of_throw(waits, shown) is None:
        effect = effect_of(state, shown)
        chance = Fraction(effect.result == "acquired")
        assert effect.judged is not None, "the second cast is judged by letters"
        missing = effect.judged.missing
    else:
        sides = {name: len(dice_set(first.set_name).die(name).faces) for name in CUBES}
        chance = max(Fraction(len(winning[name]), sides[name]) for name in CUBES)
    return Prospects(state.turn, (virtue,), (state.holder(virtue),), missing, (), winning, chance, standings)


def _standing(state: LudusState, number: int) -> PairStanding:
    rows_only = state.options["pairs"] == "rows"
    complete = pairs_of(state, number)
    paired = {virtue for pair in complete for virtue in pair}
    half = tuple(
        (virtue, tuple(mate for mate in partners(virtue, rows_only=rows_only) if not state.holder(mate)))
        for virtue in state.held(number)
        if virtue not in paired
    )
    return PairStanding(number, complete, half)
