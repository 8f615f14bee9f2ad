"""The page on a fake table, as a browser on this machine and one on the network see it."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.security import generate_password_hash

from companion.web import create_app
from companion.web.access import pin
from tests.web.fake_table import FakeTable

PIN = "314159"


@pytest.fixture(scope="package", autouse=True)
def _pins_are_hashed_quickly() -> Iterator[None]:
    """Hash PINs by the same method with a 64th of its work, which is slow by design."""
    with pytest.MonkeyPatch.context() as patch:
        quick = {"scrypt": "scrypt:512:8:1"}
        patch.setattr(pin, "generate_password_hash", lambda text, method: generate_password_hash(text, quick[method]))
        yield


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def app(table: FakeTable) -> Flask:
    return create_app(table, trusted_hosts=["localhost"])


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def network_client(table: FakeTable) -> FlaskClient:
    return create_app(table, trusted_hosts=["localhost"], owner_pin=PIN).test_client()
