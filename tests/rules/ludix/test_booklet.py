"""What the booklet prints: its fourteen numerals, its wrong combinations with the right ones, its worked turns."""

import pytest

from companion.rules.ludix.numerals import formed_by, total, write
from tests.rules.ludix.plays import played, start

HIGHEST = {
    "VIII": 8, "XIII": 13, "XVII": 17, "XXII": 22, "XXVI": 26, "XXXI": 31, "XXXV": 35,
    "LIII": 53, "LVII": 57, "LXII": 62, "LXVI": 66, "LXXI": 71, "LXXV": 75, "LXXX": 80,
}  # fmt: skip

# The booklet prints VIIII = XII as its second entry. Five symbols: VVII is meant, as 5 + 5 + 1 + 1 are 12.
WRONG = {
    "IIII": "IV", "VVII": "XII", "VVVI": "XVI", "VVVV": "XX", "XVVI": "XXI", "XVVV": "XXV", "XXVV": "XXX",
    "XXXX": "XL", "LVVI": "LXI", "LVVV": "LXV", "LXVV": "LXX", "LLII": "CII", "LLVI": "CVI", "LLVV": "CX",
    "LLXI": "CXI", "LLXV": "CXV", "LLXX": "CXX", "LLLI": "CLI", "LLLV": "CLV", "LLLX": "CLX", "LLLL": "CC",
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), HIGHEST.items())
def test_the_fourteen_highest_numerals(text: str, value: int) -> None:
    best = formed_by(text)[0]
    assert (best.text, best.value) == (text, value)


def test_every_throw_is_in_one_of_the_two_lists() -> None:
    assert len(HIGHEST) + len(WRONG) == 35
    assert not {"".join(sorted(text)) for text in HIGHEST} & {"".join(sorted(text)) for text in WRONG}


@pytest.mark.parametrize(("shown", "right"), WRONG.items())
def test_the_21_throws_without_a_numeral_and_how_their_sum_is_written(shown: str, right: str) -> None:
    assert formed_by(shown) == ()
    assert write(total(shown)) == right
    account = start().account(start().parse(shown))
    assert account.details["result"] == "null"
    assert account.details["rightful"] == right
    assert right in str(account.sentence)


def test_other_numerals_count_less() -> None:
    assert [(formed.text, formed.value) for formed in formed_by("XXXI")] == [("XXXI", 31), ("XXIX", 29)]
    assert {"LXVI", "XLIV"} <= {formed.text for formed in formed_by("LVXI")}
    assert min(formed_by("LVXI"), key=lambda formed: formed.value).value == 44


def test_julie_notes_88_points() -> None:
    """I I X X for 22, not enough for her; L V X I for 66; she stops."""
    position = played(start(3), ["I I X X", "again", "L V X I"])
    assert position.stake == 22
    position = played(position, ["LXVI stop"])
    assert position.scores() == {1: 88, 2: 0, 3: 0}
    assert position.turn == 2


def test_mark_loses_his_17_points_and_luke_is_next() -> None:
    """I X V I for 17; then L V V I, which is no numeral."""
    position = played(start(3), ["I I X X", "again", "L V X I", "stop", "I X V I", "XVII again"])
    throw = position.parse("L V V I")
    account = position.account(throw)
    assert account.details["lost"] == 17
    assert (
        str(account.sentence)
        == "L V V I make no numeral: 61 is written LXI. Player 2 loses the 17 points of this turn."
    )
    position = position.after(throw)
    assert position.scores() == {1: 88, 2: 0, 3: 0}
    assert position.turn == 3
