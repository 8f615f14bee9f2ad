"""The laboratory's pages over HTTP: they stand, plans are answered, and the museum's day is counted without persons."""

import json
import math
import tomllib
from collections.abc import Iterator
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.fairness.mixture import mixture_of
from companion.fairness.outcomes import outcomes_of
from companion.fairness.verdict import SIGNIFICANCE_LEVEL, judge_counts
from companion.language import texts
from companion.rules.dice import dice_set
from companion.web import create_app
from companion.web.laboratory.app import create_laboratory_app, games_address
from companion.web.laboratory.museum import DayCounts, museum
from tests.web.fake_laboratory import FakeLaboratory
from tests.web.fake_table import FakeTable
from tests.web.serving import served

COUNTS = st.dictionaries(
    st.sampled_from(["ordinary", "loaded", "brick"]), st.lists(st.integers(0, 500), min_size=6, max_size=6)
)


@pytest.fixture
def laboratory() -> FakeLaboratory:
    return FakeLaboratory()


@pytest.fixture
def client(laboratory: FakeLaboratory, tmp_path: Path) -> Iterator[FlaskClient]:
    app = create_laboratory_app(laboratory, trusted_hosts=["localhost"], day=tmp_path / "day.json")
    with app.test_client() as made:
        yield made


def begin(laboratory: FakeLaboratory, title: str, name: str) -> None:
    die = {"set": "pips", "die": "1", "name": name}
    laboratory.command("begin", {"title": title, "dice": [die], "smallest": 0.05}, "tests")


@pytest.mark.parametrize("path", ["/lab", "/lab/new", "/lab/series", "/lab/museum", "/lab/api/setup"])
def test_every_page_stands_and_hostile_names_are_only_text(
    client: FlaskClient, laboratory: FakeLaboratory, path: str
) -> None:
    assert client.get(path).status_code == 200
    begin(laboratory, "<script>alert(1)</script>", 'a/b?"<b>')
    page = client.get(path)
    assert page.status_code == 200
    assert "<script>alert" not in page.text
    assert "<b>" not in page.text


def test_the_pages_lead_to_the_games_of_a_table_that_runs_beside(
    laboratory: FakeLaboratory, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(create_app(FakeTable(), trusted_hosts=["127.0.0.1"])) as address:
        port = int(address.rpartition(":")[2])
        monkeypatch.setattr("companion.web.laboratory.app.games_address", partial(games_address, port))
        client = create_laboratory_app(laboratory, trusted_hosts=["localhost"]).test_client()
        here = {"base_url": "http://localhost:8001"}
        assert f'href="http://localhost:{port}/start"' in client.get("/lab", **here).text
        assert "/start" not in client.get("/lab", **here, environ_base={"REMOTE_ADDR": "192.168.1.9"}).text
    assert "/start" not in client.get("/lab", **here).text, "the table has ended"


def test_the_list_leads_to_the_report_of_a_die_of_any_name(client: FlaskClient, laboratory: FakeLaboratory) -> None:
    begin(laboratory, "One", "Die a/b 1?")
    assert 'href="/lab/report/1/Die%20a%2Fb%201%3F.pdf"' in client.get("/lab/series").text


def test_all_dice_of_a_series_are_judged_together(client: FlaskClient, laboratory: FakeLaboratory) -> None:
    dice = [{"set": "pips", "die": "1", "name": name} for name in ("One", "Two <b>")]
    laboratory.command("begin", {"title": "Batch", "dice": dice, "smallest": 0.05}, "tests")
    for _ in range(60):
        laboratory.add("One", "6")
        laboratory.add("Two <b>", "1234566"[len(laboratory.throws_made) % 7])
    page = client.get("/lab/batch?series=1").text
    assert "Biased, in a batch of 2 dice: One." in page
    assert page.count("data-called") == 1
    assert "<b>" not in page
    assert client.get("/lab/batch?series=2").status_code == 404
    assert client.get("/lab/batch?series=x").status_code == 404


def test_pages_for_visitors_show_no_way_out(laboratory: FakeLaboratory) -> None:
    app = create_laboratory_app(laboratory, trusted_hosts=["localhost"], first="/lab/museum")
    assert "/lab/new" not in app.test_client().get("/", follow_redirects=True).text
    assert "/lab/new" in app.test_client().get("/lab").text


def test_only_dice_that_fall_are_offered(client: FlaskClient) -> None:
    sets = client.get("/lab/api/setup?scripts=laboratory/new.js").get_json()["dice_sets"]
    assert {"pips", "d6", "ludix", "wibold", "d4", "d20"} <= set(sets)
    assert not {"tiles", "wheel"} & set(sets)
    assert [face["pips"] for face in sets["pips"]["dice"][0]["faces"]] == [1, 2, 3, 4, 5, 6]
    assert all(face["pips"] is None for face in sets["d6"]["dice"][0]["faces"])


def test_a_smaller_bias_takes_more_throws(client: FlaskClient) -> None:
    few, more = (client.get(f"/lab/api/plan?set=d4&die=d4&bias={bias}").get_json() for bias in (0.2, 0.1))
    for name in ("half", "find", "surely", "rule_out"):
        assert 3 < more[name] / few[name] < 6, name  # half the bias takes four times as many


@pytest.mark.parametrize(
    "asked", ["", "set=tiles&die=tile&bias=0.05", "set=d4&die=d4&bias=0.9", "set=d4&die=d4&bias=x"]
)
def test_no_plan_is_made_of_nonsense(client: FlaskClient, asked: str) -> None:
    answer = client.get(f"/lab/api/plan?{asked}", headers={"Accept": "application/json"})
    assert answer.status_code == 404
    assert "Expected a die" in answer.get_json()["error"]


def test_the_museums_dice_are_dice_and_have_their_texts() -> None:
    own = texts.load("en").own
    assert len(museum().dice) == 3
    for die in museum().dice:
        assert sum(die.chances) == pytest.approx(1, abs=1e-12)
        assert len(die.chances) == len(dice_set("pips").dice[0].faces)
        assert {f"museum.kind_{die.name}", f"museum.story_{die.name}"} <= set(own)
    ordinary, loaded, brick = museum().dice
    assert len(set(ordinary.chances)) == 1
    assert loaded.chances.index(max(loaded.chances)) == 5
    assert brick.chances[2] + brick.chances[3] == pytest.approx(0.154)  # the two square faces, as measured


def test_the_page_is_sent_the_line_of_every_series(client: FlaskClient) -> None:
    page = client.get("/lab/museum").text
    found = json.loads(page.partition('data-museum="')[2].partition('"')[0].replace("&#34;", '"'))
    assert math.exp(found["needed"]) == pytest.approx(1 / SIGNIFICANCE_LEVEL)
    assert found["fair"] == pytest.approx([1 / 6] * 6)
    assert [die["typical"] is None for die in found["dice"]] == [True, False, False]
    assert all(40 < die["typical"] < 400 for die in found["dice"][1:])


def test_the_museums_evidence_is_that_of_every_series(client: FlaskClient) -> None:
    outcomes = outcomes_of(dice_set("pips").dice[0])
    places = np.random.default_rng(7).choice(6, size=100, p=[0.1, 0.1, 0.2, 0.2, 0.2, 0.2]).tolist()
    for before in ([0] * 6, [0, 0, 0, 0, 0, 40], [10_000_000] * 6):
        asked = f"counts={','.join(map(str, before))}&places={','.join(map(str, places))}"
        values = client.get(f"/lab/api/museum/evidence?{asked}").get_json()["looks"]
        after = np.array(before) + np.vstack([[0] * 6, (np.array(places)[:, None] == np.arange(6)).cumsum(axis=0)])
        judgement = [judge_counts(row, outcomes) for row in after[[0, 1, 100]]]
        assert len(values) == 101
        for view, row, judged in zip((values[0], values[1], values[100]), after[[0, 1, 100]], judgement, strict=True):
            assert view["value"] == pytest.approx(float(mixture_of(outcomes).log_value(row)), abs=1e-9)
            assert view["low"] == pytest.approx(judged.intervals.low.tolist(), abs=1e-12)
            assert view["high"] == pytest.approx(judged.intervals.high.tolist(), abs=1e-12)


@pytest.mark.parametrize(
    "asked",
    ["", "counts=1,2,3", "counts=0,0,0,0,0,-1", "counts=0,0,0,0,0,x", "counts=0,0,0,0,0,10000001"]
    + [f"counts=0,0,0,0,0,0&places={places}" for places in ("6", "-1", "x", ",".join("1" * 201))],
)
def test_no_evidence_comes_of_nonsense(client: FlaskClient, asked: str) -> None:
    assert client.get(f"/lab/api/museum/evidence?{asked}").status_code == 400


@settings(max_examples=40)
@given(visits=st.lists(COUNTS, max_size=6), cut=st.integers(0, 6))
def test_the_day_is_the_sum_of_its_visits_also_over_a_restart(
    tmp_path_factory: pytest.TempPathFactory, visits: list[dict[str, list[int]]], cut: int
) -> None:
    path = tmp_path_factory.mktemp("day") / "day.json"
    counts = DayCounts(path, lambda: "2026-11-22")
    for number, visit in enumerate(visits):
        if number == cut:
            counts = DayCounts(path, lambda: "2026-11-22")
        counts.add(visit)
    whole: dict[str, list[int]] = {}
    for visit in visits:
        for name, row in visit.items():
            whole[name] = [one + more for one, more in zip(whole.get(name, [0] * 6), row, strict=True)]
    assert counts.counts() == whole
    assert DayCounts(path, lambda: "2026-11-23").counts() == {}


@pytest.mark.parametrize("content", ["", "[]", '{"other": {}}', '{"alea-laboratory-day": {"x": [1]}, "day": "1"}'])
def test_a_broken_file_begins_anew(tmp_path: Path, content: str) -> None:
    path = tmp_path / "day.json"
    path.write_text(content, encoding="utf-8")
    counts = DayCounts(path)
    counts.add({"brick": [1, 0, 0, 0, 0, 0]})
    assert DayCounts(path).counts() == {"brick": [1, 0, 0, 0, 0, 0]}


def test_a_day_that_cannot_be_written_is_kept_in_memory(tmp_path: Path) -> None:
    counts = DayCounts(tmp_path / "no such folder" / "day.json")
    counts.add({"brick": [1, 2, 3, 4, 5, 6]})
    assert counts.counts() == {"brick": [1, 2, 3, 4, 5, 6]}


@pytest.mark.parametrize(
    "body",
    [
        [],
        {},
        {"counts": 5},
        {"counts": {"other": [1, 1, 1, 1, 1, 1]}},
        {"counts": {"brick": [1, 1, 1]}},
        {"counts": {"brick": [1, 1, 1, 1, 1, -1]}},
        {"counts": {"brick": [1, 1, 1, 1, 1, True]}},
        {"counts": {"brick": [1, 1, 1, 1, 1, 1.5]}},
        {"counts": {"brick": [1, 1, 1, 1, 1, 10**9]}},
    ],
)
def test_only_counts_of_the_museums_dice_are_taken(client: FlaskClient, body: Any) -> None:
    assert client.post("/lab/api/museum/day", json=body).status_code == 400
    assert client.get("/lab/api/museum/day").get_json() == {"counts": {}, "biased": []}


def test_another_sites_page_adds_nothing(client: FlaskClient) -> None:
    body = {"counts": {"brick": [1, 1, 1, 1, 1, 1]}}
    refused = client.post("/lab/api/museum/day", json=body, headers={"Origin": "http://elsewhere"})
    assert refused.status_code == 403
    assert client.post("/lab/api/museum/day", json=body).get_json() == body | {"biased": []}


def test_a_day_of_loaded_throws_is_called_biased(client: FlaskClient) -> None:
    body = {"counts": {"loaded": [20, 20, 20, 20, 20, 100], "ordinary": [20, 20, 20, 20, 20, 21]}}
    assert client.post("/lab/api/museum/day", json=body).get_json() == body | {"biased": ["loaded"]}


def test_the_data_file_says_when_the_page_begins_anew() -> None:
    data = tomllib.loads((files("companion.web.laboratory") / "museum.toml").read_text(encoding="utf-8"))
    assert museum().idle == data["idle"] > 10
    assert museum().countdown == data["countdown"] >= 20  # WCAG 2.2.1 asks for 20 seconds where time runs out
