"""All faults of a position that somebody set up by hand, reported at once."""

from collections import Counter
from collections.abc import Iterator

from companion.language.sentence import N_, Sentence, player
from companion.rules.rithmomachia import numbers, siege
from companion.rules.rithmomachia.men import COLOURS, PYRAMID, SHAPES, Man, Part, army, whole_pyramid
from companion.rules.rithmomachia.squares import enemy
from companion.rules.rithmomachia.state import RithmoState


def faults(position: RithmoState) -> tuple[Sentence, ...]:
    """Return one sentence for each fault; a position that play can reach has none."""
    return (
        *_astray(position),
        *_men(position),
        *_pyramids(position),
        *_conservation(position),
        *_hands(position),
        *_kings(position),
        *_last(position),
        *_lifted(position),
        *_phase(position),
        *_triumphs(position),
    )


def _everybody(position: RithmoState) -> Iterator[tuple[str, Man]]:
    """Yield every man with his place in words."""
    for square, man in enumerate(position.men):
        if man is not None:
            yield f"on {position.rules.board.names[square]}", man
    for site, man in position.astray:
        yield f"on {site}", man
    for held in (position.hands, position.removed):
        for number, hand in enumerate(held, 1):
            for man in hand:
                yield f"held by player {number}", man


def _astray(position: RithmoState) -> Iterator[Sentence]:
    last = position.rules.board.names[-1]
    for site, man in position.astray:
        yield Sentence(
            "The {man} stands on {site}, but the board goes from a1 to {last}.", man=str(man), site=site, last=last
        )


def _men(position: RithmoState) -> Iterator[Sentence]:
    for where, man in _everybody(position):
        if man.shape not in (*SHAPES, PYRAMID):
            yield Sentence("The man {where} has the unknown shape {shape}.", where=where, shape=man.shape)
        elif not man.is_pyramid:
            if man.parts:
                yield Sentence("The {man} {where} has parts, but is not a pyramid.", man=str(man), where=where)
            if Part(man.shape, man.number) not in army(man.began):
                yield Sentence(
                    "There is no {man} {where}: {colour} began with no {shape} {number}.",
                    man=str(man),
                    where=where,
                    colour=COLOURS[man.began],
                    shape=man.shape,
                    number=man.number,
                )


def _pyramids(position: RithmoState) -> Iterator[Sentence]:
    pyramids = [(where, man) for where, man in _everybody(position) if man.is_pyramid]
    for colour, name in COLOURS.items():
        mine = [where for where, man in pyramids if man.began == colour]
        if len(mine) > 1:
            yield Sentence(
                "{colour} has {count} pyramids: {where}.", colour=name, count=len(mine), where=", ".join(mine)
            )
    for where, man in pyramids:
        total = sum(part.number for part in man.parts)
        whole = whole_pyramid(man.began)
        strange = [part for part in man.parts if part not in whole]
        if total != man.number:
            yield Sentence(
                "The pyramid {where} is given as {number}, but its parts add up to {total}.",
                where=where,
                number=man.number,
                total=total,
            )
        if strange:
            named = ", ".join(f"{part.shape} {part.number}" for part in strange)
            yield Sentence("The pyramid {where} has parts that are not its own: {parts}.", where=where, parts=named)
        elif man.parts != tuple(part for part in whole if part in man.parts):
            yield Sentence("The parts of the pyramid {where} are doubled or not in the order of the pile.", where=where)


def _conservation(position: RithmoState) -> Iterator[Sentence]:
    there: Counter[tuple[int, Part]] = Counter()
    for _, man in _everybody(position):
        there.update((man.began, part) for part in man.parts or (Part(man.shape, man.number),))
    for colour, name in COLOURS.items():
        expected = army(colour)
        got = Counter({part: count for (began, part), count in there.items() if began == colour})
        lost: Counter[Part] = Counter() if position.study else expected - got
        for sentence, difference in (
            (N_("{colour} men are missing: {men}."), lost),
            (N_("There are too many {colour} men: {men}."), got - expected),
        ):
            if difference:
                named = ", ".join(f"{part.shape} {part.number}" for part in sorted(difference.elements()))
                yield Sentence.of(sentence, colour=name, men=named)


def _hands(position: RithmoState) -> Iterator[Sentence]:
    for held in (position.hands, position.removed):
        for number, hand in enumerate(held, 1):
            for man in hand:
                if man.owner == number:
                    yield Sentence(
                        "{player} holds the {man}, which has {player}'s own colour.",
                        player=player(number),
                        man=str(man),
                    )
    if any(position.returned) and position.rules["returned_points"] != "counted":
        yield Sentence("Men brought back are given as counting, but that was not agreed.")


def _kings(position: RithmoState) -> Iterator[Sentence]:
    put_aside = [man for hand in position.removed for man in hand]
    if not position.rules.has_kings:
        for man in put_aside:
            yield Sentence("The {man} is set aside, but this game has no kings.", man=str(man))
        return
    for where, man in _everybody(position):
        if man.is_pyramid and man.began != man.owner:
            yield Sentence("The king {where} has changed sides, which kings never do.", where=where)
    for number, hand in enumerate(position.hands, 1):
        if any(man.is_pyramid for man in hand):
            yield Sentence("{player} holds a king; kings are set aside for good.", player=player(number))
    for man in put_aside:
        if not man.is_pyramid and Part(man.shape, man.number) not in whole_pyramid(man.began):
            yield Sentence("The {man} is set aside, but is not part of a king.", man=str(man))


def _last(position: RithmoState) -> Iterator[Sentence]:
    if position.last is None:
        return
    names = position.rules.board.names
    start, end = position.last
    move = f"{names[start]}-{names[end]}"
    man = position.men[end]
    if man is None or man.owner != position.actor:
        yield Sentence(
            "The last move is given as {move}, but no man of {player} stands on {end}.",
            move=move,
            player=player(position.actor),
            end=names[end],
        )
        return
    if position.stood[start] is not None:
        yield Sentence("The last move is given as {move}, but {start} is not empty.", move=move, start=names[start])
        return
    before = siege.carried(position.stood, end, start)
    if all(way.end != end for way in siege.free_ways(position.rules, before, start)):
        yield Sentence(
            "The last move is given as {move}, but the {man} cannot move like that.", move=move, man=str(man)
        )


def _lifted(position: RithmoState) -> Iterator[Sentence]:
    held = Counter(
        (man.began, part)
        for hand in (position.hands[position.actor - 1], position.removed[position.actor - 1])
        for man in hand
        for part in man.parts or (Part(man.shape, man.number),)
    )
    for square, man in position.lifted:
        site = position.rules.board.names[square]
        now = position.men[square]
        stood = man.parts or (Part(man.shape, man.number),)
        left = now.parts if now is not None and now.is_pyramid else ()
        if man.owner != enemy(position.actor):
            yield Sentence("The {man} lifted from {site} was no enemy.", man=str(man), site=site)
        if now is not None and (not man.is_pyramid or not set(left) < set(stood) or now.owner != man.owner):
            yield Sentence(
                "The {man} was lifted from {site}, but the {now} stands there.", man=str(man), site=site, now=str(now)
            )
        elif any(not held[man.began, part] for part in stood if part not in left):
            yield Sentence(
                "The {man} was lifted from {site}, but {player} does not hold it.",
                man=str(man),
                site=site,
                player=player(position.actor),
            )
    if position.lifted and position.rules["several"] == "as-it-lies":
        yield Sentence("Captures are judged as the board lies, so nothing lifted is remembered.")


def _phase(position: RithmoState) -> Iterator[Sentence]:
    if position.phase == "move":
        if position.lifted and position.last is None:
            yield Sentence("Lifted men are given, but no move was made.")
        return
    if position.rules["claims"] == "automatic" and position.last is not None:
        yield Sentence("Captures are automatic, so none can be awaited.")
    if position.last is None:
        if position.rules["before"] == "no":
            yield Sentence("Captures are awaited, but no move was made.")
        elif not position.lifted and position.rules["several"] == "as-it-stood":
            yield Sentence("Captures without a move are awaited, but none has begun.")
    elif not position.rules.regular(*position.last):
        yield Sentence("Captures are awaited, but the last move was irregular.")


def _triumphs(position: RithmoState) -> Iterator[Sentence]:
    if position.triumphs and not position.rules.has_kings:
        yield Sentence("Triumphs are noted, but this game has none.")
    four_term = position.rules["great"] == "four-term"
    for triumph in position.triumphs:
        wanted = min(position.rules.grades.index(triumph.grade) + 1, len(numbers.KINDS))
        if (
            len(triumph.numbers) not in (numbers.TRIPLE, numbers.FOUR)
            or len(numbers.kinds(triumph.numbers, four_term=four_term)) < wanted
        ):
            yield Sentence(
                "{numbers} are noted as a triumph, {grade}, but are not one.",
                numbers=", ".join(map(str, triumph.numbers)),
                grade=triumph.grade,
            )
