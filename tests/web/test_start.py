"""The start page: what it offers at a table with and without a match of the visitor's own."""

import re
import time
from html import unescape
from http import HTTPStatus
from pathlib import Path

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from calibration.kit.catalogue import PARTS
from calibration.kit.paper import ALL_PAPERS
from companion.language.sentence import Sentence
from companion.live.table import LiveTable
from companion.rules.registry import game, games
from companion.vision.images import decode_image
from companion.vision.readings import Frame
from companion.vision.sources.source import NewestFrame, SourceState
from companion.web import create_app, starting
from companion.web.camera import preview as preview_module
from companion.web.camera.preview import PREVIEW, Attached, CameraPreview, attached_cameras
from tests.web.fake_table import FakeTable


@pytest.fixture
def live(tmp_path: Path) -> LiveTable:
    return LiveTable(tmp_path / "journal.db")


def test_play_now_is_a_short_game_of_dice_that_the_program_can_play(live: LiveTable) -> None:
    offered = starting.beginning(live)
    assert offered.quick.game.program_plays
    assert not offered.quick.game.board.sites
    assert offered.quick.game.slug == "ludix"
    assert offered.minutes == 10
    assert offered.shown.program_moves_men
    assert offered.sample is None


def test_every_family_has_a_card_with_a_picture(client: FlaskClient) -> None:
    page = client.get("/start").text
    names = {slug.partition("/")[0] for slug in games()}
    for name in names:
        assert f"families/{name}.svg" in page
        with client.get(f"/static/families/{name}.svg") as picture:
            assert picture.mimetype == "image/svg+xml"
            assert len(picture.data) < 8000
    assert page.count('class="start-card"') == len(names)


def test_an_open_match_is_offered_first_and_one_that_is_over_is_not(live: LiveTable) -> None:
    live.start()
    try:
        begun = {"game": "ludix", "players": ["Anna", "Berno"], "dice_by": "program", "name": "Our evening"}
        assert live.command("new_match", begun, "tests").ok
        page = create_app(live, trusted_hosts=["localhost"]).test_client()
        assert "Continue: Our evening" in page.get("/start").text
        assert live.command("finish", {"reason": "late"}, "tests").ok
        assert "Continue: Our evening" not in page.get("/start").text
        for path in ("/matches", "/owner/matches"):
            reply = page.get(path).text
            assert "· over ·" in " ".join(reply.split())
            assert "on the table now" not in reply
    finally:
        live.stop()


def test_each_door_beside_the_games_leads_to_its_place(client: FlaskClient) -> None:
    row = client.get("/start").text.partition('class="start-more"')[2].partition("</nav>")[0]
    doors = re.findall(r'href="([^"]+)"', row)
    assert len(doors) == 6
    for path, _, place in (door.partition("#") for door in doors):
        page = client.get(path)
        assert page.status_code == HTTPStatus.OK
        assert not place or f'id="{place}"' in page.text
    help_page = client.get("/help").text
    for one in games().values():
        assert all(str(step).split("{")[0][:40] in unescape(help_page) for step in one.how_to_play)
    files = re.findall(r'href="(/help/[^"]+)"', help_page)
    assert len(files) == len(ALL_PAPERS) * len(PARTS)
    printed = client.get(next(file for file in files if "tokens" in file))
    assert printed.mimetype == "application/pdf"
    assert printed.data.startswith(b"%PDF")
    assert client.get("/help/tokens-a9.pdf").status_code == HTTPStatus.NOT_FOUND


def test_each_part_of_the_kit_has_a_small_picture_of_its_first_sheet(client: FlaskClient) -> None:
    previews = re.findall(r'src="(/help/[^"]+)"', client.get("/help").text)
    assert [re.sub(r".*/(.+)-a[24]\.png", r"\1", one) for one in previews] == list(PARTS)
    for one in previews:
        picture = decode_image(client.get(one).data)
        assert sorted(picture.shape[:2]) == ([992, 1403] if "-a2" in one else [496, 702])
        assert 0.001 < (picture < 128).mean() < 0.5, one


def test_the_form_offers_twelve_virtues_first_and_the_rules_keep_their_default(client: FlaskClient) -> None:
    option = {option.name: option for option in game("ludus-regularis").options}["ending"]
    assert option.default == "whole"
    assert option.offered == "first-to"
    page = client.get("/new?game=ludus-regularis").text
    field = page.partition('name="ludus-regularis ending"')[2]
    chosen = next(
        part for part in page.split("<label") if 'name="ludus-regularis ending"' in part and " checked" in part
    )
    assert field
    assert "first-to" in chosen


def test_the_form_takes_a_game_s_short_name_and_says_which_name_it_does_not_know(client: FlaskClient) -> None:
    def chosen(name: str) -> str:
        page = client.get(f"/new?game={name}").text
        return next(part for part in page.split("<input") if 'name="game"' in part and " checked" in part)

    assert 'value="tables/zeno"' in chosen("zeno")
    assert 'value="tables/zeno"' in chosen("tables/zeno")
    assert "There is no game called chess" in client.get("/new?game=chess").text
    assert "There is no game called" not in client.get("/new?game=zeno").text


def test_the_cameras_of_this_computer_are_listed_by_the_number_that_the_command_takes(tmp_path: Path) -> None:
    for number, index, name in ((2, 0, "Webcam C270\n"), (3, 1, "Webcam C270\n"), (0, 0, "Built-in\n")):
        device = tmp_path / f"video{number}"
        device.mkdir()
        (device / "index").write_text(f"{index}\n")
        (device / "name").write_text(name)
    (tmp_path / "video9").mkdir()  # unplugged while it is read
    assert [(one.number, one.name) for one in attached_cameras(tmp_path)] == [(0, "Built-in"), (2, "Webcam C270")]
    assert attached_cameras(tmp_path / "nothing") == []


class Plugged:
    """A camera of this computer, of which the table's preview holds at most one at a time."""

    def __init__(self, name: str) -> None:
        self.name, self.open, self.slot = f"camera {name}", False, NewestFrame(name)
        self.state = SourceState.LOST if name == "1" else SourceState.LIVE
        self.sentence = Sentence("Another program uses it.")

    def start(self) -> None:
        assert not self.open or self.slot.frame is not None
        self.open = True
        if self.state == SourceState.LIVE:
            self.slot.put(np.full((480, 640, 3), 99, np.uint8))

    def close(self) -> None:
        self.open = False

    def newest(self, after: int, timeout: float) -> Frame | None:
        assert self.open
        return self.slot.newer(after, min(timeout, 0.01))


def test_a_camera_of_this_computer_shows_its_picture_and_is_let_go(client: FlaskClient, app: Flask) -> None:
    cameras: list[Plugged] = []

    def opened(name: str) -> Plugged:
        cameras.append(Plugged(name))
        return cameras[-1]

    preview = CameraPreview(lambda: [Attached(0, "Built-in"), Attached(1, "Webcam")], opened)
    PREVIEW.put(app, preview)
    jpeg = client.get("/api/cameras/0/live.jpg")
    assert jpeg.mimetype == "image/jpeg"
    assert decode_image(jpeg.data).shape == (360, 480, 3)
    assert client.get("/api/cameras/1/live.jpg").get_json()["sentence"]["text"] == "Another program uses it."
    assert client.get("/api/cameras/2/live.jpg").status_code == HTTPStatus.NOT_FOUND
    assert client.get("/api/cameras/0/live.jpg").mimetype == "image/jpeg"
    assert [camera.open for camera in cameras] == [True, True], "each is opened once while somebody looks"
    preview.release()
    assert [camera.open for camera in cameras] == [False, False]


def test_a_camera_that_nobody_looks_at_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preview_module, "UNUSED_SECONDS", 0.05)
    camera = Plugged("0")
    CameraPreview(list, lambda _: camera).source(0)
    assert camera.open
    end = time.monotonic() + 10
    while camera.open:
        assert time.monotonic() < end
        time.sleep(0.01)


def not_opened(name: str) -> Plugged:
    raise AssertionError(name)


def test_a_camera_that_the_table_looks_through_is_not_opened_again(
    client: FlaskClient, app: Flask, table: FakeTable
) -> None:
    table.camera = Plugged("0")
    table.camera.start()
    PREVIEW.put(app, CameraPreview(lambda: [Attached(0, "Built-in")], not_opened))
    assert client.get("/api/cameras/0/live.jpg").mimetype == "image/jpeg"


def test_the_camera_page_offers_every_way_to_a_camera(client: FlaskClient) -> None:
    page = client.get("/camera?game=ludix").text
    for sentence in ('data-camera="push"', 'data-camera="phone"', 'id="address-form"', 'data-game="ludix"'):
        assert sentence in page
    assert "companion serve" not in page, "nobody has to go to a terminal"
    assert '<option value="ludix" selected>' in page, "the dice of the game that one came for"


def test_the_form_knows_what_lies_before_the_camera(client: FlaskClient) -> None:
    page = client.get("/new?dice=ludix").text
    assert re.search(r'value="ludix"[^>]* checked', page)
