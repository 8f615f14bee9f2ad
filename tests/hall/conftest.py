"""One broker for all tests of a file."""

from collections.abc import Iterator

import pytest

from companion.hall.acl import BOOK, OWNER, access_list
from tests.hall.mosquitto import Mosquitto


@pytest.fixture(scope="module")
def mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """Return a running broker whose guarded listener knows the tables north and south of the hall museum."""
    users = ("north", "south", BOOK, OWNER)
    broker = Mosquitto(
        tmp_path_factory.mktemp("broker"), users, access_list("museum", ("north", "south"), "homeassistant")
    )
    broker.start()
    yield broker
    broker.stop()
