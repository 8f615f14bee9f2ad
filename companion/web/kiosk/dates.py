"""Days and hours in the format of a language, from the CLDR (Babel)."""

from datetime import date, datetime

from babel.core import Locale, UnknownLocaleError
from babel.dates import format_date, format_time

from companion.language.texts import Texts


def _locale(t: Texts) -> Locale:
    try:
        return Locale.parse(t.wording.tag, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale.parse("en_GB")


def day_of(t: Texts, day: date) -> str:
    """Return a date in full, e.g. 22 November 2026."""
    return format_date(day, "long", locale=_locale(t))


def opening_line(t: Texts, opens: datetime | None, today: date | None) -> str:
    """Return a line that says when the kiosk opens next, or an empty one if that is unknown."""
    if opens is None:
        return ""
    time = format_time(opens.time(), "short", locale=_locale(t))
    if opens.date() == today:
        return t("kiosk.opens_today", time=time)
    return t("kiosk.opens_later", day=format_date(opens.date(), "EEEE", locale=_locale(t)), time=time)
