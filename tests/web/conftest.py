"""The page on a fake table, as a browser on this machine and one on the network see it."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.web import create_app
from tests.web.fake_table import FakeTable

PIN = "314159"


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
