"""The bench of watched matches in small: nothing is committed wrongly, and nothing illegal is committed at all."""

import pytest

from bench.boards.moves import SLUGS, watch


@pytest.mark.parametrize("slug", SLUGS)
def test_nothing_is_committed_wrongly(slug: str) -> None:
    figures = watch(slug, 2, 5, seed=7)
    assert figures["committed_wrongly"] == 0
    illegal = figures["illegal"]
    assert isinstance(illegal, dict)
    assert "Commit" not in illegal
    shares = figures["shares"]
    assert isinstance(shares, dict)
    assert shares["right"]["value"] > 0.5
