"""The table of harmonies: the counts of the sources, and what each side of a match can still make."""

from itertools import combinations

import pytest
from flask.testing import FlaskClient

from companion.rules.registry import game
from companion.rules.rithmomachia.numbers import EXAMPLES, triples
from companion.web import create_app
from tests.web.fake_table import FakeTable


def test_the_table_has_as_many_progressions_as_the_sources_print() -> None:
    """004, appendix III: 30 geometric, 62 arithmetic, 18 harmonic."""
    assert {kind: len(found) for kind, found in triples().items()} == {
        "arithmetic": 62,
        "geometric": 30,
        "harmonic": 18,
    }
    assert (4, 20, 100) in triples()["geometric"]
    assert all(low < middle < high for found in triples().values() for low, middle, high in found)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_each_example_is_in_its_table(kind: str) -> None:
    assert EXAMPLES[kind] in triples()[kind]


def test_a_match_marks_what_each_side_can_make() -> None:
    table = FakeTable()
    client: FlaskClient = create_app(table, trusted_hosts=["localhost"]).test_client()
    assert "can-make" not in client.get("/harmonies").text
    position = game("rithmomachia/mebben").start(2)
    table.change(board={"name": "", "men": dict(position.occupancy()), "last": [], **position.board_notes()})
    page = client.get("/harmonies").text
    white = {man["number"] for man in position.occupancy().values() if man["colour"] == "white"}
    able = [three for found in triples().values() for three in found if set(three) <= white]
    assert page.count('class="can-make white"') == len(able) > 5
    assert len(able) < len(list(combinations(white, 3)))
