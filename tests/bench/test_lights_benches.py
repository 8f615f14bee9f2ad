"""The measurements of the lights, small: what must hold on any machine."""

from bench.table.lights import GAMES, alone, as_lit, pulsing


def test_squares_alone_commit_nothing_that_was_not_played_even_where_they_err() -> None:
    for slug in GAMES:
        for wrong in (0.0, 0.01):
            figures = alone(slug, 25, 3, wrong)
            assert "committed wrong" not in figures, figures


def test_a_pulse_is_at_most_fifteen_frames_a_second_and_its_share_of_a_core_is_measured() -> None:
    figures = pulsing(2.0)
    assert 0 < figures["frames_per_s"] <= 15.5, "a busy machine shows fewer"
    assert 0 < figures["core"] < 1


def test_every_choice_is_a_frame() -> None:
    assert as_lit(3, 3)["ms_most"] < 5000
