"""What single throws come to, and how the referee says it."""

import pytest

from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import GameOverError, WrongThrowError
from companion.rules.ludus_regularis.choices import TimeUp
from tests.rules.ludus_regularis.plays import SUMS, played, start


@pytest.mark.parametrize("face", ["MNPR", "STXZ"])
def test_pax_is_won_with_p_or_x(face: str) -> None:
    first = start()
    throw = first.parse(f"A IO AEI {face}")
    assert first.account(throw).sites == ("1.2.3",)
    assert first.after(throw).occupancy() == {"1.2.3": 1}


def test_pax_without_its_consonants_says_which_would_have_won() -> None:
    account = start().account(start().parse("A IO AEI BCDF"))
    assert account.details["result"] == "consonant"
    assert "MNPR, STXZ would have won it" in str(account.sentence)


@pytest.mark.parametrize("cubes", ["EI UAE OU", "OUA IO OU"])
def test_gaudium_needs_two_u(cubes: str) -> None:
    throw = start().parse(f"{cubes} MNPR")
    assert start().account(throw).sites == ("2.2.3",)


def test_gaudium_with_one_u_lacks_two_and_says_so() -> None:
    account = start().account(start().parse("EI IO AEI MNPR"))
    assert account.details["lot"] == "2.2.3"
    assert account.details["missing"] == ["U", "U"]
    assert "lack two U's" in str(account.sentence)


def test_a_virtue_that_is_held_stays_where_it_is() -> None:
    position = played(start(), ["A IO AEI MNPR"])
    throw = position.parse("OUA IO I STXZ")
    assert str(position.account(throw).sentence) == "1.2.3 is Pax, which Player 1 already holds."
    assert position.after(throw).occupancy() == {"1.2.3": 1}


def test_iustitia_is_won_without_its_first_letter() -> None:
    throw = start().parse("A IOUA I STXZ")
    assert start().account(throw).sites == ("1.1.4",)


def test_iustitia_read_strictly_cannot_be_won() -> None:
    strict = start(iustitia="vowel")
    account = strict.account(strict.parse("A IOUA I STXZ"))
    assert account.details["missing"] == ["I"]
    assert not any("1.1.4" in strict.after(throw).occupancy() for throw in strict.throws())


def test_players_throw_in_turn() -> None:
    position = start(3)
    for expected in (1, 2, 3, 1, 2):
        assert position.awaits.player == expected
        position = played(position, ["AEIOUA E OU MNPR"])


def test_an_account_tells_the_pair_that_it_completes() -> None:
    position = played(start(), ["A IO AEI MNPR", "A E OU BCDF"])
    account = position.account(position.parse("EIOU EIOUA IOUAEI STXZ"))
    assert account.sites == ("4.5.6",)
    assert account.details["pairs"] == [["1.2.3", "4.5.6"]]
    assert "Pax + Suspiratio" in str(account.sentence)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("A IO AEI MNPR", "A IO AEI MNPR"),
        ("aei a mnpr io", "A IO AEI MNPR"),
        ("A, OI, EIA, RPNM", "A IO AEI MNPR"),
        ("3:AEI 1:A 2:IO consonants:MNPR", "A IO AEI MNPR"),
        ("AEIOU EIOUA IOUAE STXZ", "AEIOU EIOUA IOUAE STXZ"),
    ],
)
def test_throws_may_be_typed_in_many_ways(typed: str, shown: str) -> None:
    assert str(start().parse(typed)) == shown


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("A IO AEI", "Expected 4 faces"),
        ("A A AEI MNPR", "Die 1 has one upper face"),
        ("A IO QQQ MNPR", "QQQ"),
        ("1 2 3 4", "None of these dice"),
        ("9:A IO AEI MNPR", "but got '9'"),
    ],
)
def test_what_is_no_throw_is_refused_in_words(typed: str, sentence: str) -> None:
    with pytest.raises(ThrowError, match=sentence):
        start().parse(typed)


def test_a_throw_of_other_dice_is_refused() -> None:
    first = start()
    pips = Throw.of("pips", {"1": "1", "2": "2", "3": "3"})
    assert "Expected a throw of the wibold dice" in str(first.why_not(pips))
    with pytest.raises(WrongThrowError) as refused:
        first.after(pips)
    assert refused.value.position == first


def test_a_throw_of_too_few_dice_names_those_that_came() -> None:
    sentence = start().why_not(Throw.of("wibold", {"1": "A", "2": "E"}))
    assert "but got first cube, second cube" in str(sentence)


def test_after_the_end_nothing_counts() -> None:
    over = played(start(ending="throws", throws=1), ["A IO AEI MNPR"])
    assert over.awaits.kind == "over"
    with pytest.raises(GameOverError, match="over"):
        over.after(Throw.parse("wibold", "A IO AEI MNPR"))
    with pytest.raises(GameOverError):
        over.after(TimeUp())
    assert list(over.throws()) == []


def test_the_sum_game_takes_letters_or_pips() -> None:
    first = start(slug=SUMS)
    letters, pips = first.parse("A IO AEI"), first.parse("3 1 2")
    assert first.after(letters).occupancy() == first.after(pips).occupancy()
    assert set(first.after(pips).occupancy()) == {"1.1.4", "1.2.3", "2.2.2"}
    assert first.why_not(Throw.parse("wibold", "A IO AEI MNPR")) is not None


def test_a_sum_thrown_again_gives_nothing() -> None:
    position = played(start(slug=SUMS), ["1 1 1"])
    account = position.account(position.parse("A E I"))
    assert account.sites == ()
    assert "already held" in str(account.sentence)
