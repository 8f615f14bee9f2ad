"""A drawn match before a camera, every ply by camera: how many are committed as drawn, and asked about, and how soon.

`bench.boards.matches` draws the match. The page *Camera* of a real server sends the pictures of Chromium's fake camera,
four or five a second; with ``--stream`` a camera on the network sends 15 a second, with the grain of a real one. The
labels answer what the table asks. Throws are typed in.
"""

import argparse
import json
import os
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from playwright.sync_api import Browser, sync_playwright

from bench.boards.labelled_match import men_of, seating_of_labels
from bench.boards.matches import draw_match
from bench.page.pages import memory_mb
from companion.rules.game import Position
from companion.rules.registry import game
from companion.vision.images import load_image
from companion.vision.readings import Image
from tests.browser.chromium_camera import ChromiumCamera
from tests.browser.conftest import ARGUMENTS, Server, find_chromium
from tests.browser.filmed_match import HAND, committed
from tests.vision.mjpeg_server import MjpegServer
from workshop.scenes.fonts import find_fonts

PATIENCE: Final = 120.0
"""Seconds for one ply on a busy machine; then it is tapped, and counts as stopped."""

EVERY: Final = 0.02
"""Seconds between two looks at the table's state."""

STREAM_FPS: Final = 15.0
GRAIN: Final = 2.5
"""The grain of the streamed pictures, in steps of 255: two pictures of a still table are never the same."""

GRAINS: Final = 8

Show = Callable[[Image], None]


class Stream:
    """A camera on the network."""

    def __init__(self, first: Image) -> None:
        chance = np.random.default_rng(1)
        self._grains = [chance.normal(0.0, GRAIN, first.shape).astype(np.int16) for _ in range(GRAINS)]
        self._sent = 0
        self._image = first
        self.server = MjpegServer(self._jpeg, STREAM_FPS)

    def show(self, image: Image) -> None:
        """Show another picture from now on."""
        self._image = image

    def _jpeg(self) -> bytes:
        self._sent += 1
        grainy = np.clip(self._image.astype(np.int16) + self._grains[self._sent % GRAINS], 0, 255).astype(np.uint8)
        return cv2.imencode(".jpg", grainy, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


@contextmanager
def pushed(folder: Path, first: Image, browser: Browser) -> Iterator[tuple[Server, Show]]:
    """A server to which a page sends the pictures of Chromium's fake camera."""
    chromium = find_chromium()
    assert chromium, "there is no Chromium on this machine; name one by ALEA_CHROMIUM"
    running = Server(folder / "journal.db", ("--board-camera", "push"))
    running.start()
    camera = ChromiumCamera(folder / "camera.y4m", first)
    try:
        with camera.launch(browser, chromium) as other:
            page = other.new_page()
            page.goto(f"{running.address}/camera")
            page.wait_for_selector("body[data-ready]")
            page.get_by_role("button", name="Start the camera").click()
            page.get_by_text("pictures sent").wait_for(timeout=60000)
            yield running, camera.show
    finally:
        running.stop()


@contextmanager
def streamed(folder: Path, first: Image) -> Iterator[tuple[Server, Show]]:
    """A server that takes the pictures of a camera on the network."""
    stream = Stream(first)
    running = Server(folder / "journal.db", ("--board-camera", stream.server.address))
    running.start()
    try:
        yield running, stream.show
    finally:
        running.stop()
        stream.server.close()


class Drawn:
    """What truly happens in a drawn match: how the board lies, and the position that each picture shows."""

    def __init__(self, slug: str, labels: Sequence[Mapping[str, Any]]) -> None:
        self.start: Position = game(slug).start(game(slug).least_players)
        sites = [men_of(label["objects"][0]["sites"]) for label in labels[:5]]
        self.seating = seating_of_labels(self.start, sites, [label.get("throw") for label in labels[:5]])
        self.shown = [position := self.start]
        for label in labels[1:]:
            position = _after(position, label["moves"])
            self.shown.append(position)

    def candidate(self, ask: Mapping[str, Any], here: Position, true: Position) -> int | None:
        """Return which candidate of a question is true, if any."""
        for number, one in enumerate(ask["candidates"]):
            if ask["about"] == "seating":
                lies = one["seating"]["lies"], one["seating"]["colours"]
                if lies == (self.seating.to_json()["lies"], self.seating.to_json()["colours"]):
                    return number
                continue
            after = _after(here, one["moves"]) if ask["about"] == "play" else here
            if after.occupancy() == true.occupancy():
                return number
        return None


def _after(position: Position, moves: Sequence[Any]) -> Position:
    for move in moves:
        position = position.after(position.move_from_json(move))
    return position


class Table:
    """The server's open match, watched from outside; counts the questions by what they are about."""

    def __init__(self, running: Server, drawn: Drawn) -> None:
        self.running, self.drawn = running, drawn
        self.asked: dict[str, int] = {}
        self.answered: set[int] = set()

    def position(self) -> Position:
        """Return the position after all that is committed."""
        return _after(self.drawn.start, committed(self.running))

    def throw(self, moves: Sequence[Mapping[str, Any]]) -> None:
        """Type in the throws of a turn."""
        for move in moves:
            if "faces" in move:
                self.running.command("throw", faces=move["faces"], dice_set=move["set"])

    def follow(self, true: Position, moves: Sequence[Mapping[str, Any]]) -> float | None:
        """Wait until the table stands as drawn; return the seconds, or None if it had to be asked or tapped."""
        begun, asked, version, here = time.monotonic(), False, -1, self.position()
        while time.monotonic() - begun < PATIENCE:
            state, looked = self.running.state(), time.monotonic()
            if state["version"] == version:
                time.sleep(EVERY)
                continue
            version, here = state["version"], self.position()
            if here.occupancy() == true.occupancy() and state["state"] == "SYNCED":
                return None if asked else looked - begun
            ask = (state["watch"] or {}).get("ask")
            if ask is not None and ask["id"] not in self.answered:
                self.answered.add(ask["id"])
                asked = self._answer(ask["id"], here, true) or asked
            time.sleep(EVERY)
        self.asked["stopped"] = self.asked.get("stopped", 0) + 1
        if self.position().occupancy() != true.occupancy():
            for move in moves:
                if "faces" not in move:
                    self.running.command("choose", choice=move)
        return None

    def _answer(self, number: int, here: Position, true: Position) -> bool:
        """Answer a question by the labels; return whether it was about a play or men."""
        ask = _body(self.running, number)
        self.asked[ask["about"]] = self.asked.get(ask["about"], 0) + 1
        candidate = self.drawn.candidate(ask, here, true)
        if candidate is None:
            self.running.command("dismiss_board", ask=number)
        else:
            self.running.command("answer_board", ask=number, candidate=candidate)
        return bool(ask["about"] != "seating")


def _body(running: Server, number: int) -> Any:
    """Return what the journal says of one event."""
    match = running.state()["match"]["id"]
    with urllib.request.urlopen(f"{running.address}/api/matches/{match}.jsonl", timeout=60) as answer:
        return json.loads(json.loads(answer.read().decode().splitlines()[number])["body"])


def play(folder: Path, slug: str, labels: Sequence[Mapping[str, Any]], browser: Browser | None) -> dict[str, Any]:
    """Play the match drawn in a folder, streamed without a browser; return what became of its turns."""
    drawn = Drawn(slug, labels)
    pictures = [load_image(folder / label["image"]) for label in labels]
    before, seconds, wrong = os.getloadavg()[0], [], 0
    table_of = streamed(folder, pictures[0]) if browser is None else pushed(folder, pictures[0], browser)
    with table_of as (running, show):
        names = [f"Player {number + 1}" for number in range(game(slug).least_players)]
        running.command("new_match", game=slug, players=names, dice_by="tapped", men_by="camera")
        table = Table(running, drawn)
        moves: list[Mapping[str, Any]] = []  # of the turn that is shown
        for picture, label, true in zip(pictures, labels, drawn.shown, strict=True):
            moves = label["moves"] or moves  # a hand lay in the picture before
            table.throw(label["moves"])
            show(picture)
            if label["conditions"]["hand"]:
                time.sleep(HAND)
                continue
            took = table.follow(true, moves)
            if took is not None and moves:
                seconds.append(took)
            wrong += table.position().occupancy() != true.occupancy()
        assert running.process is not None
        memory = memory_mb(running.process.pid)
    return {
        "game": slug,
        "turns": sum(bool(label["moves"]) for label in labels),
        "pictures": len(labels),
        "asked": table.asked,
        "wrong": wrong,
        "median_s": round(statistics.median(seconds), 2) if seconds else None,
        "p95_s": round(sorted(seconds)[int(len(seconds) * 0.95)], 2) if seconds else None,
        "memory_mb": memory,
        "load": [round(before, 2), round(os.getloadavg()[0], 2)],
    }


def main() -> None:
    """Draw a match, play it, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="rithmomachia/durnil-guardia")
    parser.add_argument("--plies", type=int, default=40)
    parser.add_argument("--seed", type=int, default=20261125)
    parser.add_argument("--stream", action="store_true", help="by a camera on the network, 15 pictures a second")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        labels = draw_match(Path(folder), given.game, given.plies, given.seed, find_fonts("held-out"))
        if given.stream:
            figures = play(Path(folder), given.game, labels, None)
        else:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))
                figures = play(Path(folder), given.game, labels, browser)
                browser.close()
    figures = {"seed": given.seed, "stream": given.stream} | figures
    print(json.dumps(figures, indent=None if given.json else 1))


if __name__ == "__main__":
    main()
