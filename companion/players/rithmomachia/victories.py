"""The victories that a rule set of Rithmomachia knows, and how far a player is on the way to a minor one."""

from companion.rules.rithmomachia import ending
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.rule_set import RuleSet


def by_harmony(rules: RuleSet) -> bool:
    """Whether a harmony in the enemy's half can win by these rules."""
    if rules.has_kings:
        return True
    return str(rules["goal"] if "goal" in rules.rulings else rules["major"]) != "none"


def taken_share(position: RithmoPosition, player: int) -> float:
    """Return how much of a minor victory the men taken are, from 0 to 1."""
    rules = position.rules
    minor = str(rules["minor"])
    if minor == "none":
        return 0.0
    men = ending.counted(position, player)
    if minor in ("de-corpore", "men"):
        return min(1.0, len(men) / int(rules["men_to_take"]))
    if minor == "digits":
        return min(1.0, sum(len(str(man.number)) for man in men) / int(rules["digits_to_take"]))
    return min(1.0, sum(man.number for man in men) / int(rules["points"]))
