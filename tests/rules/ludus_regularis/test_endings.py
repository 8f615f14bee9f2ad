"""The end of the game: by the source, by agreement, with ties, teacher and pupils."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.errors import IllegalChoiceError
from companion.rules.ludus_regularis import LudusPosition
from companion.rules.ludus_regularis.choices import TimeUp
from companion.rules.ludus_regularis.virtues import of_sum, virtues
from companion.rules.options import OptionValue
from tests.rules.ludus_regularis.plays import SUMS, ludus, played, start

PAX, SUSPIRATIO = "A IO AEI MNPR", "EIOU EIOUA IOUAEI STXZ"
NOTHING = "AEIOUA E OU MNPR"
KARITAS = ["A E I STXZ", "2:UAE"]


def shared_out(shares: list[list[str]], **options: OptionValue) -> LudusPosition:
    """Return a position of the sum game, set up by hand, where each player holds the virtues of these sums."""
    held = {}
    rounds = 0
    for number, sums in enumerate(shares):
        rounds = max(rounds, len(sums))
        for turn, total in enumerate(sums):
            throw = turn * len(shares) + number + 1
            held.update({virtue.lot: {"player": number + 1, "throw": throw} for virtue in of_sum(int(total))})
    data = {"game": SUMS, "players": len(shares), "virtues": held, "throws": rounds * len(shares), "options": options}
    return ludus(SUMS).from_json(data)


def test_the_whole_game_goes_on_until_every_virtue_is_held() -> None:
    """First all but one is held, then all; only then is there an outcome."""
    virtue_count = len(virtues())
    data = start().to_json() | {
        "throws": virtue_count - 1,
        "turn": 2,
        "virtues": {
            virtue.lot: {"player": index % 2 + 1, "throw": index + 1} for index, virtue in enumerate(virtues()[:-1])
        },
    }
    position = ludus().from_json(data)
    assert not position.faults()
    assert position.outcome is None
    ended = played(position, ["AEIOUA EIOUAE IOUAEI GHKL"])
    assert ended.outcome is not None
    assert ended.scores() == {1: 28, 2: 28}


def test_read_strictly_the_game_ends_with_iustitia_free() -> None:
    held = [virtue for virtue in virtues() if virtue.latin != "Iustitia"]
    data = start(iustitia="vowel").to_json() | {
        "throws": 55,
        "turn": 2,
        "virtues": {virtue.lot: {"player": n % 2 + 1, "throw": n + 1} for n, virtue in enumerate(held)},
    }
    position = ludus().from_json(data)
    assert not position.faults()
    assert position.outcome is not None
    assert position.occupancy().get("1.1.4") is None


def test_karitas_breaks_a_tie() -> None:
    tied = played(start(ending="throws", throws=2), [PAX, *KARITAS])
    assert tied.scores() == {1: 1, 2: 1}
    assert tied.outcome is not None
    assert tied.outcome.winners == (2,)
    assert not tied.outcome.tie
    assert "Karitas counts double now" in str(tied.outcome.why)


def test_karitas_raises_its_holder_into_a_tie_of_others() -> None:
    """The source adds one to the holder's total whenever there is a tie, so that the tie may grow by its holder."""
    tied = played(
        start(3, ending="throws", throws=6),
        [PAX, SUSPIRATIO, *KARITAS, "EI UAE OU MNPR", "AEIOUA EIOUAE IOUAEI GHKL", NOTHING],
    )
    assert tied.scores() == {1: 2, 2: 2, 3: 1}
    assert tied.outcome is not None
    assert tied.outcome.winners == (1, 2, 3)
    assert tied.outcome.details["teacher"] == []
    assert str(tied.outcome.why).endswith(
        "Player 1 and Player 2 hold 2 virtues each; Karitas counts double now, so Player 3 draws level with them: "
        "nobody is ahead, and the win is shared."
    )


def held_by(numbers: Sequence[int], players: int) -> LudusPosition:
    """Return a position in which the virtues, in the order of the lots, are held by these players; 0 is free."""
    held = {
        virtue.lot: {"player": number, "throw": index * players + number}
        for index, (virtue, number) in enumerate(zip(virtues(), numbers, strict=False))
        if number
    }
    return ludus().from_json({"game": "ludus-regularis", "players": players, "virtues": held})


def test_nineteen_nineteen_and_eighteen_with_karitas_share_and_the_fourth_learns() -> None:
    position = held_by([3, *[1] * 19, *[2] * 19, *[3] * 17], 4)
    assert position.scores() == {1: 19, 2: 19, 3: 18, 4: 0}
    stands = position.standing()
    assert stands.winners == (1, 2, 3)
    assert [pupil["player"] for pupil in stands.details["pupils"]] == [4]
    assert "they share the win, and everybody else is a pupil" in str(stands.why)


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4), st.data())
def test_who_wins_is_counted_as_the_source_counts(shares: list[int], data: st.DataObject) -> None:
    charitable = data.draw(st.integers(1, len(shares)))
    totals = dict(enumerate(shares, 1))
    numbers = [number for number, share in totals.items() for _ in range(share - (number == charitable))]
    position = held_by([charitable, *numbers], len(shares))  # the first lot is that of Karitas
    if shares.count(max(shares)) > 1:
        totals[charitable] += 1
    most = max(totals.values())
    assert position.standing().winners == tuple(number for number, total in totals.items() if total == most)


def test_karitas_may_always_count_double() -> None:
    position = played(start(karitas="always", ending="throws", throws=3), [*KARITAS, PAX, NOTHING])
    assert position.scores() == {1: 2, 2: 1}
    assert position.outcome is not None
    assert position.outcome.winners == (1,)


def test_a_tie_of_all_is_a_shared_win_without_teacher_or_pupils() -> None:
    tied = played(start(ending="throws", throws=2), [PAX, SUSPIRATIO])
    assert tied.outcome is not None
    assert tied.outcome.winners == (1, 2)
    assert tied.outcome.tie
    assert tied.outcome.details["teacher"] == []
    assert tied.outcome.details["pupils"] == []
    assert "the win is shared" in str(tied.outcome.why)


def test_the_winner_teaches_and_each_pupil_lacks_what_he_does_not_hold() -> None:
    position = played(start(ending="first-to", target=2), [PAX, NOTHING, SUSPIRATIO])
    assert position.outcome is not None
    assert position.outcome.details["teacher"] == [1]
    (pupil,) = position.outcome.details["pupils"]
    assert pupil["player"] == 2
    assert len(pupil["lacks"]) == 56
    assert len(position.outcome.details["lacks"]["1"]) == 54


def test_first_to_ends_with_the_throw_that_reaches_the_target() -> None:
    position = played(start(ending="first-to", target=2), [PAX, NOTHING])
    assert position.outcome is None
    assert played(position, [SUSPIRATIO]).outcome is not None


def test_an_agreed_number_of_throws_ends_the_game() -> None:
    position = played(start(ending="throws", throws=3), [PAX, NOTHING])
    assert position.outcome is None
    assert played(position, [NOTHING]).outcome is not None


def test_the_last_throw_waits_for_its_second_cast() -> None:
    position = played(start(ending="throws", throws=1), KARITAS[:1])
    assert position.outcome is None
    assert played(position, KARITAS[1:]).outcome is not None


def test_the_time_is_called_up_by_whoever_keeps_the_clock() -> None:
    position = played(start(ending="time"), [PAX])
    assert [str(choice) for choice in position.legal()] == ["time up"]
    over = position.after(position.parse("Time up"))
    assert over.outcome is not None
    assert over.outcome.winners == (1,)
    assert str(over.outcome.why).startswith("The agreed time is up.")
    assert position.account(TimeUp()).details["result"] == "time-up"


@pytest.mark.parametrize("ending", ["whole", "first-to", "throws"])
def test_no_time_is_up_where_none_was_agreed(ending: str) -> None:
    position = start(ending=ending)
    assert TimeUp() not in position.legal()
    with pytest.raises(IllegalChoiceError, match="No time limit was agreed"):
        position.after(TimeUp())


def test_the_sum_game_breaks_ties_by_karitas_too() -> None:
    position = shared_out([["4"], ["3"]], ending="throws", throws=2)
    assert not position.faults()
    assert position.outcome is not None
    assert position.outcome.winners == (2,)
