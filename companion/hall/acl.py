"""The access list of a hall for Mosquitto: a table writes its own topics only, and nobody else writes them."""

from collections.abc import Sequence

from companion.hall.discovery import birth_topic, discovery_topic
from companion.hall.settings import HallSettings
from companion.hall.topics import ROOT, Topics

BOOK, OWNER, ASSISTANT = "book", "owner", "homeassistant"
"""The users of the hall's book and desk, of anyone else who may ask something of the tables, and of Home Assistant."""


def access_list(hall: str, tables: Sequence[str], prefix: str) -> str:
    """Return the access list; each table's user in Mosquitto is called like the table.

    ``prefix``: of Home Assistant's discovery, "" for none.
    """
    lines = [f"# Written by companion hall init for the hall {hall}. Nobody may read or write anything else.", ""]
    for table in tables:
        settings = HallSettings(hall, table, prefix=prefix)
        topics = Topics.of(settings)
        own = [topics.event, topics.state, topics.status, topics.answer, topics.join, topics.match("+")]
        lines.append(f"user {table}")
        lines += [f"topic write {topic}" for topic in own + ([discovery_topic(settings)] if prefix else [])]
        read = [topics.command, topics.again, topics.invitation, *topics.from_tables, birth_topic(settings)]
        lines += [f"topic read {topic}" for topic in read if topic]
        lines.append("")
    everything = f"topic read {ROOT}/{hall}/+/+"  # what two tables say to each other in a match has a level more
    lines += [f"user {BOOK}", everything]
    lines += [f"topic write {ROOT}/{hall}/+/{last}" for last in ("again", "invitation", "command")] + [""]
    lines += [f"user {OWNER}", everything, f"topic write {ROOT}/{hall}/+/command", ""]
    if prefix:
        lines += [f"user {ASSISTANT}", *(f"topic read {ROOT}/{hall}/+/{last}" for last in ("state", "status"))]
        lines += [f"topic readwrite {prefix}/#", ""]
    return "\n".join(lines)
