"""The virtues and boards against the paper's tables, typed in here from the page."""

from collections import Counter

from companion.rules.ludus_regularis.boards import mates, pair_rows, rim, rim_sides
from companion.rules.ludus_regularis.rulings import sum_weights
from companion.rules.ludus_regularis.virtues import by_lot, lacking, lot_of, of_sum, virtues
from tests.rules.ludus_regularis.plays import start

TABLE_3 = """
    KARITAS 2 FIDES 2 SPES 6 IUSTITIA 1 PRUDENTIA 9 TEMPERANTIA 6 FORTITUDO 3 PAX 12 CASTITAS 4 MISERICORDIA
    6 OBEDIENTIA 6 TIMOR 4 PROUIDENTIA 9 DISCRETIO 12 PERSEUERANTIA 4 BONITAS 9 MODESTIA 18 LONGANIMITAS 6
    MANSUETUDO 9 BENIGNITAS 24 SAPIENTIA 6 COMPUNCTIO 3 GAUDIUM 6 SOBRIETAS 6 DELECTATIO 6 SUAUITAS 1
    ASTUTIA 2 SIMPLICITAS 8 HOSPITALITAS 12 PARCITAS 18 PATIENTIA 2 ZELUS 12 PAUPERTAS 8 LENITAS 9
    VIRGINITAS 12 REUERENTIA 4 PIETAS 2 INDULGENTIA 8 ORATIO 4 AMOR 3 IUDICIUM 2 VIGILANTIA 6 MORTIFICATIO
    12 INNOCENTIA 9 CONTRICIO 18 CONFESSIO 9 MATURITAS 2 SOLLICITUDO 9 CONSTANTIA 9 INTELLECTUS 12
    SUSPIRATIO 12 FLETUS 9 HILARITAS 3 COMPASSIO 9 CONTINENTIA 9 HUMILITAS 3
"""
"""Pulskamp & Otero, Table 3 (its Justitia under the name of Table 1)."""

NULL = 447


def test_the_864_throws_give_table_3() -> None:
    """Every throw is made in the first position; a second cast is made with each cube and counts by its chance."""
    first = start()
    won: Counter[str] = Counter()
    for throw in first.throws():
        after = first.after(throw)
        if after.awaits.kind == "recast":
            casts = [after.after(second) for second in after.throws()]
            assert len(casts) == 18
            won.update(cast_won for cast in casts for cast_won in cast.occupancy())
        else:
            won.update(dict.fromkeys(after.occupancy(), 18))
    printed = TABLE_3.split()
    table = {name: int(count) for name, count in zip(printed[::2], printed[1::2], strict=True)}
    assert {by_lot()[lot].latin.upper(): count / 18 for lot, count in won.items()} == table
    assert sum(table.values()) == 417
    assert 864 - won.total() / 18 == NULL


def test_table_4() -> None:
    half = [1, 3, 6, 10, 15, 21, 25, 27]
    assert list(sum_weights().values()) == half + half[::-1]


def test_there_are_56_virtues_with_sums_of_3_to_18() -> None:
    assert len(virtues()) == 56
    assert [len(of_sum(total)) for total in range(3, 19)] == [1, 1, 2, 3, 4, 5, 6, 6, 6, 6, 5, 4, 3, 2, 1, 1]


def test_the_errata_of_the_paper_are_mended() -> None:
    assert by_lot()["2.2.3"].latin == "Gaudium"
    assert by_lot()["1.3.6"].latin == "Perseuerantia"
    assert by_lot()["2.6.6"].latin == "Reuerentia"
    assert by_lot()["3.4.4"].latin == "Iudicium"


def test_every_virtue_has_a_face_of_the_tetrahedron_and_only_known_letters() -> None:
    for virtue in virtues():
        assert virtue.winning_faces
        # the V of Virginitas and Vigilantia is on no die
        assert virtue.consonants <= set("BCDFGHKLMNPRSTXZ" + "V")


def test_the_initial_of_iustitia_alone_is_a_consonant() -> None:
    assert [virtue.latin for virtue in virtues() if virtue.initial_consonant] == ["Iustitia"]
    assert by_lot()["1.1.4"].vowels() == "UIIA"
    assert by_lot()["1.1.4"].vowels(initial_too=True) == "IUIIA"


def test_letters_are_asked_as_often_as_the_name_has_them() -> None:
    assert lacking("AUIU", "EIIOAEI") == "UU"
    assert lacking("AUIU", "EIOUUAE") == ""


def test_the_order_of_the_cubes_does_not_matter_for_the_lot() -> None:
    assert lot_of([3, 1, 2]) == lot_of([2, 3, 1]) == "1.2.3"


def test_the_rim_runs_clockwise_with_15_13_15_13() -> None:
    assert rim_sides() == (15, 13, 15, 13)
    sites = {site.name: (site.x, site.y) for site in rim().sites}
    left, top = sites["1.1.1"]
    right, _ = sites["1.3.6"]
    _, bottom = sites["2.3.5"]
    assert sites["1.3.6"] == (right, top)
    assert sites["2.3.5"] == (right, bottom)
    assert sites["3.4.6"] == (left, bottom)
    assert sites["6.6.6"][0] == left
    assert len(sites) == 56


def test_each_of_the_28_rows_of_table_6_makes_21() -> None:
    assert len(pair_rows()) == 28
    assert all(one.sum + other.sum == 21 for one, other in pair_rows())
    assert set(mates()) == set(virtues())
