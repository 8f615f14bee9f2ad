"""Events to JSON and back."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.referee.events import (
    BoardAsked,
    BoardObserved,
    BoardSeated,
    Committed,
    Corrected,
    Event,
    EventFormatError,
    Finished,
    MatchStarted,
    Observed,
    Paused,
    Proposed,
    Rejected,
    Resumed,
    from_json,
    sentence_from_json,
    to_json,
)
from companion.rules.sentence import Sentence

texts = st.text(max_size=20)
numbers = st.integers(0, 10**6)
objects = st.dictionaries(texts, st.one_of(texts, numbers, st.none(), st.booleans()), max_size=3)
lists = st.lists(objects, max_size=3).map(tuple)
sentences = st.builds(lambda what, count: Sentence("{what}: {count}", what=what, count=count).to_json(), texts, numbers)
candidates = st.lists(st.builds(lambda said: {"sentence": said}, sentences), max_size=3).map(tuple)
dice_by = st.sampled_from(["camera", "tapped", "program"])
men_by = st.sampled_from(["camera", "tapped"])
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(MatchStarted, texts, texts, st.lists(texts).map(tuple), objects, dice_by, texts, texts, men_by),
    st.builds(BoardSeated, objects),
    st.builds(BoardObserved, st.sampled_from(["commit", "agreed", "ask"]), objects, st.floats(0, 1e4), numbers, texts),
    st.builds(BoardAsked, st.sampled_from(["play", "men", "seating"]), numbers, sentences, candidates, lists),
    st.builds(Observed, lists, texts, texts, st.floats(0, 1e4), numbers, texts),
    st.builds(Proposed, numbers, sentences, lists, objects, lists),
    st.builds(Committed, numbers, texts, objects, dice_by, lists, numbers),
    st.builds(Rejected, numbers, texts),
    st.builds(Corrected, numbers, st.none() | objects, texts, st.lists(numbers).map(tuple)),
    st.builds(Paused),
    st.builds(Resumed),
    st.builds(Finished, st.sampled_from(["agreement", "time"]), texts),
)


@given(events)
def test_every_event_comes_back_from_json_equal(event: Event) -> None:
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"kind": "guessed"}, "Expected an event of kind"),
        ({}, "Expected an event of kind"),
        ({"kind": "rejected", "proposed": 3}, "needs the field reason"),
        ({"kind": "paused", "extra": 1}, "extra"),
        ({"kind": "rejected", "proposed": "3", "reason": ""}, "is a whole number, but got '3'"),
        ({"kind": "rejected", "proposed": True, "reason": ""}, "is a whole number, but got True"),
        ({"kind": "committed", "player": 1, "awaited": "throw", "move": None, "by": "camera"}, "is an object"),
        ({"kind": "seated", "seating": ["light", 1]}, "is an object, but got"),
        ({"kind": "board", "decision": "guess"}, "commit, agreed or ask, but got .guess."),
        ({"kind": "finished", "by": "thunder", "reason": ""}, "agreement or time"),
    ],
)
def test_what_is_no_event_is_refused_with_what_is_wrong(data: dict[str, Any], said: str) -> None:
    with pytest.raises(EventFormatError, match=said):
        from_json(data)


def test_a_sentence_comes_back_with_the_sentences_inside_it() -> None:
    said = Sentence("{who} has {count}.", who=Sentence("Player {number}", number=2), count=3)
    assert sentence_from_json(json.loads(json.dumps(said.to_json()))) == said


@pytest.mark.parametrize(
    "sentence",
    [
        {"template": "{x:>999999999}", "parts": {"x": 1}},
        {"template": "{x.__class__}", "parts": {"x": 1}},
        {"template": "{x[0]}", "parts": {"x": "ab"}},
        {"template": "{x!r}", "parts": {"x": 1}},
        {"template": "{y}", "parts": {"x": 1}},
        {"template": "{", "parts": {}},
        {"template": "{x}", "parts": {"x": {"template": "{y}", "parts": {}}}},
        {"text": "Which was it?"},
    ],
)
def test_a_stranger_s_sentence_does_nothing_but_name_its_parts(sentence: dict[str, Any]) -> None:
    with pytest.raises(EventFormatError, match="Expected a sentence"):
        sentence_from_json(sentence)
    asked = {"kind": "board asked", "about": "play", "player": 1, "sentence": sentence, "candidates": []}
    with pytest.raises(EventFormatError, match="a sentence that can be said"):
        from_json(asked)
    whole = Sentence("Which was it?").to_json()
    with pytest.raises(EventFormatError, match="each with a sentence"):
        from_json(asked | {"sentence": whole, "candidates": [{"sentence": sentence}]})
