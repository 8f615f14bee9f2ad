"""The riddle of the author's name as a page: its verses, its solution, and a visitor's own name."""

import pytest
from flask.testing import FlaskClient

from companion.web import create_app
from tests.web.fake_table import FakeTable


@pytest.fixture
def client() -> FlaskClient:
    return create_app(FakeTable(), trusted_hosts=["localhost"]).test_client()


def test_the_page_shows_the_verses_and_the_solution(client: FlaskClient) -> None:
    page = client.get("/riddle").text
    assert "Twice ten is the first letter, the second and the eighth." in page
    assert "20 20 9 2 14 11 4 20 18 = VVIBOLDVS" in page
    assert "role=" not in page.partition('name="name"')[2].partition("</form>")[0], "nobody asked for a name yet"


def test_a_visitors_name_becomes_numbers(client: FlaskClient) -> None:
    assert "8 17 14 19 18 20 20 9 19 8 1 = HROTSVVITHA" in client.get("/riddle?name=Hrotswitha").text


def test_a_strange_sign_gets_one_sentence_in_the_readers_language(client: FlaskClient) -> None:
    reply = client.get("/riddle?name=<Zoë>", headers={"Accept-Language": "de"})
    assert reply.status_code == 200
    assert "doch angegeben wurde &lt;, &gt;, Ë: Lassen Sie Akzente und andere Zeichen weg." in reply.text
    assert "<Zoë>" not in reply.text
