"""Events to JSON and back."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.language.sentence import Listing, Sentence
from companion.ledger.codec import EventFormatError, sentence_from_json
from companion.referee.arrangement import LyingDie
from companion.referee.events import (
    BoardAsked,
    BoardObserved,
    BoardSeated,
    Committed,
    Corrected,
    Event,
    Finished,
    MatchStarted,
    Observed,
    Paused,
    Proposed,
    Rejected,
    Resumed,
    from_json,
    to_json,
)
from companion.vision.readings import ReadDie

DIE = ReadDie("wibold", "1", "A", "ask", 0.6, (("A", 0.6),), ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0))).to_json()
PLACE = LyingDie("1", "A", 1.0, 2.0, 40.0, 0.1, 4).to_json()
texts = st.text(max_size=20)
numbers = st.integers(0, 10**6)
objects = st.dictionaries(texts, st.one_of(texts, numbers, st.none(), st.booleans()), max_size=3)
lists = st.lists(objects, max_size=3).map(tuple)
sentences = st.builds(lambda what, count: Sentence("{what}: {count}", what=what, count=count).to_json(), texts, numbers)
answers = st.builds(lambda text, said: {"text": text, "sentence": said, "moves": []}, texts, sentences)
candidates = st.lists(answers, max_size=3).map(tuple)
figures = st.floats(-1e4, 1e4)
dice = st.lists(
    st.builds(
        lambda face, chance, x, y: ReadDie("wibold", "1", face, "read", chance, ((face, chance),), ((x, y),)).to_json(),
        texts,
        st.floats(0, 1),
        figures,
        figures,
    ),
    max_size=3,
).map(tuple)
places = st.lists(
    st.builds(
        lambda face, x, y, width, corners: LyingDie("1", face, x, y, width, 0.1, corners).to_json(),
        texts,
        figures,
        figures,
        st.floats(1, 1e4),
        st.integers(3, 12),
    ),
    max_size=3,
).map(tuple)
faces = st.dictionaries(texts, texts, max_size=3)
dice_by = st.sampled_from(["camera", "tapped", "program"])
men_by = st.sampled_from(["camera", "tapped"])
looks = st.none() | numbers
ways = st.sampled_from(["correction", "takeback"])
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(MatchStarted, texts, texts, st.lists(texts).map(tuple), objects, dice_by, texts, texts, men_by),
    st.builds(BoardSeated, objects),
    st.builds(BoardObserved, st.sampled_from(["commit", "agreed", "ask"]), objects, st.floats(0, 1e4), numbers, texts),
    st.builds(BoardAsked, st.sampled_from(["play", "men", "seating"]), numbers, sentences, candidates, lists, looks),
    st.builds(Observed, dice, texts, texts, st.floats(0, 1e4), numbers, texts),
    st.builds(Proposed, numbers, sentences, dice, faces, places, looks),
    st.builds(Committed, numbers, texts, objects, dice_by, places, numbers, looks),
    st.builds(Rejected, numbers, texts),
    st.builds(Corrected, numbers, st.none() | objects, texts, st.lists(numbers).map(tuple), ways),
    st.builds(Paused),
    st.builds(Resumed),
    st.builds(Finished, st.sampled_from(["agreement", "time"]), texts),
)


@given(events)
def test_every_event_comes_back_from_json_equal(event: Event) -> None:
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


@pytest.mark.parametrize(
    ("reason", "move", "way", "left"),
    [
        ("taken back", None, "takeback", ""),
        ("taken back: thrown out of turn", None, "takeback", "thrown out of turn"),
        ("taken back: first\nthen second", None, "takeback", "first\nthen second"),
        ("taken backwards", None, "correction", "taken backwards"),
        ("it was taken back", None, "correction", "it was taken back"),
        ("taken back", {"set": "wibold"}, "correction", "taken back"),
        ("leant", None, "correction", "leant"),
    ],
)
def test_a_takeback_that_an_earlier_version_wrote_is_known_by_its_reason(
    reason: str, move: Any, way: str, left: str
) -> None:
    old = {"kind": "corrected", "event": 3, "move": move, "reason": reason, "drops": []}
    assert from_json(old) == Corrected(3, move, left, (), way)  # type: ignore[arg-type]


def test_a_correction_that_says_its_way_keeps_its_reason() -> None:
    stated = {"kind": "corrected", "event": 3, "move": None, "reason": "taken back", "drops": [], "way": "correction"}
    assert from_json(stated) == Corrected(3, None, "taken back")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"kind": "guessed"}, "Expected an event of kind"),
        ({}, "Expected an event of kind"),
        ({"kind": "rejected", "proposed": 3}, "needs the field reason"),
        ({"kind": "paused", "extra": 1}, "extra"),
        ({"kind": "rejected", "proposed": "3", "reason": ""}, "is a whole number, but got '3'"),
        ({"kind": "rejected", "proposed": True, "reason": ""}, "is a whole number, but got True"),
        ({"kind": "committed", "player": 1, "awaited": "throw", "move": None, "by": "camera"}, "is an object"),
        (
            {"kind": "committed", "player": 1, "awaited": "throw", "move": {}, "by": "camera", "seen": {}},
            "seen of an event committed is a whole number or null",
        ),
        ({"kind": "seated", "seating": ["light", 1]}, "is an object, but got"),
        ({"kind": "board", "decision": "guess"}, "commit, agreed or ask, but got .guess."),
        ({"kind": "finished", "by": "thunder", "reason": ""}, "agreement or time"),
    ],
)
def test_what_is_no_event_is_refused_with_what_is_wrong(data: dict[str, Any], text: str) -> None:
    with pytest.raises(EventFormatError, match=text):
        from_json(data)


def test_a_sentence_comes_back_with_the_sentences_inside_it() -> None:
    sentence = Sentence("{who} has {count}.", who=Sentence("Player {number}", number=2), count=3)
    assert sentence_from_json(json.loads(json.dumps(sentence.to_json()))) == sentence


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
        {"template": "{}", "parts": {"": 1}},
        {"template": "{0}", "parts": {"0": 1}},
        {"template": "{a.b}", "parts": {"a.b": 1}},
        {"template": "{a[0]}", "parts": {"a[0]": 1}},
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
    with pytest.raises(EventFormatError, match="each with a text and a sentence"):
        from_json(asked | {"sentence": whole, "candidates": [{"text": "x", "sentence": sentence}]})


def nested(times: int, template: str = "{a}{a}{a}{a}") -> dict[str, Any]:
    stated: dict[str, Any] = {"template": "bang", "parts": {}}
    for _ in range(times):
        stated = {"template": template, "parts": {"a": stated}}
    return stated


@pytest.mark.parametrize(
    "sentence",
    [
        nested(10),
        nested(20),
        nested(500),
        nested(5),
        nested(12, "{a}"),
        {"template": "{a}", "parts": {"a": "x" * 5000}},
        {"template": "x" * 5000, "parts": {}},
        {"template": "", "parts": {"unsaid": "x" * 5000}},
        {"template": "", "parts": {f"p{number}": "" for number in range(5000)}},
        {"template": "{a}" * 900, "parts": {"a": "four"}},
        {"template": "{a}", "parts": {"a": {"list": ["x"] * 5000, "joint": "and"}}},
        {"template": "Player {number}", "parts": {"number": [1]}},
        {"template": "{a}", "parts": {"a": {"text": "no sentence"}}},
        {"template": "{a}", "parts": {"a": float("nan")}},
    ],
)
def test_a_sentence_is_bounded_before_it_is_said(sentence: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sentence, "__str__", lambda _: pytest.fail("it was said"))
    with pytest.raises(EventFormatError, match=r"^Expected"):
        sentence_from_json(sentence)
    asked = {"kind": "proposed", "player": 1, "sentence": sentence, "dice": [], "suggestion": {}}
    with pytest.raises(EventFormatError, match="a sentence that can be said") as caught:
        from_json(asked)
    assert len(str(caught.value)) < 400


@given(
    st.recursive(
        texts | numbers,
        lambda inner: (
            st.builds(lambda a, b: Sentence("{a} and {b}: {a}", a=a, b=b), inner, inner)
            | st.builds(lambda *items: Listing(items), inner, inner, inner)
        ),
        max_leaves=8,
    )
)
def test_the_weight_of_a_sentence_covers_everything_that_goes_out(part: Any) -> None:
    sentence = Sentence("{part}", part=part)
    assert len(str(sentence)) <= sentence.weight()

    def texts_in(value: Any) -> int:
        if isinstance(value, dict):
            return sum(texts_in(inner) for inner in value.values())
        return sum(map(texts_in, value)) if isinstance(value, list) else len(str(value))

    joints = sum(len("comma") for one in [sentence] for _ in one.nested())
    assert texts_in(sentence.to_json()) <= 2 * sentence.weight() + joints


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"dice": [{"junk": 1}]}, "field dice"),
        ({"dice": [{**DIE, "candidates": [["A"]]}]}, "field dice"),
        ({"dice": [{**DIE, "polygon": [[1, float("inf")]]}]}, "field dice"),
        ({"dice": [{**DIE, "die": 4}]}, "field dice"),
        ({"dice": [{**DIE, "remembered": "yes"}]}, "field dice"),
        ({"arrangement": [{"junk": 1}]}, "field arrangement"),
        ({"arrangement": [{**PLACE, "width": float("nan")}]}, "field arrangement"),
        ({"suggestion": {"1": ["A"]}}, "field suggestion"),
        ({"player": 1.5}, "field player"),
    ],
)
def test_a_question_with_junk_for_dice_is_refused(change: dict[str, Any], text: str) -> None:
    whole = Sentence("What do they show?").to_json()
    asked = {"kind": "proposed", "player": 1, "sentence": whole, "dice": [DIE], "suggestion": {"1": "A"}}
    assert from_json({**asked, "arrangement": [PLACE]})
    assert from_json({**asked, "dice": [{**DIE, "remembered": True}]})
    with pytest.raises(EventFormatError, match=text):
        from_json({**asked, "arrangement": [PLACE], **change})


def test_every_answer_about_the_board_says_what_it_is() -> None:
    whole = Sentence("Which was it?").to_json()
    asked = {"kind": "board asked", "about": "seating", "player": 1, "sentence": whole}
    for candidate in ({}, {"text": "x", "seating": {}}, {"text": "x", "moves": [1]}, {"text": "x", "arrows": [{}]}):
        with pytest.raises(EventFormatError, match="field candidates"):
            from_json({**asked, "candidates": [candidate]})
