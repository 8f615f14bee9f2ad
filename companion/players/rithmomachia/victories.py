"""The victories that a rule set of Rithmomachia knows, and how far a player is on the way to a minor one."""

from companion.rules.rithmomachia import ending
from companion.rules.rithmomachia.men import Man
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.rule_set import RithmoRules


def by_harmony(rules: RithmoRules) -> bool:
    """Whether a harmony in the enemy's half can win by these rules."""
    return rules.has_kings or _wanted(rules) != "none"


def least_grade(rules: RithmoRules) -> int:
    """Return the least grade of harmony that wins the game or, with kings, ends it, where one does; 0 is three men."""
    return rules.grades.index(str(rules["ends"]) if rules.has_kings else _wanted(rules))


def _wanted(rules: RithmoRules) -> str:
    return str(rules["goal"] if "goal" in rules.rulings else rules["major"])


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


def share_of(rules: RithmoRules, man: Man) -> float:
    """Return how much of a minor victory one man is, from 0 to 1."""
    minor = str(rules["minor"])
    if minor == "none":
        return 0.0
    if minor in ("de-corpore", "men"):
        return 1 / int(rules["men_to_take"])
    if minor == "digits":
        return min(1.0, len(str(man.number)) / int(rules["digits_to_take"]))
    return min(1.0, man.number / int(rules["points"]))
