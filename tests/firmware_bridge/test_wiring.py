"""Maps of LEDs: what is written is read back, what does not fit is refused in a sentence, every LED is found."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.frame import DARK, Colour
from firmware_bridge.wiring import Wiring, WiringError, rows_of, serpentine, shortest, strips

RED = Colour(255, 0, 0)
sites = st.lists(
    st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters='"\\'), min_size=1, max_size=8),
    unique=True,
    max_size=40,
)


@st.composite
def wirings(draw: st.DrawFn) -> Wiring:
    names = draw(sites)
    leds = draw(st.permutations(range(3 * len(names) + 1)))
    shares = [draw(st.integers(0, 3)) for _ in names]
    ends = [sum(shares[: index + 1]) for index in range(len(names))]
    lit = {name: tuple(leds[end - share : end]) for name, share, end in zip(names, shares, ends, strict=True)}
    bits = draw(st.permutations(range(64)))
    return Wiring("a-board", "8x16", len(leds), lit, dict(zip(names, bits, strict=False)))


@given(wirings())
def test_a_map_that_is_written_is_read_back_the_same(wiring: Wiring) -> None:
    assert Wiring.parse(wiring.text()) == wiring


@given(wirings(), st.data())
def test_a_frame_lights_the_leds_of_the_marked_sites_and_no_other(wiring: Wiring, data: st.DataObject) -> None:
    marked = data.draw(st.lists(st.sampled_from([*wiring.sites, "nowhere"]), unique=True))
    frame = wiring.frame(dict.fromkeys(marked, RED))
    lit = {led for site in marked for led in wiring.sites.get(site, ())}
    assert [colour == RED for colour in frame.colours] == [led in lit for led in range(wiring.leds)]
    assert all(colour == DARK for led, colour in enumerate(frame.colours) if led not in lit)


@given(wirings(), st.integers(0, 2**64 - 1))
def test_each_sensor_speaks_for_its_own_site(wiring: Wiring, bitmap: int) -> None:
    occupied = wiring.occupied(bitmap)
    assert sum(1 << wiring.squares[site] for site, men in occupied.items() if men) == bitmap & sum(
        1 << bit for bit in wiring.squares.values()
    )


def test_a_strip_that_runs_to_and_fro_turns_every_second_row() -> None:
    rows = rows_of(["a1", "a2", "a3", "b1", "b2", "b3"], 2, 3)
    wiring = strips("s", "2x3", serpentine(rows), each=2)
    assert wiring.leds == 12
    assert wiring.sites["a3"] == (4, 5)
    assert wiring.sites["b3"] == (6, 7)
    assert wiring.sites["b1"] == (10, 11)


def test_the_shortest_wire_keeps_a_board_that_is_named_around_itself() -> None:
    around = [("a", 0.9, 0.7), ("b", 0.1, 0.7), ("c", 0.1, 0.2), ("d", 0.9, 0.2)]
    assert shortest(around) == [["a", "b"], ["c", "d"]]


def test_the_shortest_wire_turns_round_a_board_that_is_named_row_by_row() -> None:
    written = [("a", 0.1, 0.2), ("b", 0.9, 0.2), ("c", 0.1, 0.7), ("d", 0.9, 0.7)]
    assert shortest(written) == [["a", "b"], ["d", "c"]]


GOOD = 'version = 1\nname = "x"\nboard = "tables"\nleds = 3\n[sites]\na = [0, 1]\nb = 2\n'


def test_a_site_with_one_led_may_be_written_as_a_number() -> None:
    assert Wiring.parse(GOOD).sites == {"a": (0, 1), "b": (2,)}


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("version = 1", "version = 2", "Expected version = 1, but got 2"),
        ("leds = 3", "leds = true", "Expected leds as a whole number, but got True"),
        ("leds = 3", "leds = 2", "Site b has LED 2, but the chain has 2 LEDs"),
        ("leds = 3", "leds = 100000", "Expected 0 to 1024 LEDs"),
        ("b = 2", "b = 1", "LED 1 belongs to a and to b"),
        ("b = 2", 'b = "2"', "Expected the LED of site b as a whole number"),
        ("b = 2", "b = [-1]", "Site b has LED -1"),
        ('name = "x"', 'name = "../x"', "Expected a name of letters"),
        ('board = "tables"', "", "Expected board as a text, but got None"),
        ("[sites]", "[squares]\nc = 64\n[sites]", "Site c has sensor 64"),
        ("[sites]", "[squares]\nc = 1\nd = 1\n[sites]", "Sensor 1 belongs to c and to d"),
        ("[sites]", "squares = 4\n[sites]", r"Expected \[squares\] as a table"),
        ("[sites]", "[sites", "cannot be read as such"),
    ],
)
def test_what_is_wrong_with_a_map_is_said(before: str, after: str, text: str) -> None:
    with pytest.raises(WiringError, match=text):
        Wiring.parse(GOOD.replace(before, after))


def test_a_map_is_read_as_it_was_written_and_a_lost_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.leds.toml"
    wiring = Wiring.parse(GOOD)
    path.write_text(wiring.text())
    assert Wiring.load(path) == wiring
    with pytest.raises(WiringError, match="make one with `companion leds map`"):
        Wiring.load(tmp_path / "none.leds.toml")


def test_strips_over_the_same_site_are_refused() -> None:
    with pytest.raises(WiringError, match="a came twice"):
        strips("s", "b", [["a", "b"], ["a"]])
    with pytest.raises(WiringError, match="at least 1 LED a site, but got 0"):
        strips("s", "b", [["a"]], each=0)
    with pytest.raises(WiringError, match="Expected rows and columns for 3 sites, but 2x2 makes 4"):
        rows_of(["a", "b", "c"], 2, 2)
