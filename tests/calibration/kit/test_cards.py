"""Rule cards: half a sheet for every game, in the page's words and in every language that it has."""

from datetime import date
from functools import cache

import numpy as np
import pypdfium2
import pytest

from calibration.kit.cards import card_sheets, cards_document
from calibration.kit.paper import PAPERS
from companion.language.texts import load
from companion.odds.usual_lengths import offered_length
from companion.rules.registry import games
from tests.printed_pages import INCH, letters_of, smallest_type, texts_of, unembedded

LANGUAGES = ("en", "de", "fr", "es")
MADE = date(2026, 3, 1)
MARGIN_MM = 5.0
OTHER_WAYS = (("a4", "de"), ("a4", "fr"))
"""Papers and languages that `test_every_sheet.py` does not look at together; each of them with another elsewhere."""


@cache
def cards(paper: str, language: str) -> bytes:
    return cards_document(PAPERS[paper], language, MADE).pdf()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_says_its_aim_its_rules_and_its_source(language: str) -> None:
    printed, words = letters_of(cards("a4", language)), load(language)
    for game in games().values():
        said = [words.translated(game.title), game.source]
        said += [words.translate(one.to_json()) for one in (game.aim, game.story, *game.how_to_play)]
        said += [words.translate(one.to_json()) for one in (game.interpretation,) if one is not None]
        length = offered_length(game)
        said += [] if length is None else [words.translate(length.sentence().to_json())]
        for text in said:
            assert "".join(text.split()).replace("-", "") in printed, (game.slug, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_rulings_are_plain_sentences_without_names_of_options_or_values(language: str) -> None:
    words = load(language)
    names = {one.name for game in games().values() for one in game.options}
    values = {value for game in games().values() for one in game.options for value in one.values or ()}
    technical = {str(one) for one in names | values if isinstance(one, str) and ("_" in one or "-" in one)}
    spaced = set(" ".join(texts_of(cards("a4", language))).replace(":", " ").replace(";", " ").split())
    assert not technical & spaced
    assert not {"true", "false"} & spaced
    printed = letters_of(cards("a4", language))
    for option in (one for game in games().values() for one in game.options if not one.later):
        assert (
            "".join(words(f"option.{option.name}.name").split()).replace("-", "") in printed or option.name == "target"
        )


@pytest.mark.parametrize(("paper", "language"), OTHER_WAYS)
def test_sheets_leave_a_margin_and_set_no_type_below_seven_points(paper: str, language: str) -> None:
    document = pypdfium2.PdfDocument(cards(paper, language))
    assert len(document) == card_sheets()
    half = PAPERS[paper].height / 2
    vignettes = [(right - 36, 6, right - 6, 28) for right in (half, 2 * half)]
    assert smallest_type(document, vignettes) >= 6.99
    for page in document:
        assert page.get_size() == pytest.approx([one / INCH * 72 for one in PAPERS[paper].turned.size], abs=0.2)
        grey = np.array(page.render(scale=2, grayscale=True).to_numpy())
        edge = int(MARGIN_MM / INCH * 144)
        inner = grey[edge:-edge, edge:-edge]
        assert (grey == 255).sum() - (inner == 255).sum() == grey.size - inner.size, "something lies in the margin"


def test_the_file_is_an_archives_with_its_fonts_its_title_and_its_language() -> None:
    data = cards("a4", "de")
    assert not unembedded(data)
    assert b"/PrintScaling/None" in data
    assert b"<pdfaid:part>2</pdfaid:part>" in data
    about = pypdfium2.PdfDocument(data).get_metadata_dict()
    assert (about["Title"], about["Author"]) == ("Regelkarten", "Alea")
    assert about["CreationDate"].startswith("D:20260301")
    assert data == cards_document(PAPERS["a4"], "de", MADE).pdf()
