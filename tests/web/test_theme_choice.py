"""The look that a cookie names: known ones are written into the page, anything else is left to the system."""

import re

import pytest
from flask.testing import FlaskClient


@pytest.mark.parametrize(
    ("cookie", "written"),
    [
        ("dark.large", ' data-theme="dark" data-type="large"'),
        ("contrast.", ' data-theme="contrast"'),
        (".large", ' data-type="large"'),
        ("", ""),
        ('"><script>.large"', ""),
        ("pink.tiny", ""),
    ],
)
def test_a_known_look_is_written_into_the_page_and_no_other(client: FlaskClient, cookie: str, written: str) -> None:
    client.set_cookie("alea_look", cookie)
    found = re.search(r'<html lang="en"(.*?)>\n', client.get("/start").text)
    assert found
    assert found[1] == written
