"""One broker and one PostgreSQL for all tests of a file, and an empty book in each kind of database."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.hall.acl import ASSISTANT, BOOK, OWNER, access_list
from tests.hall.mosquitto import Mosquitto
from tests.hall.postgresql import PostgreSql, empty


@pytest.fixture(scope="module")
def mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """Return a running broker whose guarded listener knows the tables north, south and east of the hall museum."""
    tables = ("north", "south", "east")
    access = access_list("museum", tables, "homeassistant")
    broker = Mosquitto(tmp_path_factory.mktemp("broker"), (*tables, BOOK, OWNER, ASSISTANT), access)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSql]:
    """Return a running server, one for all files of tests; who kills it starts it again."""
    with tempfile.TemporaryDirectory(prefix="alea-book-") as folder:  # where another user may look
        server = PostgreSql(Path(folder))
        server.start()
        yield server
        server.crash()


@pytest.fixture(params=["sqlite", "postgresql"])
def book_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty book, in each kind of database."""
    if request.param == "sqlite":
        return str(tmp_path / "book" / "hall.db")
    url = str(request.getfixturevalue("postgresql").url)
    empty(url)
    return url
