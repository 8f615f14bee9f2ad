"""What a partial throw already tells."""

from fractions import Fraction

from companion.rules.dice import Throw
from tests.rules.ludus_regularis.plays import SUMS, played, start


def shown(**faces: str) -> Throw:
    return Throw.of("wibold", {name.removeprefix("cube"): face for name, face in faces.items()})


def test_before_any_die_lies_everything_is_possible() -> None:
    prospects = start().prospects()
    assert len(prospects.virtues) == 56
    assert prospects.chance == Fraction(417, 864)
    assert prospects.virtue is None
    assert prospects.missing is None


def test_two_cubes_leave_six_lots() -> None:
    prospects = start().prospects(shown(cube1="A", cube2="IO"))
    assert [virtue.lot for virtue in prospects.virtues] == ["1.1.2", "1.2.2", "1.2.3", "1.2.4", "1.2.5", "1.2.6"]


def test_three_cubes_point_to_one_virtue_and_the_faces_that_win_it() -> None:
    prospects = start().prospects(shown(cube1="A", cube2="IO", cube3="AEI"))
    assert str(prospects.virtue) == "Pax"
    assert prospects.missing == ""
    assert prospects.consonants == ("MNPR", "STXZ")
    assert prospects.chance == Fraction(1, 2)


def test_missing_letters_leave_no_face_that_wins() -> None:
    prospects = start().prospects(shown(cube1="EI", cube2="IO", cube3="AEI"))
    assert (str(prospects.virtue), prospects.missing, prospects.consonants) == ("Gaudium", "UU", ())
    assert prospects.chance == 0


def test_a_held_virtue_cannot_be_won() -> None:
    position = played(start(), ["A IO AEI MNPR"])
    prospects = position.prospects(shown(cube1="A", cube2="IO", cube3="AEI"))
    assert prospects.holders == (1,)
    assert prospects.consonants == ()
    assert prospects.chance == 0


def test_the_lot_of_karitas_counts_its_second_cast() -> None:
    prospects = start().prospects(shown(cube1="A", cube2="E", cube3="I"))
    assert prospects.consonants == ("GHKL", "MNPR", "STXZ")
    assert prospects.chance == Fraction(3, 4) * Fraction(4, 6)


def test_the_second_cast_shows_which_faces_win() -> None:
    waiting = played(start(), ["A E I STXZ"])
    before = waiting.prospects()
    assert before.chance == Fraction(4, 6)
    assert before.second_faces["2"] == ("UAE", "IOUA", "EIOUA", "EIOUAE")
    assert waiting.prospects(shown(cube2="IO")).chance == 0
    assert waiting.prospects(shown(cube2="UAE")).chance == 1


def test_dice_that_are_not_awaited_are_left_out() -> None:
    pips = Throw.of("pips", {"1": "1"})
    assert start().prospects(pips) == start().prospects()


def test_sums_come_from_letters_and_from_pips_alike() -> None:
    position = start(slug=SUMS)
    letters = position.prospects(shown(cube1="A", cube2="E", cube3="OU"))
    pips = position.prospects(Throw.of("pips", {"1": "1", "2": "1", "3": "2"}))
    assert letters == pips
    assert [str(virtue) for virtue in pips.virtues] == ["Fides"]
    assert pips.chance == 1


def test_a_single_virtue_names_the_free_ones_that_would_complete_it() -> None:
    position = played(start(), ["A IO AEI MNPR", "EIOU EIOUA IOUAEI STXZ"])
    mine, theirs = position.prospects().standings
    assert [(str(virtue), [str(mate) for mate in mates]) for virtue, mates in mine.half] == [
        ("Pax", ["Confessio", "Hilaritas"])
    ]
    assert theirs.complete == ()
    only_rows = played(start(pairs="rows"), ["A IO AEI MNPR"]).prospects().standings[0]
    assert [str(mate) for _, mates in only_rows.half for mate in mates] == ["Confessio"]


def test_json_is_plain_data() -> None:
    data = start().prospects(shown(cube1="A", cube2="IO", cube3="AEI")).to_json()
    assert data["virtue"] == "1.2.3"
    assert data["chance"] == 0.5
    assert data["standings"][0] == {"player": 1, "complete": [], "half": []}


def test_after_the_end_nothing_is_possible() -> None:
    over = played(start(ending="throws", throws=1), ["A IO AEI MNPR"])
    assert over.prospects().virtues == ()
    assert over.prospects().chance == 0
