"""Themes: nothing that is told is dark, no two meanings look alike, for colour-blind eyes too, and all is calm."""

from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.desk.lights.marks import LightMarks, Mark, Meaning
from companion.desk.lights.theme import CALM_SECONDS, Rhythm, ThemeError, parsed, theme, themes
from firmware_bridge.frame import Colour

SEEN = 32
"""What the brightest part of a colour needs to be seen at all after the gamma of an LED."""

NORMAL = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
# Machado, Oliveira and Fernandes 2009, severity 1, on linear red, green and blue.
PROTANOPIA = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
DEUTERANOPIA = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
TRITANOPIA = ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900))
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])


def lab(colour: Colour, eyes: object) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return CIE L*a*b* of a colour as these eyes see it."""
    parts = np.array([colour.red, colour.green, colour.blue]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    xyz = XYZ @ np.clip(np.array(eyes) @ linear, 0, 1) / WHITE
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def steady(name: str, players: int) -> list[Colour]:
    """Return every colour that can stand beside another without a rhythm, in a match of so many."""
    colours = theme(name)
    return [
        colours.colour(Mark(meaning, player), 0)
        for meaning, how in colours.styles.items()
        if not how.period
        for player in (range(1, players + 1) if how.colour is None else (0,))
    ]


def nearest(colours: list[Colour], eyes: object) -> float:
    seen = [lab(colour, eyes) for colour in colours]
    return min(float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2))


@pytest.mark.parametrize("eyes", [NORMAL, PROTANOPIA, DEUTERANOPIA, TRITANOPIA])
def test_the_theme_for_colour_blind_eyes_is_told_apart_by_all(eyes: object) -> None:
    assert nearest(steady("colour-blind", 2), eyes) > 25
    assert nearest(steady("colour-blind", 6), eyes) > 14


@pytest.mark.parametrize("name", themes())
def test_two_meanings_never_look_alike(name: str) -> None:
    assert nearest(steady(name, 2), NORMAL) > 12
    assert nearest(steady(name, 6), NORMAL) > 7
    assert theme(name).styles[Meaning.ASKED].period != theme(name).styles[Meaning.MISMATCH].period


marks = st.builds(
    LightMarks,
    st.dictionaries(st.sampled_from("abcdef"), st.builds(Mark, st.sampled_from(Meaning), st.integers(1, 6))),
    st.booleans(),
)


@given(marks, st.sampled_from(sorted(themes())), st.floats(0, 1e6))
def test_what_is_marked_is_lit_and_nothing_else(found: LightMarks, name: str, time: float) -> None:
    colours = theme(name).colours(found, time)
    assert colours.keys() == found.sites.keys()
    assert all(max(colour.red, colour.green, colour.blue) >= SEEN for colour in colours.values())


@given(marks, st.sampled_from(sorted(themes())), st.floats(0, 1e4), st.floats(0, 1e4))
def test_what_does_not_pulse_looks_the_same_at_any_time(found: LightMarks, name: str, one: float, other: float) -> None:
    colours = theme(name)
    if not colours.pulses(found):
        assert colours.colours(found, one) == colours.colours(found, other)


def luminance(colour: Colour | None) -> float:
    if colour is None:
        return 0.0
    linear = [(part / 255) ** 2.2 for part in (colour.red, colour.green, colour.blue)]
    return float(np.dot((0.2126, 0.7152, 0.0722), linear))


def flashes(shown: list[tuple[float, float]]) -> int:
    """Return the most flashes in any second: pairs of opposing changes of a tenth of the brightest (WCAG 2.3.1)."""
    turns: list[tuple[float, int]] = []
    low = high = shown[0][1]
    for time, light in shown:
        low, high = min(low, light), max(high, light)
        way = 1 if light - low >= 0.1 else -1 if high - light >= 0.1 else 0
        if way and (not turns or turns[-1][1] != way):
            turns.append((time, way))
        if way:
            low = high = light
    times = [time for time, _ in turns]
    return max((sum(1 for other in times if time <= other < time + 1) // 2 for time in times), default=0)


@pytest.mark.parametrize("name", themes())
def test_however_fast_a_match_goes_no_light_flashes_more_than_three_times_a_second(name: str) -> None:
    chance, rhythm = Random(name), Rhythm(theme(name))
    now, seen = 0.0, dict[str, list[tuple[float, float]]]({site: [] for site in "abc"})
    while now < 60:
        now += chance.choice((0.01, 0.02, 0.05, 0.1))
        sites = {site: Mark(chance.choice(list(Meaning)), chance.randint(1, 2)) for site in "abc"}
        # the worst that a match can do: whatever is lit is gone at the next moment, and back at the one after
        rhythm.want(LightMarks({} if rhythm._shown.sites else sites, chance.random() < 0.3))
        if rhythm.due(now) == 0:
            colours = rhythm.draw(now)
            for site, lights in seen.items():
                lights.append((now, luminance(colours.get(site))))
    assert all(len(lights) > 100 for lights in seen.values())
    assert max(flashes(lights) for lights in seen.values()) <= 3


def test_the_first_change_is_shown_at_once_and_the_newest_of_many_soon() -> None:
    rhythm, one, two, three = Rhythm(theme()), *(LightMarks({site: Mark(Meaning.FROM)}) for site in "abc")
    rhythm.draw(0)
    rhythm.want(one)
    assert rhythm.due(10) == 0
    assert set(rhythm.draw(10)) == {"a"}
    rhythm.want(two)
    rhythm.want(three)
    assert rhythm.due(10) == CALM_SECONDS
    assert set(rhythm.draw(10.01)) == {"a"}
    assert set(rhythm.draw(10 + CALM_SECONDS)) == {"c"}
    assert rhythm.due(10 + CALM_SECONDS) is None


def test_frames_are_drawn_fifteen_times_a_second_while_something_pulses_and_not_at_all_otherwise() -> None:
    rhythm = Rhythm(theme())
    rhythm.want(LightMarks({"a": Mark(Meaning.ASKED)}))
    times, now = [], 0.0
    while now < 2:
        due = rhythm.due(now)
        assert due is not None
        now += due
        rhythm.draw(now)
        times.append(now)
    assert 28 <= len(times) <= 32
    rhythm.want(LightMarks({"a": Mark(Meaning.FROM)}))
    rhythm.draw(now + 1)
    assert rhythm.due(now + 2) is None


GOOD = {
    "plain": {
        "dimmed": 0.5,
        "players": [[255, 0, 0]],
        **{str(meaning): {"share": 1.0, "colour": [0, 0, 255]} for meaning in Meaning},
    }
}


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ({"asked": {"share": 1.0, "period": 0.5}}, "flashes 2.00 times a second"),
        ({"asked": {"share": 1.5}}, "shares and times for asked"),
        ({"asked": {"share": 1.0, "colour": [300, 0, 0]}}, "lacks something or has a wrong value"),
        ({"asked": {}}, "lacks something or has a wrong value: 'share'"),
        ({"players": []}, "needs colours of players"),
        ({"like": "nothing"}, "is like 'nothing'"),
    ],
)
def test_what_is_wrong_with_a_theme_is_said(entry: dict[str, object], text: str) -> None:
    with pytest.raises(ThemeError, match=text):
        parsed("plain", {"plain": {**GOOD["plain"], **entry}})


def test_a_theme_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ThemeError, match="The themes for lights are standard, colour-blind, dim, bright, not 'x'"):
        theme("x")
