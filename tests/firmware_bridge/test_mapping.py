"""A map made by asking: whatever is answered, each LED is asked about once, and the map says what was answered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.frame import DARK
from firmware_bridge.mapping import BACK, END, KNOWN, LIT, SAME, SKIP, Guide
from firmware_bridge.wiring import Wiring, WiringError

ORDER = ["a1", "a2", "a3", "b3", "b2", "b1"]


def guide(leds: int = 6, each: int = 1, known: dict[str, tuple[int, ...]] | None = None) -> Guide:
    return Guide(Wiring("mine", "2x3", leds, known or {}), ORDER, each, ["hand"])


def test_whoever_follows_what_is_proposed_types_nothing() -> None:
    asked = guide(12, each=2)
    while not asked.ended:
        asked.answer("")
    assert asked.wiring.sites == {site: (2 * index, 2 * index + 1) for index, site in enumerate(ORDER)}
    assert asked.missing == []


def test_after_another_answer_it_goes_on_from_there_backwards_if_the_wire_runs_so() -> None:
    asked, proposed = guide(), []
    for text in ("b1", "b2", "A2", "hand"):
        asked.answer(text)
        proposed.append(asked.proposed)
    assert proposed == ["b2", "b3", "a3", None]
    with pytest.raises(WiringError, match="No site is proposed here"):
        asked.answer("")


def test_one_may_go_back_skip_and_give_a_site_several_leds() -> None:
    asked = guide(5)
    for text in ("a1", SAME, SKIP, "a3", BACK, "b3"):
        asked.answer(text)
    assert asked.led == 4
    assert asked.wiring.sites == {"a1": (0, 1), "b3": (3,)}
    assert asked.missing == ["a2", "a3", "b2", "b1"]


def test_it_goes_on_another_day_where_it_was_left() -> None:
    asked = guide()
    for text in ("", "", END):
        asked.answer(text)
    again = Guide(asked.wiring, ORDER)
    assert (again.led, again.proposed, again.ended) == (2, "a3", False)


def test_only_the_led_that_is_asked_about_is_bright() -> None:
    asked = guide(4)
    asked.answer("")
    assert asked.frame().colours == (KNOWN, LIT, DARK, DARK)


@pytest.mark.parametrize(
    ("answers", "stated"),
    [
        ((BACK,), "This is the first LED"),
        ((SAME,), "The LED before this one lights no site"),
        ((SKIP, SAME), "The LED before this one lights no site"),
        (("z9",), "Expected a site of this board, such as a1, a2, a3, but got 'z9'"),
    ],
)
def test_an_answer_that_means_nothing_is_refused_and_changes_nothing(answers: tuple[str, ...], stated: str) -> None:
    asked = guide()
    for text in answers[:-1]:
        asked.answer(text)
    before = asked.led
    with pytest.raises(WiringError, match=stated):
        asked.answer(answers[-1])
    assert asked.led == before


def test_a_map_of_another_board_is_not_gone_on_with() -> None:
    with pytest.raises(WiringError, match="has the site z9, which this board has not"):
        guide(known={"z9": (0,)})


@given(st.lists(st.sampled_from([*ORDER, "hand", "", BACK, SKIP, SAME, "nonsense"]), max_size=40), st.integers(1, 3))
def test_the_map_is_what_was_answered_last_of_each_led(answers: list[str], each: int) -> None:
    asked, reply = guide(8, each), dict[int, str | None]()
    for text in answers:
        if asked.ended:
            break
        led, proposed = asked.led, asked.proposed
        try:
            asked.answer(text)
        except WiringError:
            assert asked.led == led
            continue
        if text == BACK:
            del reply[led - 1]
        else:
            reply[led] = {"": proposed, SKIP: None, SAME: reply.get(led - 1)}.get(text, text)
    lit = {led: site for site, leds in asked.wiring.sites.items() for led in leds}
    assert lit == {led: site for led, site in reply.items() if site is not None}
