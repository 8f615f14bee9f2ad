"""The claims of the contract on one position, each as a function that fails with a sentence."""

import json
from collections.abc import Iterable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from companion.language.sentence import Sentence
from companion.rules.dice import Throw
from companion.rules.errors import GameError, GameOverError, PositionFormatError
from companion.rules.game import Choice, Game, Position

MOST_TURNS = 4000
"""Positions inside one turn beyond which it is not searched through."""

LONGEST_NEWS = 75
"""Letters of the longest headline: two lines of a window 1280 pixels wide."""


@cache
def sites(game: Game) -> frozenset[str]:
    """The names of the places on all boards of a game."""
    return frozenset(site.name for board in game.boards for site in board.sites)


def readable(sentence: Sentence) -> None:
    """A sentence for a person: filled, and ended like one."""
    text = str(sentence)
    assert text.strip() == text
    assert len(text.split()) >= 2, text
    assert text[-1] in ".!?:)", text
    assert "{" not in text, text
    assert json.loads(json.dumps(sentence.to_json()))["text"] == text


def survives_json(position: Position) -> None:
    data = json.loads(json.dumps(position.to_json()))
    assert data["game"] == position.game.slug
    again = position.game.from_json(data)
    assert again == position
    assert hash(again) == hash(position)
    assert again.to_json() == position.to_json()


def knows_its_words(position: Position) -> None:
    """A word nobody knows is refused wherever it stands; one that is misspelt is refused with the right one."""
    for path in _objects(position.to_json()):
        data = deepcopy(position.to_json())
        at(data, path)["wibble"] = 1
        with pytest.raises(PositionFormatError):
            sound(position, data)
    for word in set(position.to_json()) & {"turn", "options"}:
        data = position.to_json()
        data[f"{word[:-2]}{word[-1]}{word[-2]}"] = data.pop(word)
        with pytest.raises(PositionFormatError, match=f'did you mean "{word}"'):
            sound(position, data)


def sound(position: Position, data: Any) -> None:
    """Read a position, and raise what is wrong with it."""
    for fault in position.game.from_json(data).faults():
        raise PositionFormatError(str(fault))


def _objects(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each object in JSON."""
    if isinstance(data, dict):
        yield path
    for name, inner in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from _objects(inner, (*path, name))


def at(data: Any, path: tuple[Any, ...]) -> Any:
    """Return what lies at a way into JSON."""
    for name in path:
        data = data[name]
    return data


def without_fault(position: Position) -> None:
    assert [str(fault) for fault in position.faults()] == []


def tells_its_state(position: Position) -> None:
    """Awaits, outcome, scores and drawing belong together."""
    waits = position.awaits
    readable(waits.sentence)
    assert (position.outcome is not None) == (waits.kind == "over")
    assert 1 <= waits.player <= position.players
    if position.outcome is not None:
        readable(position.outcome.why)
        assert set(position.outcome.winners) <= set(range(1, position.players + 1))
        assert not list(position.legal())
        assert not position.throws()
    assert set(position.scores()) == set(range(1, position.players + 1))
    if position.goal is not None and position.outcome is None:
        assert min(position.scores().values()) < position.goal, "somebody has still to reach what ends the game"
    readable(position.standing().why)
    assert position.occupancy().keys() <= sites(position.game)
    assert position.drawn()
    open_choices = list(position.open_choices())
    if position.conceals:
        assert set(open_choices) <= set(position.legal())
    else:
        assert open_choices == list(position.legal())
    if waits.kind == "choice":
        assert position.legal(), "a choice is awaited, but none is legal"


def teaches(position: Position) -> None:
    """What a learner may be told is readable, and telling it changes nothing."""
    before = position.to_json()
    for hint in position.teaching():
        readable(hint)
    assert position.to_json() == before


def move_survives(position: Position, move: Throw | Choice) -> None:
    """A move's text, as it would be typed, and its JSON give the same move back."""
    assert position.parse(position.text(move)) == move
    again = position.move_from_json(json.loads(json.dumps(move.to_json())))
    assert again == move
    assert hash(again) == hash(move)


def accepted(position: Position, move: Throw | Choice) -> Position:
    """The position after a move that must be allowed, its account told."""
    assert position.why_not(move) is None
    account = position.account(move)
    readable(account.sentence)
    readable(account.headline)
    assert len(str(account.headline)) <= LONGEST_NEWS, "a headline has two lines"
    json.dumps(dict(account.details))
    after = position.after(move)
    assert (position.applied(move), position.accounted(move)) == (after, account)
    assert set(account.sites) <= sites(position.game)
    return after


def refused(position: Position, move: Throw | Choice) -> None:
    """A move that must not be allowed: a sentence says why, and both ways to make it raise just that."""
    why = position.why_not(move)
    assert why is not None, f"{move} should not be allowed"
    readable(why)
    for refusing in (position.after, position.account):
        with pytest.raises(GameError) as found:
            refusing(move)
        assert found.value.sentence == why
        assert found.value.position == position
        assert (position.outcome is not None) == isinstance(found.value, GameOverError)


def legal_is_what_after_accepts(position: Position, expressible: Iterable[Choice]) -> None:
    """Of everything that a hand could do, `legal` lists just what `after` takes."""
    choices = position.legal()
    legal = set(choices)
    assert len(legal) == len(list(choices)) == len(choices)
    tried = list(dict.fromkeys(expressible))
    assert legal <= set(tried), f"not among the expressible choices: {legal - set(tried)}"
    found = set()
    for choice in tried:
        assert (choice in choices) == (choice in legal)
        if choice in legal:
            accepted(position, choice)
            continue
        why = position.why_not(choice)
        assert why is not None, f"{choice} should not be allowed"
        if why.template not in found:  # how it is refused is looked at once for each reason
            found.add(why.template)
            refused(position, choice)
        else:
            with pytest.raises(GameError):
                position.after(choice)


def plays_are_the_whole_turns(position: Position) -> None:
    """Each way leads where it says, all places are different, and no turn that could be played leads elsewhere."""
    plays = position.plays()
    for play in plays:
        reached = position
        for choice in play.choices:
            assert reached == position or not _turn_is_over(position, reached)
            reached = reached.after(choice)
        assert reached == play.position
    ends = {play.position for play in plays}
    assert len(ends) == len(plays)
    searched = _ends_of_turn(position)
    if searched is not None:
        assert ends == searched


def _turn_is_over(start: Position, now: Position) -> bool:
    waits = now.awaits
    return waits.kind != "choice" or waits.player != start.awaits.player


def _ends_of_turn(position: Position) -> set[Position] | None:
    """Every position in which a turn can end, found by trying every order of choices; None if there are too many."""
    ends: set[Position] = set()
    seen, left = {position}, [position]
    while left:
        now = left.pop()
        for choice in now.legal():
            after = now.after(choice)
            if _turn_is_over(position, after):
                ends.add(after)
            elif after not in seen:
                seen.add(after)
                left.append(after)
        if len(seen) > MOST_TURNS:
            return None
    return ends
