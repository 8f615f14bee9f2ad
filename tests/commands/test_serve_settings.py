"""One record of settings: what an option, a file, the kiosk's file and the owner say of them, and what then happens."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from markupsafe import escape

from companion.commands.serve import command
from companion.commands.serve.host import OF_CAMERAS, Start, TableHost
from companion.commands.serve.sights import check
from companion.commands.setting_options import given
from companion.settings.file import SettingsFile
from companion.settings.record import DECLARED, TableSettings
from companion.web.app import create_app, move_to
from companion.web.kiosk.folder import begin_folder, check_folder, table_settings


@pytest.fixture
def pictures(tmp_path: Path) -> str:
    folder = tmp_path / "pictures"
    folder.mkdir()
    noise = np.random.default_rng(1).integers(60, 120, (480, 640, 3), np.uint8)
    cv2.imwrite(str(folder / "0.png"), cv2.GaussianBlur(noise, (9, 9), 0))
    return str(folder)


class Running:
    """A served table without a server: its host, its owner's client, its settings."""

    def __init__(self, folder: Path, sample: str | None = None) -> None:
        self.file = SettingsFile(folder / "settings.json")
        self.own = folder / "own.db"
        journal = folder / "sample.db" if sample else self.own
        self.host = TableHost(self.file.now, Start(journal, lambda: self.own, sample))
        names = ["localhost", "127.0.0.1"]
        self.app = create_app(self.host.table, trusted_hosts=names, settings=self.file, apply=self.host.apply)
        self.host.moved = lambda table, _: move_to(self.app, table)
        self.owner: FlaskClient = self.app.test_client()

    def post(self, path: str, **body: Any) -> tuple[int, str]:
        answer = self.owner.post(path, json=body)
        found = answer.get_json()
        return answer.status_code, found.get("error") or found["sentence"]["text"]

    def state(self) -> dict[str, Any]:
        return dict(self.owner.get("/api/state").get_json())


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    made = Running(tmp_path)
    yield made
    made.host.table.stop()


def test_every_option_sets_a_field_and_every_declared_field_has_one() -> None:
    options = {parameter.name: parameter for parameter in command.params}
    for name, entry in DECLARED.items():
        assert entry.option in options[name].opts, name
        assert options[name].default in (None, ()), f"{name}: what is not given comes from the file"
    assert given({"camera": "0", "loop": None, "port": 0, "allow_host": ()}) == {"camera": "0", "port": 0}
    assert set(DECLARED) >= OF_CAMERAS


def test_an_option_stands_in_for_what_the_file_keeps_until_the_owner_changes_it(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path / "s.json")
    file.change(camera="1", strength="child")
    again = SettingsFile(tmp_path / "s.json")
    again.give({"camera": "0"})
    assert (again.now.camera, again.now.strength) == ("0", "child")
    assert again.given == {"camera"}
    again.change(port=8001)
    assert json.loads((tmp_path / "s.json").read_text())["camera"] == "1", "an option is not kept"
    again.change(camera="2")
    assert (again.now.camera, again.given) == ("2", frozenset())
    assert SettingsFile(tmp_path / "s.json").now.camera == "2"


def test_a_camera_is_tried_and_then_kept(running: Running, pictures: str) -> None:
    assert running.post("/api/cameras/use", camera=pictures) == (200, "The table looks through this camera now.")
    assert running.state()["dice_camera"] == "folder pictures"
    assert SettingsFile(running.file.path).now.camera is None, "it is only tried"
    assert running.owner.post("/api/cameras/keep", json={}).status_code == 200
    assert SettingsFile(running.file.path).now.camera == pictures
    assert running.post("/api/cameras/use", camera=None)[0] == 200
    assert running.state()["dice_camera"] is None


def test_one_camera_may_see_both_and_two_may_share_the_work(running: Running, pictures: str) -> None:
    assert running.post("/api/cameras/use", camera=pictures, board="auto")[0] == 200
    assert "tables/zeno" in running.state()["board_camera"]
    assert not running.state()["two_cameras"]
    assert running.post("/api/cameras/use", board_camera="push", board=None)[0] == 200
    assert running.state()["two_cameras"]
    assert running.post("/api/cameras/use", board_camera=pictures)[0] == 200
    assert (running.file.now.board_camera, running.file.now.board) == (None, "auto"), "one camera for both is one"
    assert running.post("/api/cameras/use", camera=None)[0] == 200
    assert running.file.now.board is None, "no camera sees a board now"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"camera": "/no/such/thing"}, "there is no '/no/such/thing'"),
        ({"camera": "http://"}, "Expected"),
        ({"camera": 3}, "Expected the name of a camera"),
        ({"board": "chess", "camera": "push"}, "chess"),
        ({}, "Expected camera, board_camera or board."),
    ],
)
def test_what_is_no_camera_is_refused_and_the_one_before_stays(
    running: Running, pictures: str, body: dict[str, Any], text: str
) -> None:
    assert running.post("/api/cameras/use", camera=pictures)[0] == 200
    before = running.file.now
    status, error = running.post("/api/cameras/use", **body)
    assert status in (400, 409)
    assert text in error
    assert running.file.now == before
    assert running.state()["dice_camera"] == "folder pictures"


def test_a_sample_gives_way_to_the_own_table_and_its_journal(tmp_path: Path, pictures: str) -> None:
    running = Running(tmp_path, "ludus-regularis")
    try:
        version = running.state()["version"]
        assert running.state()["sample"]
        status, error = running.post("/api/cameras/use", camera="/no/such/thing")
        assert (status, "there is no" in error, running.state()["sample"]) == (409, True, True)
        assert running.post("/api/cameras/use", camera=pictures)[0] == 200
        shown = running.state()
        assert (shown["sample"], shown["dice_camera"]) == (False, "folder pictures")
        assert shown["version"] > version, "pages that follow take it for the newer state"
        answer = running.owner.post(
            "/api/command/new_match", json={"game": "ludus-regularis", "players": ["Anna", "Ben"], "dice_by": "camera"}
        )
        assert answer.status_code == 200, answer.get_json()
        assert running.own.exists()
    finally:
        running.host.table.stop()


def test_the_owner_changes_settings_of_every_kind(running: Running, pictures: str) -> None:
    stated = {
        ("strength", "child"): "it applies from now on",
        ("program_pause", 0): "it applies from now on",
        ("game", "ludix"): "it applies from now on",
        ("port", 9000): "when the program starts again",
        ("camera", pictures): "The table looks through this camera now.",
        ("mat", "whole"): "The table looks through this camera now.",
    }
    for (name, value), sentence in stated.items():
        status, reply = running.post("/api/owner/settings", **{name: value})
        assert (status, sentence in reply) == (200, True), (name, reply)
        assert getattr(SettingsFile(running.file.path).now, name) == value
    for wrong in ({"port": 70_000}, {"strength": "god"}, {"game": "chess"}, {"lamps": "x"}, {"base_path": "no"}):
        before = running.file.now
        assert running.post("/api/owner/settings", **wrong)[0] == 409, wrong
        assert running.file.now == before
    page = running.owner.get("/owner/settings").text
    for declared in DECLARED.values():
        assert escape(declared.title) in page or declared.kind is tuple


def test_a_curators_file_sets_the_table_where_the_owner_chose_nothing(tmp_path: Path) -> None:
    begin_folder(tmp_path)
    path = tmp_path / "kiosk.toml"
    usual = path.read_text(encoding="utf-8")
    path.write_text('table = {camera = "0", board = "auto"}\n' + usual, encoding="utf-8")
    assert check_folder(tmp_path) == []
    assert table_settings(tmp_path) == {"camera": "0", "board": "auto"}
    for wrong, sentence in (("{camra = 1}", "camra"), ("{port = 70000}", "port"), ("3", "3")):
        path.write_text(f"table = {wrong}\n" + usual, encoding="utf-8")
        assert [sentence in str(fault) for fault in check_folder(tmp_path)] == [True]
        assert table_settings(tmp_path) == {}


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--sample", "zeno", "--demo", "zeno"], "Expected --sample or --demo"),
        (["--demo", "ludix"], "There is no sample table ludix"),
        (["--port", "70000"], "70000 is not in the range"),
        (["--strength", "god"], "'god' is not one of"),
        (["--base-path", "alea"], "Expected a path like /alea"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_a_sentence(options: list[str], text: str) -> None:
    done = CliRunner().invoke(command, options)
    assert done.exit_code != 0
    assert text in done.output


def test_a_default_is_what_the_record_says() -> None:
    assert TableSettings() == TableSettings(**{name: entry.default for name, entry in DECLARED.items()})


def test_what_was_kept_and_fits_no_more_stops_no_start(tmp_path: Path, pictures: str) -> None:
    left: dict[str, Any] = {"board": "auto", "board_profile": "oak", "lamps": "wled://192.0.2.1", "loop": True}
    check(TableSettings(**left), {"port"})  # the options that name them are refused: see test_serve_board
    both = TableSettings(camera=pictures, board_camera=pictures)
    check(both, {"camera"})
    host = TableHost(both, Start(tmp_path / "own.db", lambda: tmp_path / "own.db"))
    try:
        assert "tables/zeno" in host.table.snapshot().data["board_camera"]
        assert not host.table.snapshot().data["two_cameras"], "one camera that was kept twice sees both"
    finally:
        host.table.stop()


def test_settings_that_cannot_be_kept_change_nothing_at_the_table(running: Running, pictures: str) -> None:
    assert running.post("/api/cameras/use", camera="push")[0] == 200
    before, given_before = running.file.now, running.file.given
    running.file.path = running.file.path / "below" / "a file" if running.file.path else None
    running.own.parent.joinpath("settings.json").write_text("", encoding="utf-8")
    status, error = running.post("/api/owner/settings", camera=pictures)
    assert (status, "cannot be written" in error) == (409, True), error
    assert (running.file.now, running.file.given) == (before, given_before)
    assert running.state()["dice_camera"] == "the camera page"
