"""What the owner chose is kept, whole or not at all, and a broken file costs nothing but the choices."""

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.live.keeping import WHICH, Keeping
from companion.settings.file import SettingsError, SettingsFile, settings_from_json, settings_to_json
from companion.settings.record import DECLARED, KeptPictures, TableSettings
from companion.web import create_app
from tests.web.fake_table import FakeTable

chosen = st.builds(
    TableSettings,
    languages=st.lists(st.sampled_from(["en", "de", "fr", "es", "la"]), unique=True).map(tuple),
    pictures=st.builds(KeptPictures, st.sampled_from(WHICH), st.integers(1, 3650)),
    lights=st.floats(0.1, 1),
    learning=st.booleans(),
    camera=st.none() | st.text(max_size=5),
    strength=st.sampled_from(DECLARED["strength"].choices),
    program_pause=st.floats(0, 60),
    allow_host=st.lists(st.text(max_size=3), max_size=2).map(tuple),
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(chosen)
def test_settings_come_back_as_they_were_written(some: TableSettings) -> None:
    assert settings_from_json(json.loads(json.dumps(settings_to_json(some)))) == some


@given(chosen, st.sampled_from(["kind", "version", "languages", "pictures", "lights", "learning"]), anything)
def test_a_file_with_something_else_in_it_is_read_or_refused_never_half(
    some: TableSettings, part: str, other: Any
) -> None:
    data = settings_to_json(some) | {part: other}
    try:
        read = settings_from_json(data)
    except SettingsError:
        return
    assert read.lights >= 0.1
    assert read.keeping.which in WHICH
    assert isinstance(read.learning, bool)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=40)
@given(st.binary(max_size=60) | anything.map(lambda value: json.dumps(value).encode()))
def test_a_broken_file_is_set_aside_with_a_sentence(tmp_path: Path, content: bytes) -> None:
    for old in tmp_path.iterdir():
        old.unlink()
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    kept = SettingsFile(path)
    assert kept.now == TableSettings()
    assert kept.notice is not None
    assert (tmp_path / "settings.json.broken-1").read_bytes() == content
    kept.change(lights=0.5)
    assert SettingsFile(path).now.lights == 0.5


@pytest.mark.parametrize(
    "change",
    [('"lights": 1.0', '"lights": 1.0, "lights": 0.5'), ('"days": 30', '"days": 1e999'), ("[]", '["\\ud800"]')],
)
def test_what_is_no_json_is_set_aside_too(tmp_path: Path, change: tuple[str, str]) -> None:
    path = tmp_path / "settings.json"
    whole = json.dumps(settings_to_json(TableSettings(pictures=KeptPictures("all", 30))))
    assert change[0] in whole
    path.write_text(whole.replace(*change))
    assert SettingsFile(path).now == TableSettings()
    assert (tmp_path / "settings.json.broken-1").exists()


def test_what_cannot_be_written_does_not_hold(tmp_path: Path) -> None:
    kept = SettingsFile(tmp_path / "settings.json")
    kept.change(languages=("en",))
    before = (tmp_path / "settings.json").read_bytes()
    kept.path = tmp_path / "settings.json" / "below" / "a file"
    with pytest.raises(SettingsError, match="a file cannot be written, because it does not lie in a folder"):
        kept.change(lights=0.2)
    assert kept.now.lights == 1
    assert (tmp_path / "settings.json").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["settings.json"]


@pytest.fixture
def owner(table: FakeTable, tmp_path: Path) -> FlaskClient:
    kept = SettingsFile(tmp_path / "settings.json")
    return create_app(table, trusted_hosts=["localhost"], settings=kept).test_client()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"pin": "x"},
        {"lights": 0},
        {"lights": True},
        {"lights": "1"},
        {"languages": []},
        {"languages": ["xx"]},
        {"languages": "en"},
        {"languages": ["../en"]},
        {"pictures": "all"},
        {"pictures": {"keep": "some"}},
        {"pictures": {"keep": ["all"]}},
        {"pictures": {"keep": "all", "days": 0}},
        {"pictures": {"keep": "all", "days": 1e9}},
        {"lights": 0.5, "languages": ["xx"]},
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_and_changes_nothing(
    owner: FlaskClient, body: Any, tmp_path: Path
) -> None:
    answer = owner.post("/api/owner/settings", json=body)
    assert answer.status_code in {400, 409}
    assert answer.get_json()["error"].endswith(".")
    assert not (tmp_path / "settings.json").exists()


def test_the_page_is_offered_in_the_languages_that_the_owner_chose(owner: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / "more" / "eo").mkdir(parents=True)
    (tmp_path / "more" / "eo" / "page.toml").write_text('[page]\nhome = "Tablo"\n')
    assert owner.post("/api/owner/settings", json={"texts": str(tmp_path / "nowhere")}).status_code == 409
    assert owner.post("/api/owner/settings", json={"texts": str(tmp_path / "more")}).status_code == 200

    def language(*accepted: str) -> str:
        page = owner.get("/", headers={"Accept-Language": ",".join(accepted)}).get_data(as_text=True)
        return page.split('<html lang="')[1].split('"')[0]

    assert language("eo", "en;q=0.5") == "eo"
    assert owner.post("/api/owner/settings", json={"languages": ["en"]}).status_code == 200
    assert language("eo") == "en"
    assert owner.post("/api/owner/settings", json={"languages": ["eo", "en"]}).status_code == 200
    assert language("fi") == "eo", "the first one is for everyone whose language is not offered"


def test_settings_outlive_a_restart_and_hold_at_once(tmp_path: Path, table: FakeTable, owner: FlaskClient) -> None:
    reply = owner.post("/api/owner/settings", json={"pictures": {"keep": "asked", "days": 3}, "lights": 0.4})
    assert reply.status_code == 200
    assert table.upkeep._pictures.folder is not None
    assert table.upkeep._pictures.folder.keeping == Keeping("asked", 3)
    assert table.upkeep.leds._share == 0.4
    assert SettingsFile(tmp_path / "settings.json").now == TableSettings(pictures=KeptPictures("asked", 3), lights=0.4)
