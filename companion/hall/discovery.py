"""What Home Assistant learns of a table over MQTT discovery: one device with its sensors."""

import json
from typing import Any, Final

from companion.hall.settings import HallSettings
from companion.hall.topics import OFFLINE, ONLINE, Topics

SENSORS: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    ("state", "State", {"icon": "mdi:dice-multiple"}),
    ("screen", "Screen", {"icon": "mdi:monitor"}),
    ("game", "Game", {"icon": "mdi:cards-playing-outline"}),
    (
        "throws_an_hour",
        "Throws an hour",
        {"state_class": "measurement", "unit_of_measurement": "1/h", "icon": "mdi:dice-5"},
    ),
    (
        "questions_percent",
        "Share of questions",
        {"state_class": "measurement", "unit_of_measurement": "%", "icon": "mdi:help-circle-outline"},
    ),
)
"""Field of the state, name, and what else Home Assistant learns of each figure."""

TROUBLES: Final = (("camera", "Camera"), ("board", "Board"), ("lights", "Lights"), ("journal", "Journal"))
"""Field of the state and name of each thing that may be in trouble."""


def device_name(settings: HallSettings) -> str:
    """Return what a table is called among all devices."""
    return f"alea_{settings.hall}_{settings.table}"


def discovery_topic(settings: HallSettings) -> str:
    """Return the topic of a table's discovery message."""
    return f"{settings.prefix}/device/{device_name(settings)}/config"


def birth_topic(settings: HallSettings) -> str:
    """Return the topic on which Home Assistant says that it has started; "" where nothing is published to it."""
    return f"{settings.prefix}/status" if settings.prefix else ""


def discovery_message(settings: HallSettings) -> tuple[str, bytes]:
    """Return topic and payload that make one device of the table; to be retained."""
    device, topics = device_name(settings), Topics.of(settings)
    parts: dict[str, Any] = {}
    for name, title, more in SENSORS:
        value = f"{{{{ value_json.{name} if value_json.{name} is not none else '-' }}}}"
        parts[name] = {"platform": "sensor", "name": title, "value_template": value, **more}
    for name, title in TROUBLES:
        value = f"{{{{ 'ON' if value_json.{name} == 'trouble' else 'OFF' }}}}"
        parts[name] = {
            "platform": "binary_sensor",
            "name": title,
            "device_class": "problem",
            "entity_category": "diagnostic",
            "value_template": value,
        }
    for name, part in parts.items():
        part["unique_id"] = f"{device}_{name}"
    message = {
        "device": {
            "identifiers": [device],
            "name": f"Alea {settings.hall} {settings.table}",
            "manufacturer": "Alea",
            "model": "the companion",
        },
        "origin": {"name": "alea-companion"},
        "components": parts,
        "state_topic": topics.state,
        "availability_topic": topics.status,
        "payload_available": ONLINE.decode(),
        "payload_not_available": OFFLINE.decode(),
        "qos": 1,
    }
    return discovery_topic(settings), json.dumps(message).encode()
