"""The tables of harmonies: computed a second time in fractions, and compared with what Mebben's appendix prints."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from companion.rules.rithmomachia import numbers
from tests.rules.rithmomachia.naive_harmonies import fours, kinds_of_four, triples
from tests.rules.rithmomachia.naive_men import values_of_the_start

A, G, H = "arithmetic", "geometric", "harmonic"
TRIPLES = {A: 62, G: 30, H: 18}
"""How many there are among the numbers of the start, pyramids whole."""

ONLY_THREE = [(3, 4, 6, 9), (4, 6, 9, 12), (15, 20, 30, 45)]
"""The sets of four that hold all three harmonies as triples ("only three possibilities", Durnil & Guardia 6)."""

HEADINGS = {
    "Geometrical harmony:": {G},
    "Arithmetical harmony:": {A},
    "Musical harmony:": {H},
    "Arithmetical and musical harmony:": {A, H},
    "Geometrical and musical Harmony:": {G, H},
    "Arithmetical and geometrical harmony:": {A, G},
    "Arithmetical, geometrical and musical harmony:": {A, G, H},
}
"""The headings of the tables in Mebben's appendix III."""

PRINTED = {(A,): 62, (G,): 30, (H,): 18, (A, H): 16, (G, H): 15, (A, G): 57, (A, G, H): 28}
"""How many rows each table prints."""


def printed_tables(shared: Path) -> dict[tuple[str, ...], list[tuple[int, ...]]]:
    """Read the tables of appendix III out of the page, each row a tuple."""
    page = next((shared / "sources").glob("004_*.txt")).read_text(encoding="utf-8")
    appendix = page[page.index("Appendix III:Table of harmonies") : page.index("(1) This description")]
    tables: dict[tuple[str, ...], list[tuple[int, ...]]] = {}
    for line in map(str.strip, appendix.splitlines()):
        if line in HEADINGS:
            tables[tuple(sorted(HEADINGS[line]))] = rows = []
        elif re.fullmatch(r"\d+( \d+)+", line):
            rows.append(tuple(map(int, line.split())))
    return tables


def test_the_start_has_thirty_five_numbers() -> None:
    assert len(values_of_the_start()) == 35


@pytest.mark.parametrize("kind", TRIPLES)
def test_there_are_62_30_and_18_triples(kind: str) -> None:
    assert len(triples(values_of_the_start(), kind)) == TRIPLES[kind]


def test_only_three_sets_of_four_hold_all_three_harmonies_as_triples() -> None:
    assert fours(values_of_the_start(), {A, G, H}, four_term=False) == ONLY_THREE


def test_a_four_term_proportion_makes_25_more() -> None:
    great = fours(values_of_the_start(), {A, G, H}, four_term=True)
    assert len(great) == 28
    assert set(ONLY_THREE) <= set(great)
    by_proportion = [four for four in great if kinds_of_four(four, four_term=False) == {A, H}]
    assert len(by_proportion) == 25
    assert all(a * d == b * c for a, b, c, d in by_proportion)


def test_a_four_term_proportion_mirrors_an_arithmetic_triple_into_a_harmonic_one() -> None:
    """In a : b = c : d each number has a partner; reciprocals of a triple are its partners' triple.

    So the four-term reading adds to the great harmonies alone and leaves those of two kinds without the third.
    """
    for pair in ({A, G}, {G, H}):
        assert fours(values_of_the_start(), pair, four_term=True) == fours(values_of_the_start(), pair, four_term=False)


@pytest.mark.parametrize("kind", TRIPLES)
def test_the_engine_computes_the_same_triples(kind: str) -> None:
    assert [one for one in combinations(values_of_the_start(), 3) if numbers.progression(one) == kind] == triples(
        values_of_the_start(), kind
    )


@pytest.mark.parametrize("four_term", [False, True])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_engine_computes_the_same_sets_of_four(count: int, four_term: bool) -> None:  # noqa: FBT001 - a case
    values = values_of_the_start()
    ours = [four for size in combinations((A, G, H), count) for four in fours(values, set(size), four_term=four_term)]
    found = [four for four in combinations(values, 4) if len(numbers.kinds(four, four_term=four_term)) == count]
    assert found == sorted(ours)


@pytest.mark.shared
def test_the_printed_tables_are_those_computed(shared: Path) -> None:
    """Row for row, none missing on either side; its great harmonies count a proportion of four terms as geometric."""
    printed = printed_tables(shared)
    assert {kinds: len(rows) for kinds, rows in printed.items()} == PRINTED
    for kinds, rows in printed.items():
        if len(kinds) == 1:
            assert sorted(rows) == triples(values_of_the_start(), kinds[0])
        else:
            assert sorted(rows) == fours(values_of_the_start(), set(kinds), four_term=True)


@pytest.mark.parametrize(("kinds", "count"), PRINTED.items())
def test_as_many_are_computed_as_mebben_prints(kinds: tuple[str, ...], count: int) -> None:
    values = values_of_the_start()
    rows = triples(values, kinds[0]) if len(kinds) == 1 else fours(values, set(kinds), four_term=True)
    assert len(rows) == count
