"""The language of a visitor, and what goes over the wire for it."""

import gzip
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.language import texts
from companion.language.checking import to_translate
from companion.language.index import files_by_template
from companion.settings.file import SettingsFile
from companion.web import assets, create_app
from companion.web.assets import UNREAD, modules
from companion.web.spoken import short, unsaid_at_table, written_by_the_server
from tests.web.fake_table import FakeTable

STEPS = '[language]\nname = "Probe"\nlocale = "de"\n[status]\nno_match = "Nichts wird gespielt."\n[sentences]\n'
REFUSED = (
    '"This table accepts commands only from its own page; open the address that the table printed." = "Nur von hier."\n'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qaa").mkdir()
    (tmp_path / "qaa" / "some.toml").write_text(STEPS + REFUSED, encoding="utf-8")
    (tmp_path / "no language").mkdir()
    return tmp_path


@pytest.fixture
def speaking(table: FakeTable, folder: Path) -> FlaskClient:
    settings = SettingsFile()
    settings.give({"texts": str(folder)})
    app: Flask = create_app(table, trusted_hosts=["localhost"], settings=settings)
    return app.test_client()


def test_a_language_is_added_by_a_folder_and_shown_in_the_menu(speaking: FlaskClient) -> None:
    page = speaking.get("/").get_data(as_text=True)
    assert '<html lang="en">' in page
    assert 'hreflang="qaa"' in page
    assert ">Probe</a>" in page
    assert "no language" not in page


def test_a_file_of_texts_that_is_damaged_is_left_out_and_told(
    speaking: FlaskClient, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "qab").mkdir()
    (folder / "qab" / "broken.toml").write_text("[status\nover = ", encoding="utf-8")
    (folder / "qab" / "whole.toml").write_text('[status]\nno_match = "Rien."', encoding="utf-8")
    page = speaking.get("/?language=qab").get_data(as_text=True)
    assert '<html lang="qab">' in page
    assert "broken.toml" in caplog.text
    speaking.set_cookie("alea_language", "qab", domain="localhost")
    assert speaking.get("/api/setup").get_json()["texts"]["own"]["status.no_match"] == "Rien."


def test_the_cookie_comes_before_the_browsers_own_list(speaking: FlaskClient) -> None:
    asked = {"Accept-Language": "qaa"}
    assert '<html lang="qaa">' in speaking.get("/", headers=asked).get_data(as_text=True)
    speaking.set_cookie("alea_language", "en", domain="localhost")
    assert '<html lang="en">' in speaking.get("/", headers=asked).get_data(as_text=True)
    speaking.set_cookie("alea_language", "../../etc", domain="localhost")
    assert '<html lang="qaa">' in speaking.get("/", headers=asked).get_data(as_text=True)


def test_the_script_gets_the_chosen_language_only_and_english_where_it_lacks_a_text(speaking: FlaskClient) -> None:
    speaking.set_cookie("alea_language", "qaa", domain="localhost")
    texts = speaking.get("/api/setup").get_json()["texts"]
    assert texts["locale"] == "de"
    assert texts["own"]["status.no_match"] == "Nichts wird gespielt."
    assert texts["own"]["status.over"] == "The match is over."


def test_a_refusal_is_said_in_the_language_of_the_page(speaking: FlaskClient) -> None:
    speaking.set_cookie("alea_language", "qaa", domain="localhost")
    foreign = {"Origin": "http://elsewhere.example", "Content-Type": "application/json"}
    assert speaking.post("/api/command/pause", data="{}", headers=foreign).get_json()["error"] == "Nur von hier."


@pytest.mark.parametrize("path", ["/", "/api/setup", "/static/js/board/drawing.js", "/static/css/page/base.css"])
def test_what_is_large_comes_compressed_and_is_the_same(client: FlaskClient, path: str) -> None:
    plain = client.get(path, buffered=True)
    packed = client.get(path, headers={"Accept-Encoding": "gzip"}, buffered=True)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    same = gzip.decompress(packed.data)
    if path.endswith(".js"):  # a packed script goes without its comments and its indentation
        assert b"\n/**" not in same
        assert same == UNREAD.sub(b"", plain.data)
    else:
        assert same == plain.data
    assert len(packed.data) < len(plain.data) / 2


@pytest.mark.parametrize("path", ["/api/setup", "/api/state", "/static/js/table/table.js"])
def test_what_has_not_changed_is_not_sent_again(client: FlaskClient, path: str) -> None:
    asked = {"Accept-Encoding": "gzip"}
    first = client.get(path, headers=asked, buffered=True)
    again = client.get(path, headers=asked | {"If-None-Match": first.headers["ETag"]}, buffered=True)
    assert again.status_code == 304
    assert again.data == b""


def test_a_stream_is_not_held_back_to_be_compressed(client: FlaskClient) -> None:
    with client.get("/api/events", headers={"Accept-Encoding": "gzip"}) as stream:
        assert "Content-Encoding" not in stream.headers


SCRIPTS = Path(assets.__file__).parent / "static" / "js"


def test_no_text_of_a_script_spans_lines_so_that_its_indentation_means_nothing() -> None:
    for script in SCRIPTS.rglob("*.js"):
        code = UNREAD.sub(b"", script.read_bytes()).decode()
        assert [line for line in code.splitlines() if line.count("`") % 2 or line.endswith("\\")] == [], script


def test_a_script_gets_every_text_that_it_names(client: FlaskClient) -> None:
    known = set(texts.load("en").own)
    named = {
        path.relative_to(SCRIPTS).as_posix(): known.intersection(
            re.findall(r"""["']([a-z_]+\.[\w.]+)["']""", path.read_text(encoding="utf-8"))
        )
        for path in SCRIPTS.rglob("*.js")
    }
    assert len(set().union(*named.values())) > 300
    for script in named:
        sent = client.get(f"/api/setup?scripts={script},page/head.js").get_json()["texts"]["own"]
        assert {key for module in modules(script) for key in named[module]} <= set(sent), script


@pytest.mark.parametrize(
    "scripts", ["", "nothing.js", "table/nothing.js", "../../app.py", "../js/table.js", "table/table.js,/etc/passwd"]
)
def test_who_names_no_script_that_there_is_gets_all_texts(client: FlaskClient, scripts: str) -> None:
    assert set(client.get(f"/api/setup?scripts={scripts}").get_json()["texts"]["own"]) == set(texts.load("en").own)


def test_the_table_is_spared_the_texts_of_other_pages(client: FlaskClient) -> None:
    sent = client.get("/api/setup?scripts=table/table.js").get_json()["texts"]["own"]
    assert "status.over" in sent
    assert not any(key.startswith(("calibrate.", "option.", "new.")) for key in sent)


def test_no_two_sentences_are_called_alike_on_their_way() -> None:
    names = {short(template) for template in files_by_template()}
    assert len(names) == len(files_by_template())
    assert short("Ü {n}") != short("U {n}")


@pytest.mark.parametrize("family", ["ludus_regularis", "ludix", "tables", "rithmomachia"])
def test_what_other_games_alone_say_is_left_out_and_nothing_else(family: str) -> None:
    left_out = unsaid_at_table(family) - written_by_the_server()
    kept = []
    for template, where in files_by_template().items():
        silent_here = (
            rf"companion/(rules/(?!{family}/|dice_sets/)\w+|fairness|lessons|live/laboratory|desk/series|settings|web)/"
        )
        silent_here += "|calibration/(board|kit)/|companion/(hall|players|problems)/"
        elsewhere = all(re.match(silent_here, place) for place in where)
        if template in left_out and not elsewhere:
            kept.append(template)
    assert kept == []
    assert len(left_out & set(to_translate())) > 300


def test_what_only_a_report_on_a_die_says_is_not_sent_to_a_table() -> None:
    of_reports = {
        template
        for template, where in files_by_template().items()
        if all(place.startswith("companion/fairness/report/") for place in where)
    }
    assert len(of_reports) > 100
    assert of_reports <= unsaid_at_table("tables")


def test_the_modules_of_a_page_are_its_scripts_and_theirs() -> None:
    found = modules("table/table.js")
    assert found[0] == "table/table.js"
    assert {"page/texts.js", "page/dom.js", "table/dice.js"} <= set(found)
    assert "matches/new.js" not in found
