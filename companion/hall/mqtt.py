"""One line to an MQTT broker, in one thread: it is opened, used and thrown away when anything about it fails.

`paho-mqtt` speaks the protocol. Its own threads and its own repeats are not used: after a lost line the sender
begins again where the acknowledgements ended, in order, which a client that repeats by itself does not promise.
"""

import ssl
import struct
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from paho.mqtt import MQTTException
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.hall.line import LineLostError, Received, UnreachableError, Waker, Will
from companion.hall.settings import Broker
from companion.hall.topics import MOST_SHORT_BYTES

KEEP_ALIVE: Final = 20
"""Seconds of silence after which client and broker ask whether the other is still there."""

CONNECT_WAIT: Final = 5.0
"""Seconds that connecting may take."""

AT_ONCE: Final = 20
"""Messages that Mosquitto sends to a client before one of them is acknowledged, unless the client wants more."""

MISC_EVERY: Final = 1.0
"""Seconds between two checks of the protocol's own timers."""

PACKET_OVERHEAD_BYTES: Final = 4096
"""Bytes of a packet around its message: the topic and what MQTT adds."""

LEAST_REFUSAL_CODE: Final = 0x80
"""The least of MQTT 5's codes that refuse something."""


NOT_UNDERSTOOD: Final = (OSError, ValueError, TypeError, LookupError, AttributeError, AssertionError, struct.error)
"""What paho-mqtt raises, beside its own exceptions, where a broker sends what no broker should."""


class MqttLine:
    """An open line. For one thread; only its `Waker` is for others."""

    def __init__(
        self,
        broker: Broker,
        name: str,
        waker: Waker,
        *,
        will: Will | None = None,
        on_acknowledged: Callable[[int], None] = lambda _: None,
        on_message: Callable[[Received], None] = lambda _: None,
        kept_seconds: int = 0,
        at_once: int = AT_ONCE,
        most_bytes: int = MOST_SHORT_BYTES,
        ending: threading.Event | None = None,
    ) -> None:
        """Connect and sign in.

        ``name``: the client's, unique at the broker. ``on_message``: takes each message; the broker keeps it until
        `received` acknowledges it. ``kept_seconds``: how long the broker keeps messages for this client while it is
        away; 0 for not at all. ``at_once``: most messages that the broker sends before one of them is acknowledged.
        ``most_bytes``: of a message; the broker keeps a longer one to itself. ``ending``: give up connecting when it is
        set.

        Raises:
            LineLostError: the broker cannot be reached, or does not let this client in.
        """
        self._waker = waker
        self._lost: str | None = None
        self._in = False
        self._not_needed: set[int | None] = set()
        self._client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=name,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
            manual_ack=True,
        )
        self._client.connect_timeout = CONNECT_WAIT
        self._hear(on_acknowledged, on_message)
        if broker.user:
            self._client.username_pw_set(broker.user, broker.password)
        if will is not None:
            self._client.will_set(will.topic, will.payload, qos=1, retain=True)
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.ReceiveMaximum = at_once
        properties.MaximumPacketSize = most_bytes + PACKET_OVERHEAD_BYTES
        if kept_seconds:
            properties.SessionExpiryInterval = kept_seconds
        try:
            if broker.ca is not None:
                self._client.tls_set_context(_tls(broker))
            self._client.connect(
                broker.host, broker.port, KEEP_ALIVE, clean_start=not kept_seconds, properties=properties
            )
        except (MQTTException, *NOT_UNDERSTOOD) as why:
            self._drop()
            raise UnreachableError(f"{broker.host}:{broker.port} cannot be reached ({why}).") from why
        self._await_entry(ending)

    def _hear(self, on_acknowledged: Callable[[int], None], on_message: Callable[[Received], None]) -> None:
        def connected(_: Client, __: Any, ___: Any, code: ReasonCode, ____: Any) -> None:
            if code.is_failure:
                self._lost = f"the broker refuses this client ({code})"
            self._in = True

        def disconnected(_: Client, __: Any, ___: Any, code: ReasonCode, ____: Any) -> None:
            self._lost = self._lost or f"the line ended ({code})"

        def acknowledged(_: Client, __: Any, number: int, code: ReasonCode, ___: Any) -> None:
            if code.value >= LEAST_REFUSAL_CODE:
                self._lost = f"the broker refuses a message ({code})"
            else:
                on_acknowledged(number)

        def subscribed(_: Client, __: Any, mid: int, codes: list[ReasonCode], ___: Any) -> None:
            if mid not in self._not_needed and any(code.value >= LEAST_REFUSAL_CODE for code in codes):
                self._lost = f"the broker refuses a subscription ({codes[0]})"

        def message(_: Client, __: Any, got: MQTTMessage) -> None:
            on_message(Received(got.topic, bytes(got.payload), got.retain, got.mid, got.qos))

        self._client.on_connect = connected
        self._client.on_disconnect = disconnected
        self._client.on_publish = acknowledged
        self._client.on_subscribe = subscribed
        self._client.on_message = message

    def _await_entry(self, ending: threading.Event | None) -> None:
        end = time.monotonic() + CONNECT_WAIT
        while not self._in:
            if time.monotonic() > end or (ending is not None and ending.is_set()):
                self._drop()
                raise LineLostError("the broker does not answer")
            self.turn(0.1)

    def turn(self, seconds: float) -> None:
        """Wait at most so long for the broker or a `Waker.wake`, then send and take what there is.

        Raises:
            LineLostError: the line is lost.
        """
        try:
            line = self._client.socket()
            if self._lost is None and line is not None:
                if isinstance(line, ssl.SSLSocket) and line.pending():
                    seconds = 0.0
                writes = self._client.want_write()
                if seconds == 0.0 or self._waker.wait(line.fileno(), min(seconds, MISC_EVERY), writes=writes):
                    self._check(self._client.loop_read())
                if self._client.want_write():
                    self._check(self._client.loop_write())
                self._check(self._client.loop_misc())
            elif line is None:
                self._lost = self._lost or "the line ended"
        except (MQTTException, *NOT_UNDERSTOOD) as why:
            self._lost = self._lost or f"the broker is not understood ({why})"
        if self._lost is not None:
            self._drop()
            raise LineLostError(self._lost)

    def _check(self, code: MQTTErrorCode) -> None:
        if code != MQTTErrorCode.MQTT_ERR_SUCCESS:
            self._lost = self._lost or f"the line ended ({code.name})"

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> int:
        """Send a message; return its number.

        Raises:
            LineLostError: the line is lost.
        """
        try:
            sent = self._client.publish(topic, payload, qos=qos, retain=retain)
        except (ValueError, OSError) as why:
            raise LineLostError(str(why)) from why
        if sent.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            self._drop()
            raise LineLostError(f"the line ended ({sent.rc.name})")
        return sent.mid

    def subscribe(self, *topics: str, needed: bool = True) -> None:
        """Ask for the messages of topics, at least once each; if a ``needed`` one is refused, the line is lost."""
        _, mid = self._client.subscribe([(topic, 1) for topic in topics])
        if not needed:
            self._not_needed.add(mid)

    def received(self, message: Received) -> None:
        """Acknowledge a message, so that the broker forgets it."""
        self._client.ack(message.number, message.qos)

    def close(self, last: tuple[str, bytes] | None = None) -> None:
        """Sign out; ``last``: a retained message before that, instead of the last will."""
        try:
            if last is not None and self._lost is None:
                self._client.publish(*last, qos=1, retain=True)
            self._client.disconnect()
            for _ in range(10):
                if not self._client.want_write():
                    break
                self.turn(0.05)
        except (LineLostError, MQTTException, *NOT_UNDERSTOOD):
            pass
        self._drop()

    def _drop(self) -> None:
        """Let the connection go."""
        line = self._client.socket()
        if line is not None:
            line.close()


def _tls(broker: Broker) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=broker.ca)
    if broker.certificate is not None:
        context.load_cert_chain(broker.certificate, broker.key)
    return context
