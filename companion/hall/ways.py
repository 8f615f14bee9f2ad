"""Which way a table's messages go: over a broker, or to the hall's own server that the table joined by a code."""

from functools import partial

from companion.hall.line import Opening
from companion.hall.settings import HallSettings


def line_opener(settings: HallSettings) -> Opening:
    """Return what opens a line as these settings say."""
    if settings.membership is not None:
        from companion.hall.direct.table_line import TableLine  # noqa: PLC0415  (a table with a broker needs none)

        return partial(TableLine, settings.membership)
    from companion.hall.mqtt import MqttLine  # noqa: PLC0415  (paho-mqtt comes with the extra; a code needs none)

    return partial(MqttLine, settings.broker)


def way_of(settings: HallSettings) -> str:
    """Return what names the way, for the log and for what was acknowledged over it."""
    if settings.membership is not None:
        return settings.membership.fingerprint
    return f"{settings.broker.host}:{settings.broker.port}"
