"""The referee's sentence on every throw: what it won, which condition it failed, or why it does not count here."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from companion.language.sentence import N_, Listing, Sentence, Template, player
from companion.rules.dice import Throw, dice_set
from companion.rules.game import Await, Choice
from companion.rules.ludus_regularis.effects import effect_of
from companion.rules.ludus_regularis.pairing import Pair, completed
from companion.rules.ludus_regularis.rulings import CONSONANTS, CUBES, POINTER, Effect, total_of, winning_second_faces
from companion.rules.ludus_regularis.state import LudusState
from companion.rules.ludus_regularis.variant import Kind
from companion.rules.ludus_regularis.virtues import Virtue, virtues
from companion.rules.results import Account

DIE_NAMES = {
    "1": Sentence("first cube"),
    "2": Sentence("second cube"),
    "3": Sentence("third cube"),
    CONSONANTS: Sentence("tetrahedron"),
    POINTER: Sentence("pointer"),
}


def dice(names: Iterable[str]) -> Sentence | Listing:
    """Return the players' names of dice."""
    named = [DIE_NAMES.get(name, name) for name in names]
    return Listing(named, "comma") if named else Sentence("no dice")


@lru_cache(maxsize=256)
def awaits(kind: Kind, turn: int, again: str | None, *, over: bool) -> Await:
    """Say who must throw what; ``again`` is the set of a throw of which one cube is thrown a second time, or None."""
    who = player(turn)
    if over:
        return Await("over", turn, Sentence("The game is over."))
    if again is not None:
        sentence = Sentence(
            "{player} throws one of the three cubes again, for {virtue}.", player=who, virtue=_mended().called
        )
        return Await("recast", turn, sentence, (again,), CUBES)
    if kind == "sum":
        return Await("throw", turn, Sentence("{player} throws the three cubes.", player=who), ("wibold", "pips"), CUBES)
    if kind == "wheel":
        return Await("throw", turn, Sentence("{player} spins the pointer.", player=who), ("wheel",), (POINTER,))
    sentence = Sentence("{player} throws the three cubes and the tetrahedron.", player=who)
    return Await("throw", turn, sentence, ("wibold",), (*CUBES, CONSONANTS))


def _mended() -> Virtue:
    """Return the virtue that a second cast may mend."""
    return next(virtue for virtue in virtues() if virtue.second_cast)


def refusal_of_throw(waits: Await, throw: Throw) -> Sentence | None:
    """Say what is wrong with a throw where these dice are awaited, or return None."""
    if throw.set_name not in waits.dice_sets:
        return Sentence(
            "Expected a throw of the {expected} dice, but these are {set} dice.",
            expected=", ".join(waits.dice_sets),
            set=throw.set_name,
        )
    names = [name for name, _ in throw.shown]
    known = dice_set(throw.set_name)
    for name, face in throw.shown:
        if (name, face) not in known.shows:
            return Sentence("The {set} dice have no die {die} with {face}.", set=known.name, die=name, face=face)
    if waits.kind == "recast":
        if len(names) == 1 and names[0] in waits.dice:
            return None
        return Sentence(
            "Expected one cube thrown again for {virtue}, but got {dice}.", virtue=_mended().called, dice=dice(names)
        )
    if sorted(names) == sorted(waits.dice):
        return None
    return Sentence("Expected the dice {expected}, but got {dice}.", expected=dice(waits.dice), dice=dice(names))


def account(state: LudusState, move: Throw | Choice) -> Account:
    """Return the account of an allowed throw or choice in a position."""
    if not isinstance(move, Throw):
        details = {"kind": "choice", "result": "time-up", "player": state.turn, "acquired": [], "pairs": []}
        return Account(Sentence("The agreed time is up; the virtues are counted."), (), details)
    effect = effect_of(state, move)
    pairs = _new_pairs(state, effect)
    if state.variant.by_sum:
        sentence = _by_sum(state, move, effect)
    elif effect.judged is None:
        sentence = _by_wheel(state, effect)
    else:
        sentence = _by_letters(state, move, effect)
    if pairs:
        sentence = Sentence("{said} {pairs}", said=sentence, pairs=_pairs_sentence(pairs))
    sites = tuple(virtue.lot for virtue in effect.won)
    return Account(sentence, sites, _details(state, move, effect, pairs), _news(state, effect, pairs))


def _news(state: LudusState, effect: Effect, pairs: Sequence[Pair]) -> Sentence | None:
    """Return who wins what, or what is missing; None where the whole sentence is short."""
    who, judged = player(state.turn), effect.judged
    if len(effect.won) > 1:
        return Sentence("{player} wins {count} virtues.", player=who, count=len(effect.won))
    if effect.won:
        template = N_("{player} wins {virtue} and a pair of 21.") if pairs else N_("{player} wins {virtue}.")
        return Sentence.of(template, player=who, virtue=effect.won[0].called_briefly)
    if state.variant.by_sum:
        return None
    virtue = effect.meant[0]
    if judged is None or effect.result == "held":
        holder = player(state.holder(virtue))
        return Sentence("{virtue} stays with {holder}.", virtue=virtue.called_briefly, holder=holder)
    if not judged.missing:
        return Sentence("{player} misses {virtue}: no consonant fits.", player=who, virtue=virtue.called_briefly)
    template = N_("{player} misses {virtue}: the cubes lack {missing}.")
    if effect.result == "recast":
        template = N_("{player} nearly wins {virtue}: the cubes lack only {missing}.")
    return Sentence.of(template, player=who, virtue=virtue.called_briefly, missing=_letters(judged.missing))


def _new_pairs(state: LudusState, effect: Effect) -> tuple[Pair, ...]:
    rows_only = state.options["pairs"] == "rows"
    held = state.held(state.turn)
    before = completed(held, rows_only=rows_only)
    return completed([*held, *effect.won], rows_only=rows_only)[len(before) :]


def _pairs_sentence(pairs: Sequence[Pair]) -> Sentence:
    named = Listing(
        (Sentence("{one} + {other}", one=one.called_briefly, other=other.called_briefly) for one, other in pairs),
        "comma",
    )
    return Sentence("Together they make 21: {pairs}.", pairs=named)


def _by_sum(state: LudusState, throw: Throw, effect: Effect) -> Sentence:
    total = total_of(throw)
    who = player(state.turn)
    if not effect.won:
        return Sentence("{sum}: every virtue with this sum is already held.", sum=total)
    if len(effect.won) == 1:
        return Sentence("{sum}: {player} acquires {virtues}.", sum=total, player=who, virtues=effect.won[0].called)
    return Sentence(
        "{sum}: {player} acquires its {count} virtues {virtues}.",
        sum=total,
        player=who,
        count=len(effect.won),
        virtues=Listing((virtue.called_briefly for virtue in effect.won), "comma"),
    )


def _by_wheel(state: LudusState, effect: Effect) -> Sentence:
    virtue = effect.meant[0]
    if effect.won:
        return Sentence(
            "The pointer stops at {virtue}: {player} acquires it.", virtue=virtue.called, player=player(state.turn)
        )
    holder = state.holder(virtue)
    return Sentence(
        "The pointer stops at {virtue}, which {holder} already holds.", virtue=virtue.called, holder=player(holder)
    )


def _by_letters(state: LudusState, throw: Throw, effect: Effect) -> Sentence:
    judged = effect.judged
    assert judged is not None, "the whole game judges letters"
    virtue = judged.virtue
    holder = state.holder(virtue)
    templates: Mapping[str, Template] = {
        "acquired": N_(
            "{lot} is {virtue}: the cubes show its vowels and {face} has one of its consonants; {player} acquires it."
        ),
        "held": N_("{lot} is {virtue}, which {holder} already holds."),
        "letters": N_("{lot} is {virtue}, but the cubes lack {missing}."),
        "consonant": N_(
            "{lot} is {virtue} and the cubes show its vowels, but {face} has none of its consonants; {winning} would "
            "have won it."
        ),
        "recast": N_(
            "{lot} is {virtue}, and the cubes lack only {missing}: {player} throws any one of the cubes again."
        ),
        "missed": N_("The second cast shows {cube}, but the cubes still lack {missing}; {virtue} stays free."),
    }
    template = templates[effect.result]
    if effect.result == "letters" and not judged.fits:
        template = N_("{lot} is {virtue}, but the cubes lack {missing}, and {face} has none of its consonants either.")
    if effect.result == "acquired" and state.first_cast is not None:
        template = N_("The second cast shows {cube} and brings the missing letter: {player} acquires {virtue}.")
    parts = {
        "lot": virtue.lot,
        "virtue": virtue.called,
        "player": player(state.turn),
        "holder": player(holder),
        "face": judged.face,
        "missing": _letters(judged.missing),
        "winning": ", ".join(virtue.winning_faces),
        "cube": str(throw),
    }
    return Sentence.of(template, **{name: part for name, part in parts.items() if "{" + name + "}" in template})


def _letters(missing: str) -> Listing:
    """Return letters as a person counts them: "one I and two A's"."""
    counted = (N_("one {letter}"), N_("two {letter}'s"), N_("three {letter}'s"))
    return Listing(Sentence.of(counted[times - 1], letter=letter) for letter, times in Counter(missing).items())


def _details(state: LudusState, throw: Throw, effect: Effect, pairs: Sequence[Pair]) -> dict[str, Any]:
    details: dict[str, Any] = {
        "kind": "throw" if state.first_cast is None else "recast",
        "result": effect.result,
        "player": state.turn,
        "number": state.throw_number,
        "acquired": [virtue.lot for virtue in effect.won],
        "pairs": [[one.lot, other.lot] for one, other in pairs],
        "meant": [virtue.lot for virtue in effect.meant],
    }
    judged = effect.judged
    if state.variant.by_sum:
        return details | {"sum": total_of(throw)}
    if judged is None:
        return details | _virtue_details(state, effect.meant[0])
    return (
        details
        | _virtue_details(state, judged.virtue)
        | {
            "missing": list(judged.missing),
            "consonant": judged.face,
            "consonant_fits": judged.fits,
            "winning_consonants": list(judged.virtue.winning_faces),
            "winning_second_faces": {cube: list(faces) for cube, faces in _second_faces(state, throw, effect).items()},
        }
    )


def _virtue_details(state: LudusState, virtue: Virtue) -> dict[str, Any]:
    return {
        "lot": virtue.lot,
        "virtue": virtue.lot,
        "name": virtue.latin,
        "english": virtue.english,
        "sum": virtue.sum,
        "holder": state.holder(virtue) or None,
    }


def _second_faces(state: LudusState, throw: Throw, effect: Effect) -> Mapping[str, tuple[str, ...]]:
    return winning_second_faces(throw, state.rule_set) if effect.result == "recast" else {}
