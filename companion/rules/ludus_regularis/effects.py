"""What a throw does in a position: which virtues it points to, which of them it wins, or why it fails."""

from companion.rules.dice import Throw
from companion.rules.ludus_regularis.rulings import Effect, ThrowFit, judge, judge_second, pointed_at, total_of
from companion.rules.ludus_regularis.state import LudusState
from companion.rules.ludus_regularis.virtues import of_sum


def effect_of(state: LudusState, throw: Throw) -> Effect:
    """Return the effect of a throw that the position allows."""
    if not state.variant.by_letters:
        meant = of_sum(total_of(throw)) if state.variant.by_sum else (pointed_at(throw),)
        won = tuple(virtue for virtue in meant if not state.holder(virtue))
        return Effect("acquired" if won else "held", meant, won, None)
    judged = _judged(state, throw)
    virtue = judged.virtue
    if state.holder(virtue):
        return Effect("held", (virtue,), (), judged)
    if judged.wins:
        return Effect("acquired", (virtue,), (virtue,), judged)
    if state.first_cast is not None:
        return Effect("missed", (virtue,), (), judged)
    if judged.recast:
        return Effect("recast", (virtue,), (), judged)
    return Effect("letters" if judged.missing else "consonant", (virtue,), (), judged)


def _judged(state: LudusState, throw: Throw) -> ThrowFit:
    if state.first_cast is not None and throw is not state.first_cast:
        return judge_second(state.first_cast, throw, state.rule_set)
    return judge(throw, state.rule_set)
