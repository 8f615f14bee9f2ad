"""What the first page is sent: its modules and styles in few requests, and what its script asks for next."""

import json
import re
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from companion.live.snapshot import Snapshot
from companion.web import assets
from companion.web.assets import modules
from companion.web.pages import SELDOM
from tests.web.fake_table import FakeTable, state


def test_what_a_table_seldom_needs_is_not_asked_for_at_first_but_its_texts_are_there(client: FlaskClient) -> None:
    first, ever = set(modules("table/table.js")), set(modules("table/table.js", later=True))
    seldom = ever - first
    assert {"board/men.js", "board/drawing.js", "table/outcome.js", "table/dispute.js"} <= seldom
    assert set(modules("table/table.js", *SELDOM.values())) <= ever
    sent = client.get("/api/setup?scripts=table/table.js").get_json()["texts"]["own"]
    assert {"men.ask_heading", "outcome.nobody"} <= set(sent)


def test_the_styles_of_every_page_are_one_answer_that_is_kept_until_they_change(client: FlaskClient) -> None:
    address = re.search(r'href="(/page\.css\?v=\w+)"', client.get("/").text)
    assert address
    sent = client.get(address[1])
    assert sent.mimetype == "text/css"
    assert "immutable" in sent.headers["Cache-Control"]
    folder = Path(assets.__file__).parent / "static" / "css"
    for name in assets.SHEETS:
        assert (folder / f"{name}.css").read_text(encoding="utf-8") in sent.text
    assert "immutable" not in client.get("/page.css?v=older").headers["Cache-Control"]
    again = client.get(address[1], headers={"If-None-Match": sent.headers["ETag"]})
    assert again.status_code == 304


def test_no_name_breaks_out_of_what_the_page_brings_along(app: Flask, table: FakeTable) -> None:
    evil = "</script><script>alert(1)</script><!--"
    shown = state(8)
    shown["match"]["name"] = evil
    table._now = Snapshot(8, shown)
    page = app.test_client().get("/").text
    assert evil not in page
    brought = re.search(r'<script type="application/json" id="brought-state">(.*?)</script>', page, re.DOTALL)
    assert brought
    assert json.loads(brought[1])["match"]["name"] == evil
