"""What a reading of the dice means for the position: commit it, ask about it, or leave it and say why."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.language.sentence import Sentence, sentence_of
from companion.referee.arrangement import Arrangement, ArrangementChange, arranged, compare
from companion.rules.dice import Die, Throw, ThrowError, dice_set
from companion.rules.game import Await, Position
from companion.vision.readings import DiceReading, ReadDie


@dataclass(frozen=True)
class Commit:
    """Everything was read and fits: this throw counts."""

    throw: Throw
    arrangement: Arrangement


@dataclass(frozen=True)
class Ask:
    """The people at the table must answer. ``suggestion``: the likeliest answer, face by die, where there is one."""

    sentence: Sentence
    dice: tuple[ReadDie, ...]
    arrangement: Arrangement
    suggestion: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Ignore:
    """These dice change nothing; ``mismatch``: they are the wrong dice, and a person should look."""

    sentence: Sentence
    mismatch: bool = False


Decision = Commit | Ask | Ignore


@dataclass(frozen=True)
class Before:
    """What the referee knows from the time before this still interval.

    ``lying`` and ``throw`` are the last throw, empty and None where there was none. ``watched``: the table was seen
    empty or in motion since then; otherwise the dice may have lain there since before the program's start.
    """

    lying: Arrangement = ()
    throw: Throw | None = None
    watched: bool = True


EMPTY = Sentence("The table is empty.")
SAME = Sentence("These are the dice of the last throw.")
TAKEN_UP = Sentence("Some dice were picked up.")
UNSURE = Sentence("Not every die could be read for certain: what do they show?")
UNWATCHED = Sentence("These dice were there before anybody watched: is this the throw?")
PUSHED = Sentence("The dice moved but show what they showed before: is this a new throw?")
SOME_MOVED = Sentence("Some of the dice did not move: is this a new throw?")
WHICH_CUBE = Sentence(
    "More than one cube moved, but only one should be thrown again: which is it, and what does it show?"
)
TWICE = Sentence("Two dice were read as the same one: what do they show?")


def decide(position: Position, reading: DiceReading, before: Before) -> Decision:
    """Say what the dice of a still interval mean here. Never guesses: asks about what is uncertain, or leaves it."""
    waits = position.awaits
    if waits.kind not in ("throw", "recast"):
        return Ignore(Sentence("This is not the time to throw."))
    seen = [die for die in reading.dice if die.status != "ignored" and die.set_name in waits.dice_sets]
    if not seen:
        return Ignore(sentence_of(reading.reason) if reading.reason else EMPTY)
    if len({die.set_name for die in seen}) > 1:
        return Ignore(Sentence("There are two kinds of dice on the table: take one kind away."), mismatch=True)
    seen = _named(seen, waits)
    if waits.kind == "recast":
        return _recast(position, waits, seen, before)
    return _throw(position, waits, seen, before)


def _named(seen: Sequence[ReadDie], waits: Await) -> list[ReadDie]:
    """Return alike dice with names from left to right: which die bears which name does not matter to a game."""
    if not dice_set(seen[0].set_name).alike:
        return list(seen)
    taken = {die.die for die in seen}
    free = iter([name for name in waits.dice if name not in taken])
    order = sorted(range(len(seen)), key=lambda place: min((x for x, _ in seen[place].polygon), default=0.0))
    names = {place: next(free, None) for place in order if seen[place].die is None}
    return [replace(die, die=names[place]) if place in names else die for place, die in enumerate(seen)]


def _throw(position: Position, waits: Await, seen: Sequence[ReadDie], before: Before) -> Decision:
    dice = tuple(die for die in seen if die.die is None or die.die in waits.dice)
    lying = arranged(seen)
    change = compare(before.lying, lying)
    if (nothing := _no_throw(waits, dice, change, before)) is not None:
        return nothing
    faces = {die.die: die.face for die in dice if die.die and die.face}
    if any(die.status != "read" or die.die is None for die in dice):
        return Ask(UNSURE, dice, lying, faces if len(faces) == len(dice) else {})
    if len(faces) != len(dice):
        return Ask(TWICE, dice, lying)
    try:
        throw = Throw.of(dice[0].set_name, faces)
    except ThrowError:
        return Ask(UNSURE, dice, lying)
    if (why := position.why_not(throw)) is not None:
        return Ignore(why, mismatch=True)
    doubt = _doubt(throw, change, before)
    return Commit(throw, lying) if doubt is None else Ask(doubt, dice, lying, faces)


def _no_throw(waits: Await, dice: Sequence[ReadDie], change: ArrangementChange, before: Before) -> Ignore | None:
    if before.lying and change.same:
        return Ignore(SAME)
    if before.lying and change.gone and not change.moved:
        return Ignore(TAKEN_UP)
    if len(dice) != len(waits.dice):
        return Ignore(_wrong_number(waits, dice), mismatch=True)
    return None


def _doubt(throw: Throw, change: ArrangementChange, before: Before) -> Sentence | None:
    """Say why dice that were all read may still be no new throw, or None."""
    if not before.watched:
        return UNWATCHED
    if before.lying and len(change.kept) > 1:
        # one thrown die may land in its old place, but not two
        return SOME_MOVED
    if before.throw is not None and _shows(before.throw) == _shows(throw):
        return PUSHED
    return None


def _shows(throw: Throw) -> Counter[str]:
    return Counter(face for _, face in throw.shown)


def _wrong_number(waits: Await, dice: Sequence[ReadDie]) -> Sentence:
    names = Counter(die.die for die in dice)
    missing = [name for name in waits.dice if not names[name]]
    if len(dice) > len(waits.dice):
        return Sentence(
            "There are {seen} dice on the table, but {expected} belong to a throw: take the others away.",
            seen=len(dice),
            expected=len(waits.dice),
        )
    if len(missing) == 1 and not names[None]:
        die = dice_set(waits.dice_sets[0]).die(missing[0])
        what = Sentence("the tetrahedron") if die.shape == "tetrahedron" else Sentence("cube {name}", name=die.name)
        return Sentence(
            "There are {seen} of {expected} dice on the table: {die} is missing.",
            seen=len(dice),
            expected=len(waits.dice),
            die=what,
        )
    return Sentence("There are {seen} of {expected} dice on the table.", seen=len(dice), expected=len(waits.dice))


def _recast(position: Position, waits: Await, seen: Sequence[ReadDie], before: Before) -> Decision:
    cubes = tuple(die for die in seen if die.die is None or die.die in waits.dice)
    lying, everything = arranged(cubes), arranged(seen)
    were = tuple(die for die in before.lying if die.die in waits.dice)
    change = compare(were, lying)
    if len(cubes) > len(waits.dice):
        return Ignore(_wrong_number(waits, cubes), mismatch=True)
    if not cubes or (were and (change.pushed or not change.moved)):
        return Ignore(SAME if change.same else TAKEN_UP)
    if not were or not before.watched or len(lying) != len(cubes) or len(change.moved) > 1:
        return Ask(WHICH_CUBE if len(cubes) > 1 else UNWATCHED, cubes, everything)
    moved = cubes[change.moved[0]]
    if len(cubes) == 1:
        return _one_cube(position, moved, moved.die, everything, before)
    if len(cubes) < len(waits.dice):
        return Ignore(TAKEN_UP)
    # the cubes that stayed have known names, so the moved one has the name left
    stayed = {were[then].die for then in change.was.values()}
    free = [name for name in waits.dice if name not in stayed]
    return _one_cube(position, moved, free[0] if len(free) == 1 else None, everything, before)


def _one_cube(
    position: Position, moved: ReadDie, name: str | None, arrangement: Arrangement, before: Before
) -> Decision:
    if name is None:
        return Ask(WHICH_CUBE, (moved,), arrangement)
    die = dice_set(moved.set_name).die(name)
    face = _face_of(die, moved.face)
    candidates = tuple((known, chance) for text, chance in moved.candidates if (known := _face_of(die, text)))
    cube = replace(moved, die=name, face=face, candidates=candidates)
    kept = _kept(arrangement, cube, before)
    if moved.status != "read" or face is None:
        return Ask(UNSURE, (cube,), kept, {name: face} if face else {})
    throw = Throw.of(moved.set_name, {name: face})
    if (why := position.why_not(throw)) is not None:
        return Ignore(why, mismatch=True)
    return Commit(throw, kept)


def _face_of(die: Die, text: str | None) -> str | None:
    """Return the face of this very die that shows these letters: two cubes may share them in another order."""
    try:
        return die.face(text).text if text else None
    except ThrowError:
        return None


def _kept(arrangement: Arrangement, moved: ReadDie, before: Before) -> Arrangement:
    """Name the dice as far as they are known: dice that stayed, by their place; the moved one gets the name left."""
    change = compare(before.lying, arrangement)
    named = list(arrangement)
    (place,) = arranged([moved]) or (None,)
    for now, then in change.was.items():
        named[now] = replace(named[now], die=before.lying[then].die, face=before.lying[then].face)
    return tuple(place if place and (place.x, place.y) == (lying.x, lying.y) else lying for lying in named)
