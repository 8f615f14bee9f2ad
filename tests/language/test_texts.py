"""Texts in plural forms, numbers and lists of a language, and sentences in it."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.language.sentence import Listing, Sentence, player
from companion.language.texts import Texts, languages, load, name
from companion.language.wording import Form, Wording, is_form

THROWS = {"one": "{count} Wurf", "other": "{count} Würfe"}
MEN = {"by": "n", "one": "Ein Stein von {whose}.", "other": "{n} Steine von {whose}."}


def german() -> Texts:
    own: dict[str, Form] = {"throws": THROWS, "plain": "Nichts."}
    sentences: dict[str, Form] = {
        "{n} men of {whose}.": MEN,
        "Player {number}": "Spieler {number}",
        "look at {sites}": "{sites} ansehen",
    }
    return Texts("de", own, sentences, Wording("de"))


@pytest.mark.parametrize(("count", "text"), [(0, "0 Würfe"), (1, "1 Wurf"), (2, "2 Würfe"), (12345, "12.345 Würfe")])
def test_the_number_decides_the_wording(count: int, text: str) -> None:
    assert german()("throws", count=count) == text


def test_a_sentence_names_the_part_that_decides() -> None:
    one, three = (Sentence("{n} men of {whose}.", n=n, whose=player(2)) for n in (1, 3))
    assert german().translate(one.to_json()) == "Ein Stein von Spieler 2."
    assert german().translate(three.to_json()) == "3 Steine von Spieler 2."


def test_french_calls_nothing_one_of_it() -> None:
    french = Texts("fr", {"throws": {"one": "{count} coup", "other": "{count} coups"}}, {}, Wording("fr"))
    assert french("throws", count=0) == "0 coup"
    assert french("throws", count=2) == "2 coups"


def test_a_list_is_joined_by_the_language_and_its_sentences_are_translated() -> None:
    seen = Sentence("look at {sites}", sites=Listing(["a", player(1), player(2)]))
    assert str(seen) == "look at a, Player 1 and Player 2"
    assert german().translate(seen.to_json()) == "a, Spieler 1 und Spieler 2 ansehen"
    named = seen.named({1: "Anna", 2: "Berno"})
    assert german().translate(named.to_json()) == "a, Anna und Berno ansehen"


@given(st.lists(st.text("abc", min_size=1), max_size=5), st.sampled_from(["and", "or", "comma"]))
def test_the_rules_own_english_of_a_list_is_that_of_the_cldr(items: list[str], joint: str) -> None:
    listing = Listing(items, joint)  # type: ignore[arg-type]
    assert str(listing) == Wording("en-GB").listed(items, joint)


@pytest.mark.parametrize(
    ("tag", "number", "digits", "text"),
    [
        ("de", 1.5, None, "1,5"),
        ("fr", 0.25, 1, "0,3"),
        ("en-GB", 1234, None, "1234"),
        ("en-GB", 12345, None, "12,345"),
        ("es", 12345.678, 2, "12.345,68"),
        ("de", 3, 2, "3,00"),
        ("xx-unknown", 0.5, None, "0.5"),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(
    tag: str, number: float, digits: int | None, text: str
) -> None:
    assert Wording(tag).number(number, digits) == text


def test_a_section_is_not_taken_for_a_text_in_plural_forms() -> None:
    data = tomllib.loads('[ask]\nother = "Other"\nyes = "Yes"\n[progress]\nthrows = {one = "1", other = "{count}"}')
    assert not is_form(data["ask"])
    assert is_form(data["progress"]["throws"])


@pytest.mark.parametrize("number", [1e15, -(10**40), float("inf"), float("nan")])
def test_a_number_beyond_all_measure_is_written_as_it_is(number: float) -> None:
    english = load("en")
    sentence = english.translate({"template": "{number} throws", "parts": {"number": number}})
    assert sentence == f"{number} throws"
    assert english.wording.chosen({"one": "a", "other": "b"}, {"count": number}) == "b"


@pytest.mark.parametrize(
    "about",
    [
        '[language]\nname = "Probe"',
        '[ "language" ]\nname = "Probe"',
        'language.name = "Probe"',
        '[language]\nlocale = "it"',
        "",
    ],
)
def test_the_name_of_a_language_is_that_of_its_catalogue_in_whatever_file_it_stands(about: str, tmp_path: Path) -> None:
    folder = tmp_path / "la"
    folder.mkdir()
    (folder / "a.toml").write_text('[sentences]\n"A language" = "Lingua"\n', encoding="utf-8")
    (folder / "z.toml").write_text(f"{about}\n", encoding="utf-8")
    assert "la" in languages(tmp_path)
    assert {name(one, tmp_path) == load(one, tmp_path).name for one in languages(tmp_path)} == {True}
