"""A second, deliberately naive Rithmomachia: from a position's JSON its choices as text, what follows, who has won.

It shares nothing with the engine but the page for players: no tables, no incremental anything, every square and every
pair tried each time.
"""

import copy
from typing import Any

from tests.rules.rithmomachia.naive_captures import Capture, captures
from tests.rules.rithmomachia.naive_men import Board, Man, array, place, squares
from tests.rules.rithmomachia.naive_moves import moves
from tests.rules.rithmomachia.naive_options import D, I, M, Settings, settings
from tests.rules.rithmomachia.naive_victories import formations, in_other_half, minor_reached

State = dict[str, Any]

COLOURS = {1: "white", 2: "black"}
GRADES = {1: "mediocre", 2: "great", 3: "excellent"}


def start(slug: str, **chosen: Any) -> State:
    options = settings(slug, chosen)
    return {
        "game": slug,
        "options": chosen,
        "turn": 1 if options["first"] == "white" else 2,
        "phase": "move",
        "men": array(options["ranks"], 2 if options["array"] == "forward" else 0),
        "captured": {"1": [], "2": []},
        "last": None,
        "lifted": {},
        "removed": {"1": [], "2": []},
        "triumphs": {"1": [], "2": []},
        "returned": {"1": [], "2": []},
    }


def chosen(state: State) -> Settings:
    return settings(state["game"], state["options"])


def own_half(colour: str, options: Settings, square: str) -> bool:
    return not in_other_half(colour, options["ranks"], square)


def as_it_stood(state: State) -> Board:
    """Return the board on which captures are judged: the men taken since the move put back."""
    return {**state["men"], **state["lifted"]}


def still_there(state: State, target: str) -> bool:
    """Whether a target named on the board as it stood can still be lifted; no whole pyramid that lost a part since."""
    square, _, number = target.partition("/")
    man = state["men"].get(square)
    if man is None:
        return False
    if number:
        return any(part["number"] == int(number) for part in man["parts"])
    return square not in state["lifted"]


def standing_captures(state: State, colour: str) -> set[Capture]:
    """List what a colour may still claim, or might have claimed, after ``last`` or in a turn begun without a move."""
    options = chosen(state)
    moved = None
    if state["last"] and options["capturing"] == "mover":
        moved = state["last"]["to"]
    found = captures(as_it_stood(state), state["game"], options, colour, moved)
    return {capture for capture in found if still_there(state, capture[0])}


def deliveries(state: State) -> set[str]:
    """List the men, or parts, that could have taken something in the other player's last turn and did not."""
    options = chosen(state)
    last = state["last"]
    if state["game"] != D or not options["innocent_delivery"] or options["claims"] == "automatic":
        return set()
    if not last or not was_regular(last["from"], last["to"]):
        return set()
    missed = standing_captures(state, COLOURS[3 - state["turn"]])
    return {name for _, _, takers in missed for name in takers or (last["to"],)}


def was_regular(one: str, other: str) -> bool:
    """Whether a move of Durnil & Guardia's game went straight or diagonally."""
    across, along = (abs(a - b) for a, b in zip(place(one), place(other), strict=True))
    return across == along or 0 in (across, along)


def return_text(man: Man, square: str) -> str:
    return f"return {man['shape']} {man['number']} to {square}"


def claim_text(capture: Capture) -> str:
    target, kind, takers = capture
    return f"takes {target} by {kind}" + (f" from {' and '.join(takers)}" if takers else "")


def choices(state: State) -> set[str]:
    """Return the text of every legal choice."""
    if winners(state):
        return set()
    return choices_while_on(state)


def choices_while_on(state: State) -> set[str]:
    slug, options, turn = state["game"], chosen(state), state["turn"]
    colour = COLOURS[turn]
    if state["phase"] == "claims":
        return {claim_text(capture) for capture in standing_captures(state, colour)} | {"done"}
    board = state["men"]
    before = captures(board, slug, options, colour, None) if options["before"] == "instead" else set()
    claims = {claim_text(capture) for capture in before}
    own = [square for square, man in board.items() if man["colour"] == colour]
    found = {f"{one}-{other}" for one in own for other, _, _ in moves(board, slug, options["ranks"], one)}
    if options["returns"] != "none":
        for square in squares(options["ranks"]):
            if square not in board and (options["returns"] == "anywhere" or own_half(colour, options, square)):
                found |= {return_text(man, square) for man in state["captured"][str(turn)]}
    return found | claims | {f"takes {name} by delivery" for name in deliveries(state)}


def lift(state: State, target: str) -> None:
    """Take a man, a part or a whole pyramid off the board for the player in turn."""
    square, _, number = target.partition("/")
    man = state["men"][square]
    state["lifted"].setdefault(square, copy.deepcopy(man))
    king = man["shape"] == "pyramid" and state["game"] == I
    taken = state["removed" if king else "captured"][str(state["turn"])]
    if not number:
        taken.append(state["men"].pop(square))
        return
    (part,) = (part for part in man["parts"] if part["number"] == int(number))
    single = {"colour": man["colour"], **part}
    if "began" in man:
        single["began"] = man["began"]
    taken.append(single)
    man["parts"] = [other for other in man["parts"] if other is not part]
    man["number"] -= part["number"]
    if not man["parts"]:
        del state["men"][square]


def flip(man: Man) -> Man:
    """Return the man in the other colour; ``began`` says the first one while he is away from it."""
    first = man.get("began", man["colour"])
    turned = {**man, "colour": "black" if man["colour"] == "white" else "white"}
    turned.pop("began", None)
    return turned if turned["colour"] == first else {**turned, "began": first}


def after(state: State, text: str) -> State:
    """Return the position after a choice in its full text form."""
    new = copy.deepcopy(state)
    if text == "done":
        pass_turn(new, keep=state["game"] == D)  # what was not claimed stays to be delivered
    elif text.startswith("return "):
        bring_back(new, text)
    elif text.startswith("takes "):
        take(new, text)
    else:
        move(new, text)
    return new


def pass_turn(state: State, *, keep: bool = False) -> None:
    """Hand the turn over; the last move is kept where somebody may still ask after it."""
    state["turn"] = 3 - state["turn"]
    state["phase"] = "move"
    if not keep:
        state["last"], state["lifted"] = None, {}


def bring_back(state: State, text: str) -> None:
    _, shape, number, _, square = text.split()
    held = state["captured"][str(state["turn"])]
    alike = [man for man in held if (man["shape"], man["number"]) == (shape, int(number))]
    own_first = [man for man in alike if man.get("began") == COLOURS[state["turn"]]]
    man = (own_first or alike)[0]
    held.remove(man)
    state["men"][square] = flip(man)
    if chosen(state).get("returned_points") == "counted":
        state["returned"][str(state["turn"])].append(man)
    pass_turn(state)


def take(state: State, text: str) -> None:
    words = text.split()
    target, kind, takers = words[1], words[3], words[5::2]
    if state["phase"] == "move":
        state["last"], state["lifted"] = None, {}
    numbers = [number_of(as_it_stood(state), name) for name in (target, *takers)]
    king_was_gone = not king_stands(state, COLOURS[3 - state["turn"]])
    lift(state, target)
    if chosen(state)["several"] == "as-it-lies":
        state["lifted"] = {}
    if kind == "delivery":
        pass_turn(state)
        return
    state["phase"] = "claims"
    note_formations(state)
    if kind == "progression" and state["game"] == I and chosen(state)["proportion_triumph"] and king_was_gone:
        note(state, 1, tuple(sorted(numbers)))


def king_stands(state: State, colour: str) -> bool:
    return any(man["shape"] == "pyramid" and man["colour"] == colour for man in state["men"].values())


def number_of(board: Board, name: str) -> int:
    square, _, number = name.partition("/")
    return int(number) if number else int(board[square]["number"])


def note(state: State, grade: int, numbers: tuple[int, ...]) -> None:
    """Note a triumph unless this player has one of these numbers already."""
    noted = state["triumphs"][str(state["turn"])]
    if list(numbers) not in [triumph["numbers"] for triumph in noted]:
        noted.append({"grade": GRADES[grade], "numbers": list(numbers)})


def note_formations(state: State) -> None:
    """Note the triumphs of the best grade that the last move completed, even if the king fell only after it."""
    if state["game"] == I and state["last"]:
        found = formations(state["men"], I, chosen(state), state["last"]["to"])
        best = max((reached for reached, _ in found), default=0)
        for reached, numbers in found:
            if reached == best:
                note(state, reached, numbers)


def move(state: State, text: str) -> None:
    one, other = text.split("-")
    slug, options = state["game"], chosen(state)
    state["men"][other] = state["men"].pop(one)
    state["last"], state["lifted"] = {"from": one, "to": other}, {}
    note_formations(state)
    if slug == D and not was_regular(one, other):
        pass_turn(state, keep=True)
    elif options["claims"] == "automatic":
        take_everything(state)
        pass_turn(state, keep=True)
    else:
        state["phase"] = "claims"


def take_everything(state: State) -> None:
    names = {capture[0] for capture in standing_captures(state, COLOURS[state["turn"]])}
    for name in sorted(names):
        if name.split("/")[0] not in names - {name}:
            lift(state, name)
            note_formations(state)
    if chosen(state)["several"] == "as-it-lies":
        state["lifted"] = {}


def held_value(state: State, player: int) -> int:
    """Return the value of the men that a player has taken and still counts."""
    return sum(man["number"] for pile in ("captured", "removed", "returned") for man in state[pile][str(player)])


def winners(state: State) -> tuple[int, ...]:
    """Return who has won, whoever acted last before the other; nobody while the game goes on."""
    slug, options = state["game"], chosen(state)
    actor = state["turn"] if state["phase"] == "claims" else 3 - state["turn"]
    for player in (actor, 3 - actor):
        if minor_reached(options, state["captured"][str(player)] + state["returned"][str(player)]):
            return (player,)
    if slug == I:
        needed = list(GRADES.values()).index(options["ends"]) + 1
        for player in (1, 2):
            if best_triumph(state, player) >= needed:
                return (player,)
    elif state["last"]:
        needed = victory_needed(slug, options)
        square = state["last"]["to"]
        if any(reached >= needed for reached, _ in formations(as_it_stood(state), slug, options, square)):
            return (1,) if state["men"][square]["colour"] == "white" else (2,)
    if state["phase"] == "move" and not choices_while_on(state):
        return stuck(state, options)
    return ()


def victory_needed(slug: str, options: Settings) -> int:
    if slug == M:
        return ["small", "big", "great"].index(options["goal"]) + 1
    return {"none": 4, "magna": 1, "superior": 2, "excellentissima": 3}[options["major"]]


def stuck(state: State, options: Settings) -> tuple[int, ...]:
    if options["stuck"] == "loses":
        return (3 - state["turn"],)
    worth = {player: (best_triumph(state, player), held_value(state, player)) for player in (1, 2)}
    return tuple(player for player in (1, 2) if worth[player] == max(worth.values()))


def best_triumph(state: State, player: int) -> int:
    grades = ["none", *GRADES.values()]
    return max((grades.index(triumph["grade"]) for triumph in state["triumphs"][str(player)]), default=0)
