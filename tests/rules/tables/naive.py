"""The rules of tables a second time, deliberately naive: dicts and lists, every order of the dice tried out.

Slow and plain on purpose, so that it can be read beside Lewins' text and trusted. It shares no line with the program.
A position is a `State`; `after_throw` and `after` give new ones; `legal` lists what may be done.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from tests.rules.tables.naive_variants import VARIANTS, Men, Side, Variant, along, setup

Step = tuple[str, str, int]  # from a point or "hand", to a point or "off", with this die
Move = Step | int  # a bare number is the die that shall be turned to six
Key = tuple[object, ...]
Used = tuple[int, tuple[int, ...]]  # how many dice, and which, the highest first: the greater the better

DIAGONAL = {"af": "ns", "gm": "tz", "ns": "af", "tz": "gm"}


@dataclass
class State:
    """Everything that lies on the table, and whose turn it is."""

    slug: str
    options: dict[str, Any]
    players: int = 2
    turn: int = 1
    men: dict[int, Men] = field(default_factory=dict)
    hit: dict[int, Men] = field(default_factory=dict)  # those in hand that were hit, by the table where they enter
    down: dict[int, list[str]] = field(default_factory=dict)  # Doblet: the piles that were taken down
    dice: list[int] = field(default_factory=list)
    to_turn: bool = False  # one of the dice has still to be turned to six
    thrower: int = 1  # who threw these dice: not the player to move where dice are lent
    again: bool = False  # the thrower throws once more after this turn
    moved: bool = False  # something was played with this throw
    won: int = 0  # Paume Carie: the side that has won and goes on with the losers' men
    slaps: int = 0  # how many of these it has borne off
    winner: int | None = None  # a side; 0 is a tie
    lawful: list[Step] | None = None  # the legal steps, once they were looked for

    @property
    def variant(self) -> Variant:
        return VARIANTS[self.slug]

    @property
    def count(self) -> int:
        """How many men a side has."""
        return int(self.options["men"])

    @property
    def team(self) -> int:
        """The side of the player to move."""
        return 1 if self.turn <= self.players // 2 else 2

    @property
    def side(self) -> int:
        """The side whose men are moved."""
        return 3 - self.won if self.won else self.team

    @property
    def lent(self) -> bool:
        return self.turn != self.thrower

    def way(self, side: int) -> Side:
        if side == 2 and "second_side" in self.options:
            return self.variant.second_sides[self.options["second_side"]]
        turned = self.variant.turned if self.options.get("turned") else None
        return (turned or (self.variant.first, self.variant.second))[side - 1]

    def copy(self) -> "State":
        """Return another table with the same men on it."""
        men, hit = ({side: kind[side].copy() for side in (1, 2)} for kind in (self.men, self.hit))
        return replace(self, men=men, hit=hit, down=self.down.copy(), dice=self.dice.copy(), lawful=None)

    def key(self) -> Key:
        """Return what tells this position from others."""
        counted = [
            frozenset(men for men in kind[side].items() if men[1]) for kind in (self.men, self.hit) for side in (1, 2)
        ]
        piles = [tuple(self.down[side]) for side in (1, 2)]
        turn = (self.turn, self.thrower, self.again, self.to_turn) if self.dice else self.turn
        return *counted, *piles, turn, tuple(sorted(self.dice)), self.won, self.slaps, self.winner


def start(slug: str, players: int = 2, **options: Any) -> State:
    variant = VARIANTS[slug]
    agreed = {
        "dice": variant.team_dice if players > 2 and variant.team_dice else variant.dice,
        "doubles_twice": variant.doubles_twice,
        "extra_turn": variant.extra_turn,
        "lends": variant.lends,
        "enter_first": True,
        "all_enter_first": variant.all_enter_first,
        "ad_fallum": False,
        "bears": variant.bears,
        "slaps": variant.slaps,
        "men": variant.men,
    }
    state = State(slug, agreed | options, players)
    for side in (1, 2):
        men = setup(state.way(side).array)
        while sum(men.values()) > state.count:  # fewer men are taken from the points that are filled last
            last = [point for point, count in men.items() if count][-1]
            men[last] -= 1
        state.men[side] = men | {"hand": state.count - sum(men.values()), "off": 0}
        state.hit[side] = {}
        state.down[side] = []
    return state


def begun_by_battle(slug: str, players: int, first: int, second: int, **options: Any) -> State:
    """Start a game for whose start both sides have thrown different sums; Baralie's array follows the winner."""
    won = 1 if first > second else 2
    turns = options.pop("turned_by_battle", True) and VARIANTS[slug].turned is not None
    turned = options.pop("turned", False) or (won == 2 and turns)
    state = start(slug, players, turned=turned, **options)
    state.turn = state.thrower = 1 if won == 1 else players // 2 + 1
    return state


# --- one man with one die ---


def steps(state: State, die: int) -> Iterator[Step]:
    """Give every step of the player to move with this die, whatever the other dice are."""
    side, variant = state.side, state.variant
    men, way = state.men[side], state.way(side)
    if variant.piles:
        yield from _pile_steps(state, die)
        return
    yield from _entering(state, die)
    waiting = sum(state.hit[side].values())
    if (state.options["enter_first"] and waiting) or (state.options["all_enter_first"] and men["hand"]):
        return
    track = along(way.moves)
    for place, point in enumerate(track):
        if not men.get(point):
            continue
        goal = place + die
        if goal < len(track):
            if variant.moves and point not in along(way.stays) and may_stand(state, track[goal]):
                yield point, track[goal], die
        elif state.options["bears"] and _all_home(state, side):
            further_back = [other for other in track[:place] if men.get(other)]
            if goal == len(track) or not further_back:
                yield point, "off", die


def _entering(state: State, die: int) -> Iterator[Step]:
    side, way = state.side, state.way(state.side)
    if not state.men[side]["hand"]:
        return
    tables = [way.enters]
    if state.variant.enters_diagonally:
        tables = [table for table, waiting in state.hit[side].items() if waiting]
    for table in tables:
        point = along(table)[die - 1]
        if point not in way.never_entered and may_stand(state, point):
            yield "hand", point, die


def _pile_steps(state: State, die: int) -> Iterator[Step]:
    """Doblet: take the piles down, and bear the men off when all piles are down."""
    side = state.side
    men, wall = state.men[side], along(state.way(side).wall)
    standing = [point for point in wall if men.get(point, 0) > 1 and point not in state.down[side]]
    point = wall[die - 1]
    if standing:
        if point in standing:
            yield point, point, die
        return
    if men.get(point):
        yield point, "off", die
        return
    left = [other for other in wall if men.get(other)]
    if left and wall.index(left[-1]) < die - 1:
        yield left[-1], "off", die


def may_stand(state: State, point: str) -> bool:
    """Whether the player to move may put a man on this point."""
    own = state.men[state.side].get(point, 0)
    theirs = state.men[3 - state.side].get(point, 0)
    if theirs > 1 or own >= state.variant.most_on_a_point:
        return False
    return not (own and point in along(state.way(state.side).single))


def _all_home(state: State, side: int) -> bool:
    home = along(state.way(side).home)
    return all(point in home or point == "off" or not count for point, count in state.men[side].items())


def do(state: State, step: Step) -> State:
    """Move one man, hit what stands there, and take the die away; nobody's turn ends by this."""
    origin, goal, die = step
    new = state.copy()
    side = state.side
    men, enemy = new.men[side], new.men[3 - side]
    new.dice.remove(die)
    new.moved = True
    if state.variant.piles:
        new.down[side] = sorted({*new.down[side], origin})
    men[origin] -= 1
    men[goal] = men.get(goal, 0) + 1
    if origin == "hand":
        table = _table(goal) if state.variant.enters_diagonally else ""
        if new.hit[side].get(table):
            new.hit[side][table] -= 1
    if goal not in ("off", origin) and enemy.get(goal):
        enemy[goal] = 0
        enemy["hand"] += 1
        table = DIAGONAL[_table(goal)] if state.variant.enters_diagonally else ""
        new.hit[3 - side][table] = new.hit[3 - side].get(table, 0) + 1
    if state.won and goal == "off":
        new.slaps += 1
    new.winner = winner(new)
    return new


def _table(point: str) -> str:
    return next(table for table in DIAGONAL if point in along(table))


# --- the duty: as many dice as possible, then the higher ones ---


def best(state: State, known: dict[Key, Used]) -> Used:
    """Try every order of the dice and every man; return the most that can be used, the higher dice before the lower.

    A step that ends the game leaves no duty: dice that are not needed any more count as used.
    """
    key = state.key()
    if key not in known:
        found: Used = (0, ())
        if state.winner is not None:
            return len(state.dice), tuple(sorted(state.dice, reverse=True))
        for die in set(state.dice):
            for step in steps(state, die):
                found = max(found, _with(die, best(do(state, step), known)))
        known[key] = found
    return known[key]


def _with(die: int, used: Used) -> Used:
    return used[0] + 1, tuple(sorted((*used[1], die), reverse=True))


def legal_steps(state: State) -> list[Step]:
    if state.lawful is None:
        known: dict[Key, Used] = {}
        most = best(state, known)
        tried = [step for die in set(state.dice) for step in steps(state, die)]
        state.lawful = sorted(step for step in tried if _with(step[2], best(do(state, step), known)) == most)
    return state.lawful


def legal(state: State) -> list[Move]:
    """List what the player to move may do: a die to turn to six, or a man to move with a die."""
    if state.winner is not None or not state.dice:
        return []
    if state.to_turn:
        return [*sorted(set(state.dice))]
    return [*legal_steps(state)]


# --- turns ---


def after_throw(state: State, *shown: int) -> State:
    """Return the position after a throw, passed on at once if nothing can be played."""
    new = state.copy()
    new.thrower = new.turn
    new.moved = False
    new.dice = list(shown)
    new.to_turn = state.options["dice"] == "3-turn" and 6 not in shown
    return new if new.to_turn else _to_play(new)


def _to_play(state: State) -> State:
    """Return the position in which the dice that lie there, and those that count besides, are to be played."""
    new = state.copy()
    lie = state.dice
    added = {"2+6": 6, "majoret": max(lie), "minoret": min(lie)}
    if state.options["dice"] in added:
        new.dice.append(added[state.options["dice"]])
    if state.options["doubles_twice"]:
        new.dice += [die for die in lie if lie.count(die) > 1]
    new.again = state.options["extra_turn"] and len(set(lie)) < len(lie)
    return _settled(new)


def after(state: State, move: Move) -> State:
    """Return the position after a legal move; the turn goes on if nothing more can be played."""
    if isinstance(move, int):
        new = state.copy()
        new.dice[new.dice.index(move)] = 6
        new.to_turn = False
        return _to_play(new)
    return _settled(do(state, move))


def _settled(state: State) -> State:
    """Let the turn go on to whom it belongs: nothing changes while there is a legal step."""
    if state.winner is not None:
        state.dice = []
        state.again = False
        if state.options["slaps"] and not state.won:
            state.won, state.winner = state.winner, None
            state.turn = _next_winner(state)
        return state
    if legal_steps(state):
        return state
    if state.won:
        state.turn = state.thrower if state.again else _next_winner(state)
        state.dice = []
        state.again = False
        return state
    if state.dice and state.options["ad_fallum"]:
        state.winner = 3 - state.side
        state.dice = []
        return state
    if state.dice and state.options["lends"] and not state.lent:
        state.turn = state.players // 2 + 1 if state.side == 1 else 1
        state.lawful = None
        if legal_steps(state):
            return state
    if not state.moved and _nobody_can_ever_move(state):
        state.winner = 0
    state.turn = state.thrower if state.again else state.thrower % state.players + 1
    state.dice = []
    state.again = False
    return state


def _next_winner(state: State) -> int:
    team = [number for number in range(1, state.players + 1) if (number <= state.players // 2) == (state.team == 1)]
    return team[(team.index(state.turn) + 1) % len(team)]


def _nobody_can_ever_move(state: State) -> bool:
    looked = state.copy()
    for turn, die in product((1, state.players), range(1, 7)):
        looked.turn = turn
        if any(steps(looked, die)):
            return False
    return True


def winner(state: State) -> int | None:
    """Return the side that has won by the step just made, 0 for a tie, None while the game goes on."""
    side, variant = state.side, state.variant
    if variant.most_on_a_point == 2:
        held = [sum(state.men[number].get(point, 0) == 2 for point in along("af")) for number in (1, 2)]
        if sum(held) < 6:
            return None
        return 0 if held[0] == held[1] else 1 + (held[1] > held[0])
    if state.options["bears"]:
        return (state.won or side) if state.men[side]["off"] == state.count else None
    return side if _all_home(state, side) else None


def plays(state: State) -> dict[Key, tuple[list[Move], State]]:
    """Give the whole turns that may be played, one for each position a turn can lead to, with one way to get there."""
    found: dict[Key, tuple[list[Move], State]] = {}
    seen: set[Key] = set()

    def go_on(now: State, made: list[Move]) -> None:
        if now.winner is not None or not now.dice or now.turn != state.turn:
            found.setdefault(now.key(), (made, now))
            return
        if now.key() in seen:
            return
        seen.add(now.key())
        for move in legal(now):
            go_on(after(now, move), [*made, move])

    go_on(state, [])
    return found


# --- a position set up by hand ---


def from_json(data: dict[str, Any], **options: Any) -> State:
    """Read a position as it is set up by hand; ``hit`` tells how many of the men in hand were hit, ``hit_in`` where."""
    state = start(data["game"], data.get("players", 2), **options)
    state.turn = state.thrower = data.get("turn", 1)
    state.dice = list(data.get("dice", []))
    for side in (1, 2):
        men = dict(data["men"][str(side)])
        begins_in_hand = not state.way(side).array
        hit = {"": men.pop("hit", 0 if begins_in_hand else men.get("hand", 0))}
        if state.variant.enters_diagonally:
            hit = {DIAGONAL[table]: count for table, count in men.pop("hit_in", {}).items()}
        state.down[side] = men.pop("down", [])
        if "off" not in men:
            men["off"] = state.count - sum(men.values())
        state.men[side] = {"hand": 0} | men
        state.hit[side] = hit
    return state
