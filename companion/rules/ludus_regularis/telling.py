"""The referee's sentence on every throw: what it won, or which condition it failed and what would have done."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.language.sentence import Listing, Sentence, player
from companion.rules.dice import Throw
from companion.rules.game import Account, Choice
from companion.rules.ludus_regularis.pairing import Pair, completed
from companion.rules.ludus_regularis.rulings import CONSONANTS, POINTER, Effect, total_of, winning_second_faces
from companion.rules.ludus_regularis.virtues import Virtue

if TYPE_CHECKING:
    from companion.rules.ludus_regularis.position import LudusPosition

DIE_NAMES = {
    "1": Sentence("first cube"),
    "2": Sentence("second cube"),
    "3": Sentence("third cube"),
    CONSONANTS: Sentence("tetrahedron"),
    POINTER: Sentence("pointer"),
}


def dice(names: Iterable[str]) -> Sentence | Listing:
    """Return dice by what players call them."""
    named = [DIE_NAMES.get(name, name) for name in names]
    return Listing(named, "comma") if named else Sentence("no dice")


def account(position: "LudusPosition", move: Throw | Choice) -> Account:
    """Tell what an allowed throw or choice comes to in a position."""
    if not isinstance(move, Throw):
        details = {"kind": "choice", "result": "time-up", "player": position.turn, "acquired": [], "pairs": []}
        return Account(Sentence("The agreed time is up; the virtues are counted."), (), details)
    effect = position.effect(move)
    pairs = _new_pairs(position, effect)
    if position.variant.by_sum:
        said = _by_sum(position, move, effect)
    elif effect.judged is None:
        said = _by_wheel(position, effect)
    else:
        said = _by_letters(position, move, effect)
    if pairs:
        said = Sentence("{said} {pairs}", said=said, pairs=_told_pairs(pairs))
    sites = tuple(virtue.lot for virtue in effect.won)
    return Account(said, sites, _details(position, move, effect, pairs))


def _new_pairs(position: "LudusPosition", effect: Effect) -> tuple[Pair, ...]:
    rows_only = position.options["pairs"] == "rows"
    held = position.held(position.turn)
    before = completed(held, rows_only=rows_only)
    return completed([*held, *effect.won], rows_only=rows_only)[len(before) :]


def _told_pairs(pairs: Sequence[Pair]) -> Sentence:
    named = ", ".join(f"{one.latin} + {other.latin}" for one, other in pairs)
    return Sentence("Together they make 21: {pairs}.", pairs=named)


def _by_sum(position: "LudusPosition", throw: Throw, effect: Effect) -> Sentence:
    total = total_of(throw)
    who = player(position.turn)
    if not effect.won:
        return Sentence("{sum}: every virtue of this sum is already held.", sum=total)
    named = ", ".join(virtue.latin for virtue in effect.won)
    if len(effect.won) == 1:
        return Sentence("{sum}: {player} acquires {virtues}.", sum=total, player=who, virtues=named)
    said = "{sum}: {player} acquires its {count} virtues {virtues}."
    return Sentence(said, sum=total, player=who, count=len(effect.won), virtues=named)


def _by_wheel(position: "LudusPosition", effect: Effect) -> Sentence:
    virtue = effect.meant[0]
    if effect.won:
        said = "The pointer stops at {virtue}: {player} acquires it."
        return Sentence(said, virtue=virtue.latin, player=player(position.turn))
    holder = position.holder(virtue)
    said = "The pointer stops at {virtue}, which {holder} already holds."
    return Sentence(said, virtue=virtue.latin, holder=player(holder))


def _by_letters(position: "LudusPosition", throw: Throw, effect: Effect) -> Sentence:
    judged = effect.judged
    assert judged is not None, "the whole game judges letters"
    virtue = judged.virtue
    holder = position.holder(virtue)
    templates: Mapping[str, str] = {
        "acquired": "{lot} is {virtue}: its vowels lie there and {face} has one of its consonants; "
        "{player} acquires it.",
        "held": "{lot} is {virtue}, which {holder} already holds.",
        "letters": "{lot} is {virtue}, but on the cubes it lacks {missing}.",
        "consonant": "{lot} is {virtue} and its vowels lie there, but {face} has none of its consonants; "
        "{winning} would have won it.",
        "recast": "{lot} is {virtue} and only {missing} is lacking: {player} throws any one of the cubes again.",
        "missed": "The second cast shows {cube} and still lacks {missing}; {virtue} stays free.",
    }
    template = templates[effect.result]
    if effect.result == "held" and holder == position.turn:
        template = "{lot} is {virtue}, which {holder} holds already."
    if effect.result == "letters" and not judged.fits:
        template = (
            "{lot} is {virtue}, but on the cubes it lacks {missing}, and {face} has none of its consonants either."
        )
    if effect.result == "acquired" and position.first_cast is not None:
        template = "The second cast shows {cube} and brings the letter that lacked: {player} acquires {virtue}."
    parts = {
        "lot": virtue.lot,
        "virtue": virtue.latin,
        "player": player(position.turn),
        "holder": player(holder),
        "face": judged.face,
        "missing": ", ".join(judged.missing),
        "winning": ", ".join(virtue.winning_faces),
        "cube": str(throw),
    }
    return Sentence(template, **{name: part for name, part in parts.items() if "{" + name + "}" in template})


def _details(position: "LudusPosition", throw: Throw, effect: Effect, pairs: Sequence[Pair]) -> dict[str, Any]:
    details: dict[str, Any] = {
        "kind": "throw" if position.first_cast is None else "recast",
        "result": effect.result,
        "player": position.turn,
        "number": position.throw_number,
        "acquired": [virtue.lot for virtue in effect.won],
        "pairs": [[one.lot, other.lot] for one, other in pairs],
        "meant": [virtue.lot for virtue in effect.meant],
    }
    judged = effect.judged
    if position.variant.by_sum:
        return details | {"sum": total_of(throw)}
    if judged is None:
        return details | _virtue_details(position, effect.meant[0])
    return (
        details
        | _virtue_details(position, judged.virtue)
        | {
            "missing": list(judged.missing),
            "consonant": judged.face,
            "consonant_fits": judged.fits,
            "winning_consonants": list(judged.virtue.winning_faces),
            "winning_second_faces": {
                cube: list(faces) for cube, faces in _second_faces(position, throw, effect).items()
            },
        }
    )


def _virtue_details(position: "LudusPosition", virtue: Virtue) -> dict[str, Any]:
    return {
        "lot": virtue.lot,
        "virtue": virtue.lot,
        "name": virtue.latin,
        "english": virtue.english,
        "sum": virtue.sum,
        "holder": position.holder(virtue) or None,
    }


def _second_faces(position: "LudusPosition", throw: Throw, effect: Effect) -> Mapping[str, tuple[str, ...]]:
    return winning_second_faces(throw, position.reading) if effect.result == "recast" else {}
