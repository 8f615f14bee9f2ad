"""Men, captures and victories in translatable words; Latin names of victories stay as they are."""

from collections.abc import Mapping

from companion.language.sentence import Listing, Sentence
from companion.rules.appearance_words import colour, shape
from companion.rules.rithmomachia.choices import (
    AMBUSH,
    ASSAULT,
    DELIVERY,
    ENCOUNTER,
    POWER,
    PROGRESSION,
    SIEGE,
    Claim,
    Delivery,
)
from companion.rules.rithmomachia.men import COLOURS, Man, Part

_KINDS: Mapping[str, Sentence] = {
    ENCOUNTER: Sentence("encounter"),
    AMBUSH: Sentence("ambush"),
    ASSAULT: Sentence("assault"),
    POWER: Sentence("power"),
    PROGRESSION: Sentence("progression"),
    SIEGE: Sentence("siege"),
    DELIVERY: Sentence("delivery"),
}
_VICTORIES: Mapping[str, Sentence] = {
    "points": Sentence("by points"),
    "men": Sentence("by men"),
    "digits": Sentence("by digits"),
}
_GRADES: Mapping[str, Sentence] = {
    "small": Sentence("small"),
    "big": Sentence("big"),
    "great": Sentence("great"),
    "mediocre": Sentence("mediocre"),
    "excellent": Sentence("excellent"),
}


def man_sentence(man: Man) -> Sentence:
    """Return a man by his colour, shape and number: ``white circle 9``."""
    return Sentence("{colour} {shape} {number}", colour=side(man.owner), shape=shape(man.shape), number=man.number)


def part_sentence(part: Part | Man) -> Sentence:
    """Return a man without his colour: ``circle 9``."""
    return Sentence("{shape} {number}", shape=shape(part.shape), number=part.number)


def side(number: int) -> Sentence:
    """Return the colour of a player's men."""
    return colour(COLOURS[number])


def kind_sentence(kind: str) -> Sentence:
    """Return the name of a capture; a capture that no game has keeps its name as it came."""
    return _KINDS.get(kind) or Sentence("{kind}", kind=kind)


def claim_sentence(claim: Claim | Delivery) -> Sentence:
    """Return a claim as it is typed, in words: ``takes d7 by ambush from b5/9 and c9``."""
    kind = kind_sentence(claim.kind if isinstance(claim, Claim) else DELIVERY)
    if isinstance(claim, Claim) and claim.takers:
        takers = Listing(map(str, claim.takers))
        return Sentence("takes {target} by {kind} from {takers}", target=str(claim.target), kind=kind, takers=takers)
    return Sentence("takes {target} by {kind}", target=str(claim.target), kind=kind)


def no_square(last: str, site: str) -> Sentence:
    """Say that a board that ends at ``last`` has no such square."""
    return Sentence("The board has the squares a1 to {last}; {site} is not one of them.", last=last, site=site)


def victory_sentence(name: str) -> Sentence:
    """Return how somebody wins by a minor victory: ``by points``, or its Latin name, ``de bonis``."""
    return _VICTORIES.get(name) or Sentence("{latin}", latin=name.replace("-", " "))


def grade_sentence(grade: str) -> Sentence:
    """Return the rank of a harmony or triumph: ``great``, or its Latin name."""
    return _GRADES.get(grade) or Sentence("{latin}", latin=grade)
