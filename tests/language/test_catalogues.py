"""Every sentence that is said can be translated, and every language that the page speaks is whole."""

import random
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from string import Formatter
from typing import Any

import pytest

from companion.language import texts
from companion.language.checking import problems, to_translate
from companion.language.index import files_by_template
from companion.language.sentence import Listing, Sentence
from companion.rules.dice import Throw, dice_set
from companion.rules.game import Position
from companion.rules.registry import games
from companion.web.visitors import Visitors

OTHERS = [language for language in texts.languages() if language != texts.DEFAULT]


def test_no_template_formats_its_parts_for_a_language_cannot_undo_that() -> None:
    assert [template for template in files_by_template() if _formats(template)] == []


@pytest.mark.parametrize("slug", games())
def test_what_a_game_says_while_it_is_played_has_templates_that_were_found(slug: str) -> None:
    chance = random.Random(slug)
    game = games()[slug]
    stated = [game.story, *game.how_to_play, *(option.meaning for option in game.options)]
    position: Position = game.start(game.least_players)
    for _ in range(60):
        stated.append(position.awaits.sentence)
        if position.outcome is not None:
            stated.append(position.outcome.why)
            break
        move = _any_move(position, chance)
        if move is None:
            break
        stated.append(position.account(move).sentence)
        position = position.after(move)
    known = files_by_template()
    assert [template for sentence in stated for template in _templates(sentence) if template not in known] == []


@pytest.mark.parametrize("language", texts.languages())
def test_only_its_own_file_says_what_a_language_is(language: str) -> None:
    folder = files(texts.__package__) / "catalogues" / language
    about = [one.name for one in folder.iterdir() if "language" in tomllib.loads(one.read_text("utf-8"))]
    assert about == [texts.OWN]


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_lacks_nothing_that_its_readers_meet(language: str) -> None:
    chosen, english = texts.load(language), texts.load(texts.DEFAULT)
    own, sentences = set(english.own) - set(chosen.written), set(to_translate()) - set(chosen.sentences)
    if chosen.visitors:
        own, sentences = own & set(Visitors().keys()), sentences & set(Visitors().sentences())
    assert sorted(own) == []
    assert sorted(sentences) == []


def test_a_language_of_visitors_counts_and_lists_as_it_speaks() -> None:
    """What the page's script writes comes from the same catalogue: see the browser's tests."""
    joint = {"it": "e", "nl": "en", "la": "et"}
    spoken = {language: texts.load(language) for language in OTHERS}
    assert {language for language, chosen in spoken.items() if chosen.visitors} == set(joint)
    for language, word in joint.items():
        chosen = spoken[language]
        assert chosen("progress.throws", count=1) != chosen("progress.throws", count=2), language
        assert chosen.number(12345.5) == "12.345,5", language
        assert chosen.wording.listed(["a", "b", "c"], "and") == f"a, b {word} c"
        assert texts.unread(language)


@pytest.mark.parametrize("language", texts.languages())
def test_a_language_has_nothing_unknown_and_the_same_parts(language: str) -> None:
    assert [str(one) for one in problems(texts.load(language), texts.load(texts.DEFAULT))] == []


def _any_move(position: Position, chance: random.Random) -> Any:
    waits = position.awaits
    if waits.kind in ("throw", "recast"):
        name = waits.dice_sets[0]
        dice = waits.dice if waits.kind == "throw" else (chance.choice(waits.dice),)
        return Throw.of(name, {die: chance.choice(dice_set(name).die(die).faces).text for die in dice})
    choices = list(position.legal())
    return chance.choice(choices) if choices else None


def _templates(part: Any) -> Iterator[str]:
    if isinstance(part, Sentence):
        yield part.template
        for _, inner in part.parts:
            yield from _templates(inner)
    elif isinstance(part, Listing):
        for inner in part.items:
            yield from _templates(inner)


def _formats(template: str) -> list[str]:
    return [spec for _, _, spec, _ in Formatter().parse(template) if spec]


def test_every_option_and_each_of_its_values_has_a_name() -> None:
    own = texts.load(texts.DEFAULT).own
    named = {
        key
        for game in games().values()
        for option in game.options
        for key in (f"option.{option.name}.name", *_valued(option.name, option.values))
    }
    assert sorted(key for key in named if key not in own) == []
    assert sorted(key for key in own if key.startswith("option.") and key not in named) == []


def _valued(name: str, values: tuple[Any, ...] | None) -> Iterator[str]:
    yield from (f"option.{name}.{value}" for value in values or () if not isinstance(value, bool))
