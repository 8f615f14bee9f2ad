"""The measurements of the LED driver, small: what must hold on any machine."""

from bench.table.leds import match_unplugs, processor, rubbish, through_wled, unplugs


def test_a_board_pulled_out_again_and_again_leaves_nothing_behind() -> None:
    figures = unplugs(3, 3)
    assert (figures["n"], figures["threads_left"], figures["files_left"]) == (3, 0, 0)


def test_a_match_goes_on_while_its_board_is_pulled_out() -> None:
    assert match_unplugs(5, 3)["refused"] == 0


def test_the_driver_shows_what_it_is_given_while_its_processor_time_is_taken() -> None:
    figures = processor(1, 3)
    assert min(figures["own"]["shown_a_second"], figures["wled"]["shown_a_second"]) > 0


def test_nothing_that_happens_to_frames_is_a_command_to_wled() -> None:
    figures = through_wled(600, 3)
    assert figures["cut"] > 200
    assert (figures["commands_executed"], figures["shown_wrong_after"]) == (0, 0)


def test_rubbish_is_no_event_and_no_light() -> None:
    figures = rubbish(100_000, 3)
    assert (figures["events"], figures["lit"]) == (0, 0)
