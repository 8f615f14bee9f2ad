"""What Home Assistant learns of a table over MQTT discovery: one device with its sensors."""

import json
from typing import Any

from companion.data_file import data_of
from companion.hall.settings import HallSettings
from companion.hall.topics import OFFLINE, ONLINE, Topics


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
    known = data_of(__package__, "discovery.toml")
    for name, sensor in known["sensors"].items():
        value = f"{{{{ value_json.{name} if value_json.{name} is not none else '-' }}}}"
        parts[name] = {"platform": "sensor", "value_template": value, **sensor}
    for name, title in known["troubles"].items():
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
