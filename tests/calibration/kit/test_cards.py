"""Rule cards: one page for every game, with all that the game says of itself."""

import pypdfium2
import pytest

from calibration.kit.cards import card_pages
from calibration.kit.paper import PAPERS
from calibration.kit.sheets import pdf
from companion.odds.usual_lengths import offered_length
from companion.rules.registry import games


def words(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("paper", PAPERS)
def test_every_game_has_one_page_with_its_story_its_rulings_and_its_source(paper: str) -> None:
    document = pypdfium2.PdfDocument(pdf("cards", card_pages(PAPERS[paper])))
    try:
        assert len(document) == len(games())
        for page, game in zip(document, games().values(), strict=True):
            text = page.get_textpage()
            printed = words(text.get_text_range())
            text.close()
            page.close()
            assert words(game.title) in printed
            assert words(str(game.story)) in printed
            assert words(game.source) in printed
            assert game.interpretation is None or words(str(game.interpretation)) in printed
            length = offered_length(game)
            assert length is None or words(str(length.sentence())) in printed
            for step in game.how_to_play:
                assert words(str(step)) in printed
            meant = [words(str(option.meaning)) in printed for option in game.options if not option.later]
            assert all(meant) or words(f"What each of them means: companion games {game.slug}") in printed
            for option in (one for one in game.options if not one.later):
                assert words(option.name) in printed
    finally:
        document.close()


def test_a_file_without_pages_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one page"):
        pdf("nothing", [])
