"""Who may send pictures: a code lets one phone in once, and pictures of two cameras never mix."""

import threading
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.web.camera.pairing import (
    CODE_SECONDS,
    GIVES_WAY,
    MOST_PHONES,
    PHONE_REMEMBERED_SECONDS,
    PairingError,
    PhonePairing,
)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pairing(clock: Clock) -> PhonePairing:
    return PhonePairing(clock)


def let_in(pairing: PhonePairing) -> str:
    return pairing.pair(pairing.invite().token)


def send(pairing: PhonePairing, sender: str) -> bool:
    try:
        with pairing.turn(sender):
            return True
    except PairingError:
        return False


def test_a_code_lets_in_once_for_a_while_and_only_the_newest(pairing: PhonePairing, clock: Clock) -> None:
    old, new = pairing.invite(), pairing.invite()
    for token in (old.token, "", "nonsense", new.token + "x", "é"):
        with pytest.raises(PairingError, match="has expired"):
            pairing.pair(token)
    key = pairing.pair(new.token)
    assert pairing.knows(key)
    with pytest.raises(PairingError, match="used already"):
        pairing.pair(new.token)
    late = pairing.invite()
    clock.now += CODE_SECONDS
    assert pairing.invitation() is None
    with pytest.raises(PairingError):
        pairing.pair(late.token)


def test_phones_are_forgotten_when_dismissed_when_silent_for_long_and_when_there_are_many(
    pairing: PhonePairing, clock: Clock
) -> None:
    first = let_in(pairing)
    others = [let_in(pairing) for _ in range(MOST_PHONES)]
    assert not pairing.knows(first)
    clock.now += PHONE_REMEMBERED_SECONDS - 1
    send(pairing, others[0])
    clock.now += 2
    assert [pairing.knows(key) for key in others[:2]] == [True, False]
    pairing.dismiss()
    assert not pairing.knows(others[0])
    assert pairing.phones == 0


def test_a_second_camera_is_refused_until_it_takes_over_or_the_first_is_gone(
    pairing: PhonePairing, clock: Clock
) -> None:
    assert send(pairing, "one")
    assert not send(pairing, "two")
    pairing.take_over("two")
    assert send(pairing, "two")
    assert not send(pairing, "one")
    clock.now += GIVES_WAY + 0.1
    assert send(pairing, "one")
    found = pairing.sending()
    assert found is not None
    assert found.pictures == 1


def test_a_picture_that_is_refused_does_not_count(pairing: PhonePairing) -> None:
    def hand_in() -> None:
        with pairing.turn("one"):
            raise ValueError("black")

    with pytest.raises(ValueError, match="black"):
        hand_in()
    assert pairing.sending() is None
    assert send(pairing, "one")


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from(["send", "take", "wait"]), st.sampled_from("ab"), st.floats(0.0, 2 * GIVES_WAY)),
        max_size=40,
    )
)
def test_two_cameras_never_mix(acts: list[tuple[str, str, float]]) -> None:
    clock = Clock()
    pairing = PhonePairing(clock)
    taken: list[tuple[str, float, bool]] = []  # who, when, and whether a person had said so
    stated = False
    for act, who, wait in acts:
        if act == "wait":
            clock.now += wait
        elif act == "take":
            pairing.take_over(who)
            stated = True
        elif send(pairing, who):
            taken.append((who, clock.now, stated))
            stated = False
    for (one, before, _), (other, after, allowed) in pairwise(taken):
        assert one == other or allowed or after - before > GIVES_WAY


def test_no_picture_of_the_old_camera_comes_in_after_the_new_one_has_taken_over(pairing: PhonePairing) -> None:
    order: list[str] = []
    inside, over = threading.Event(), threading.Event()

    def slow() -> None:
        with pairing.turn("old"):
            inside.set()
            over.wait(0.2)  # take_over has to wait for this
            order.append("old")

    def taking() -> None:
        pairing.take_over("new")
        order.append("new")
        over.set()

    sending = threading.Thread(target=slow)
    sending.start()
    assert inside.wait(60)
    taker = threading.Thread(target=taking)
    taker.start()
    sending.join(60)
    taker.join(60)
    assert order == ["old", "new"]
