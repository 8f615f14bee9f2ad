"""How many messages a broker sends before they are acknowledged."""

import time

from companion.hall.line import Received, Waker
from companion.hall.mqtt import AT_ONCE, MqttLine
from tests.hall.listening import PATIENCE
from tests.hall.mosquitto import Mosquitto

TOPIC = "alea/museum/north/event"


def came(mosquitto: Mosquitto, at_once: int, sent: int) -> int:
    """Send messages, and return how many come to a client that acknowledges none."""
    got: list[Received] = []
    reader, writer = Waker(), Waker()
    reading = MqttLine(mosquitto.open, f"reader-{at_once}", reader, on_message=got.append, at_once=at_once)
    reading.subscribe(TOPIC)
    reading.turn(1.0)
    acknowledged: list[int] = []
    writing = MqttLine(mosquitto.open, "writer", writer, on_acknowledged=acknowledged.append)
    for number in range(sent):
        writing.publish(TOPIC, str(number).encode())
    while len(acknowledged) < sent:
        writing.turn(1.0)
    end = time.monotonic() + PATIENCE
    while len(got) < at_once and time.monotonic() < end:
        reading.turn(0.2)
    for _ in range(sent):  # the broker has all; what does not come within a second is held back
        reading.turn(1.0 / sent)
    for line, waker in ((reading, reader), (writing, writer)):
        line.close()
        waker.close()
    return len(got)


def test_a_book_may_have_many_messages_on_their_way(mosquitto: Mosquitto) -> None:
    assert came(mosquitto, AT_ONCE, 60) == AT_ONCE
    assert came(mosquitto, 50, 60) == 50
