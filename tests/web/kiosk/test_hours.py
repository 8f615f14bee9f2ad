"""When the kiosk is open, and that a clock which is set closes nothing by mistake."""

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from companion.web.kiosk.hours import DAY_MINUTES, STEADY_CLOCK_SECONDS, Hours, Span, WallClock

SECOND = timedelta(seconds=1)


@st.composite
def days(draw: st.DrawFn) -> tuple[Span, ...]:
    """Return the spans of one day, in order and apart."""
    marks = sorted(draw(st.sets(st.integers(0, DAY_MINUTES), max_size=6)))
    return tuple(Span(begins, ends) for begins, ends in zip(marks[::2], marks[1::2], strict=False))


weeks = st.tuples(*[days()] * 7)
moments = st.datetimes(datetime.fromisoformat("2026-01-01"), datetime.fromisoformat("2027-01-01")).map(
    lambda moment: moment.replace(microsecond=0)
)


def open_by_the_minute(week: tuple[tuple[Span, ...], ...], moment: datetime) -> bool:
    """Look the moment up in its own day, as a person reads a sign at the door."""
    minute = moment.hour * 60 + moment.minute
    return any(span.begins <= minute < span.ends for span in week[moment.weekday()])


@given(weeks, moments)
def test_it_is_open_as_the_sign_at_the_door_says(week: tuple[tuple[Span, ...], ...], moment: datetime) -> None:
    assert Hours(week).at(moment).open is open_by_the_minute(week, moment)


@given(weeks, moments)
def test_it_closes_when_it_says_and_not_before(week: tuple[tuple[Span, ...], ...], moment: datetime) -> None:
    opening = Hours(week).at(moment)
    if opening.open and opening.closes_in is not None:
        closes = moment + timedelta(seconds=opening.closes_in)
        assert not open_by_the_minute(week, closes)
        assert open_by_the_minute(week, closes - SECOND)
        middle = moment + (closes - moment) / 2
        assert open_by_the_minute(week, middle)


@given(weeks, moments)
def test_it_opens_when_it_says_and_not_before(week: tuple[tuple[Span, ...], ...], moment: datetime) -> None:
    opening = Hours(week).at(moment)
    if opening.opens is not None:
        assert not opening.open
        assert open_by_the_minute(week, opening.opens)
        assert not open_by_the_minute(week, opening.opens - SECOND)
    elif not opening.open:
        assert not any(week)


def test_without_hours_it_is_always_open() -> None:
    assert Hours().at(datetime.fromisoformat("2026-12-24T23:59")).open


def test_a_clock_that_was_set_is_not_believed_at_once() -> None:
    now = [1_800_000_000.0, 5.0]
    clock = WallClock(lambda: now[0], lambda: now[1])
    clock.tick()
    now[0], now[1] = now[0] + 1, now[1] + 1
    clock.tick()
    assert clock.settled()
    now[0], now[1] = now[0] - 7200, now[1] + 1
    clock.tick()
    assert clock.jumps == 1
    assert not clock.settled()
    now[0], now[1] = now[0] + STEADY_CLOCK_SECONDS, now[1] + STEADY_CLOCK_SECONDS
    clock.tick()
    assert clock.settled()


def test_a_machine_without_a_battery_knows_no_time() -> None:
    assert WallClock(lambda: 86_400.0, lambda: 0.0).moment is None
