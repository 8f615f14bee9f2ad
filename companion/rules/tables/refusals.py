"""Why a throw or choice is not allowed: the one rule that forbids it, in a sentence."""

from companion.language.sentence import Sentence, player
from companion.rules.board import HAND, OFF
from companion.rules.dice import Throw
from companion.rules.errors import GameOverError, IllegalChoiceError, Refusal, WrongThrowError
from companion.rules.game import Choice
from companion.rules.tables.choices import Leave, Step, TurnDie
from companion.rules.tables.courses.duty import without
from companion.rules.tables.rulings import DICE_SET
from companion.rules.tables.sentences import listed
from companion.rules.tables.state import TablesState


def refusal(position: TablesState, move: Throw | Choice) -> Refusal | None:
    """Return the class of error and the sentence, or None if the throw or choice is allowed."""
    if position.over:
        return GameOverError, Sentence("The game is over, so {move} does not count.", move=str(move))
    if isinstance(move, Throw):
        sentence = _throw(position, move)
        return None if sentence is None else (WrongThrowError, sentence)
    sentence = _choice(position, move)
    return None if sentence is None else (IllegalChoiceError, sentence)


def _throw(position: TablesState, throw: Throw) -> Sentence | None:
    if position.dice:
        return Sentence("{player} still has {dice} to play.", player=player(position.turn), dice=listed(position.dice))
    if throw in position.rules.numbers:
        return None
    return Sentence(
        "Expected a throw of {count} {set} dice, but got {throw} of the {got} dice.",
        count=len(position.rules.thrown),
        set=DICE_SET,
        throw=str(throw),
        got=throw.set_name,
    )


def _choice(position: TablesState, choice: Choice) -> Sentence | None:  # noqa: PLR0911 - one for each rule
    if not position.dice:
        return Sentence("{player} must throw first.", player=player(position.turn))
    if isinstance(choice, TurnDie):
        if not position.aside.turning:
            return Sentence("There is no die to turn now.")
        if choice.die not in position.dice:
            return Sentence("No die shows {die}; they show {dice}.", die=choice.die, dice=listed(position.dice))
        return None
    if isinstance(choice, Leave):
        return None if position.may_leave else Sentence("You may leave only dice that the other side passed on.")
    if not isinstance(choice, Step):
        return Sentence("This game has no choice {choice}; a step looks like k-q.", choice=str(choice))
    if position.aside.turning:
        return Sentence("First turn one of the dice to a six.")
    return _step(position, choice)


def _step(position: TablesState, step: Step) -> Sentence | None:  # noqa: PLR0911 - one for each rule
    course, own = position.course, position.own
    key = course.by_step.get(step)
    if key is None:
        return course.forbids(own, 0, step) or _no_such_step(position, step)
    bit, die = key
    if die not in position.dice:
        return Sentence("There is no {die} to play; the dice to play are {dice}.", die=die, dice=listed(position.dice))
    if position.duty.origins(own, die) & bit:
        return _against_duty(position, step, bit)
    if sentence := course.forbids(own, bit, step):
        return sentence
    if course.occupied(own, bit):
        return _blocked(position, step, bit)
    if step.origin == HAND:
        return Sentence("There is no man in hand.")
    return Sentence("{player} has no man on {origin}.", player=player(position.turn), origin=step.origin)


def _no_such_step(position: TablesState, step: Step) -> Sentence:
    course = position.course
    places = {HAND: 0, **course.places, OFF: course.length + 1}
    for place in (step.origin, step.to):
        if place not in places or (place == OFF and step.origin == OFF):
            return Sentence("{place} is not on the way of {player}.", place=place, player=player(position.turn))
    way = places[step.to] - places[step.origin]
    if way <= 0:
        return Sentence("{step} goes the wrong way: this side runs {track}.", step=str(step), track=course.track)
    if step.origin == HAND and step.to == OFF:
        return Sentence("A man in hand must enter before he can be borne off.")
    if way > 6:  # noqa: PLR2004 - the highest die
        return Sentence("{step} is {way} points, more than any of the dice.", step=str(step), way=way)
    return Sentence("{step} needs a {way}, not a {die}.", step=str(step), way=way, die=step.die)


def _blocked(position: TablesState, step: Step, bit: int) -> Sentence:  # noqa: PLR0911 - one for each rule
    """Say what stops a man that is there from going with a die that is still to play."""
    course, own, shut = position.course, position.own, position.duty.shut
    movement = course.movement
    if own & course.forced and step.origin != HAND:
        return Sentence("A man in hand must enter before any other man is moved.")
    if step.origin != HAND and movement.entry_only and step.to != OFF:
        return Sentence("In this game men on the board do not move.")
    if step.to == OFF:
        return _not_borne(position)
    if movement.still_home and bit & course.home:
        return Sentence("Men in the last table may only be borne off.")
    landed = course.landed(bit, step.die)
    if shut & landed:
        return Sentence("The other side holds {to} with two men or more.", to=step.to)
    if step.origin == HAND and course.entry_shut & landed:
        return Sentence("No man may enter again on {to}, the point where his side began.", to=step.to)
    if course.single & landed:
        return Sentence(
            "There is a man on {to}, and no second one may join him on the half where his side enters.", to=step.to
        )
    return Sentence("There are already two men on {to}, and a point holds no more.", to=step.to)


def _not_borne(position: TablesState) -> Sentence:
    course, own = position.course, position.own
    if not course.movement.bears:
        return Sentence("Nobody bears off in this game: you win by having all men in the last table.")
    if own & course.outside:
        return Sentence("Men may be borne off only when all men of the side are in the last table.")
    hindmost = next(point for point, place in course.places.items() if course.at(own, place))
    return Sentence(
        "A higher die bears off only the man farthest back, and there is one farther back on {behind}.", behind=hindmost
    )


def _against_duty(position: TablesState, step: Step, bit: int) -> Sentence | None:
    """Say which play uses more dice or higher ones, or return None if no play is better than this step."""
    duty, own, dice = position.duty, position.own, position.dice
    if len(dice) == 1 or duty.meets(own, dice, bit, step.die):
        return None
    best_count, best_dice = duty.best(own, dice)
    rest, after = without(dice, step.die), position.course.moved(own, bit, step.die)
    count = duty.best(after, rest)[0] + 1
    better = " ".join(_example(position))
    if best_count > count:
        return Sentence(
            "After {step} only {count} of the dice can be played; {better} plays {best}, and you must play as many "
            "as possible.",
            step=str(step),
            count=count,
            better=better,
            best=best_count,
        )
    return Sentence(
        "When several ways play {count} of the dice, you must play the higher ones: {better} plays {dice}.",
        count=count,
        better=better,
        dice=listed(best_dice),
    )


def _example(position: TablesState) -> list[str]:
    """Return one way to play the turn that meets the duty."""
    duty, own, dice = position.duty, position.own, position.dice
    found = []
    while dice:
        steps = duty.legal(own, dice)
        if not steps:
            break
        found.append(str(steps[0]))
        bit, die = position.course.by_step[steps[0]]
        own, dice = position.course.moved(own, bit, die), without(dice, die)
    return found
