"""Sentences keep their template for translators and their players for names."""

from companion.language.sentence import Listing, Sentence, player, term
from companion.language.texts import load


def test_a_sentence_reads_as_english() -> None:
    assert str(Sentence("{sum} is {virtue}.", sum=3, virtue="Karitas")) == "3 is Karitas."


def test_json_keeps_template_and_nested_parts() -> None:
    sentence = Sentence("{who} throws.", who=player(2))
    assert sentence.to_json() == {
        "text": "Player 2 throws.",
        "template": "{who} throws.",
        "parts": {"who": {"text": "Player 2", "template": "Player {number}", "parts": {"number": 2}}},
    }


def test_names_replace_numbers_at_any_depth() -> None:
    sentence = Sentence(
        "{a} {b}", a=Sentence("{who} throws.", who=player(1)), b=Sentence("{who} waits.", who=player(2))
    )
    assert str(sentence.named({1: "Ada"})) == "Ada throws. Player 2 waits."


def test_pages_say_a_term_as_readers_call_it_and_everything_else_says_it_in_latin() -> None:
    sentence = Sentence("{who}: {won}.", who=player(1), won=Listing([term("Pax", Sentence("Peace"))], "comma"))
    assert str(sentence) == "Player 1: Pax."
    shown = sentence.named({1: "Ada"}).to_json()
    assert shown["text"] == "Ada: Pax."
    assert load("de").translate(shown) == "Ada: Friede."


def test_equal_sentences_are_equal_values() -> None:
    assert hash(Sentence("{n}", n=player(1))) == hash(Sentence("{n}", n=player(1)))
