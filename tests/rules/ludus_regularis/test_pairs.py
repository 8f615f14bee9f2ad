"""Pairs of 21."""

from companion.rules.ludus_regularis.boards import mates
from companion.rules.ludus_regularis.pairing import completed
from companion.rules.ludus_regularis.virtues import Virtue, by_lot, virtues


def lots(*names: str) -> list[Virtue]:
    return [by_lot()[name] for name in names]


def test_any_two_sums_of_21_make_a_pair() -> None:
    """Pax (6) goes with Hilaritas (15) although Table 6 puts it beside Confessio."""
    pax, hilaritas = lots("1.2.3", "5.5.5")
    assert completed([pax, hilaritas], rows_only=False) == ((pax, hilaritas),)
    assert completed([pax, hilaritas], rows_only=True) == ()


def test_the_partner_of_table_6_comes_first() -> None:
    iustitia, pax, hilaritas = lots("1.1.4", "1.2.3", "5.5.5")
    assert mates()[iustitia] == hilaritas
    assert completed([pax, iustitia, hilaritas], rows_only=False) == ((iustitia, hilaritas),)


def test_a_completed_pair_stays_when_more_is_won() -> None:
    held = lots("1.2.3", "5.5.5", "3.6.6", "1.1.4")
    for count in range(len(held)):
        before = completed(held[:count], rows_only=False)
        assert completed(held[: count + 1], rows_only=False)[: len(before)] == before


def test_each_virtue_is_in_one_pair_and_all_together_make_28() -> None:
    for rows_only in (True, False):
        pairs = completed(virtues(), rows_only=rows_only)
        assert len(pairs) == 28
        assert len({virtue for pair in pairs for virtue in pair}) == 56
