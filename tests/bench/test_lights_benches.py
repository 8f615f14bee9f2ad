"""The measurements of the lights, small: what must hold on any machine."""

from bench.table.lights import GAMES, alone, as_lit, pulsing


def test_squares_alone_commit_nothing_that_was_not_played_even_where_they_err() -> None:
    for slug in GAMES:
        for wrong in (0.0, 0.01):
            figures = alone(slug, 25, 3, wrong)
            assert "committed wrong" not in figures, figures


def test_a_pulse_takes_less_than_three_percent_of_a_core_at_fifteen_frames_a_second() -> None:
    figures = pulsing(2.0)
    assert figures["core"] < 0.03
    assert 10 < figures["frames_per_s"] <= 15.5


def test_every_choice_is_a_frame() -> None:
    assert as_lit(3, 3)["ms_most"] < 5000
