"""A drawn match before Chromium's fake camera, every ply by camera: how many are committed as drawn, and asked about.

`bench.boards.matches` draws the match. The page *Camera* of a real server sends Chromium's pictures. The labels answer
what the table asks. Throws are typed in.
"""

import argparse
import json
import os
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, sync_playwright

from bench.boards.matches import draw_match
from bench.page.pages import memory_mb
from calibration.workshop.scenes.fonts import find_fonts
from companion.referee.board.labelled_match import men_of, seating_of_labels
from companion.rules.game import Position
from companion.rules.registry import game
from companion.vision.images import load_image
from tests.browser.chromium_camera import ChromiumCamera
from tests.browser.conftest import ARGUMENTS, Server, find_chromium
from tests.browser.filmed_match import HAND, committed

PATIENCE: Final = 120.0
"""Seconds for one ply on a busy machine; then it is tapped, and counts as stopped."""

EVERY: Final = 0.05


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
        begun, asked = time.monotonic(), False
        while time.monotonic() - begun < PATIENCE:
            state = self.running.state()
            here = self.position()
            if here.occupancy() == true.occupancy() and state["state"] == "SYNCED":
                return None if asked else time.monotonic() - begun
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


def play(folder: Path, slug: str, labels: Sequence[Mapping[str, Any]], browser: Browser) -> dict[str, Any]:
    """Play the match drawn in a folder; return what became of its turns."""
    chromium = find_chromium()
    assert chromium, "there is no Chromium on this machine; name one by ALEA_CHROMIUM"
    drawn = Drawn(slug, labels)
    running = Server(folder / "journal.db", ("--board-camera", "push"))
    running.start()
    pictures = [folder / label["image"] for label in labels]
    camera = ChromiumCamera(folder / "camera.y4m", load_image(pictures[0]))
    before, seconds, wrong = os.getloadavg()[0], [], 0
    try:
        with camera.launch(browser, chromium) as other:
            page = other.new_page()
            page.goto(f"{running.address}/camera")
            page.wait_for_selector("body[data-ready]")
            page.get_by_role("button", name="Start the camera").click()
            page.get_by_text("pictures sent").wait_for(timeout=60000)
            names = [f"Player {number + 1}" for number in range(game(slug).least_players)]
            running.command("new_match", game=slug, players=names, dice_by="tapped", men_by="camera")
            table = Table(running, drawn)
            moves: list[Mapping[str, Any]] = []  # of the turn that is shown
            for picture, label, true in zip(pictures, labels, drawn.shown, strict=True):
                moves = label["moves"] or moves  # a hand lay in the picture before
                table.throw(label["moves"])
                camera.film(picture)
                if label["conditions"]["hand"]:
                    time.sleep(HAND)
                    continue
                took = table.follow(true, moves)
                if took is not None and moves:
                    seconds.append(took)
                wrong += table.position().occupancy() != true.occupancy()
            assert running.process is not None
            memory = memory_mb(running.process.pid)
    finally:
        running.stop()
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
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        labels = draw_match(Path(folder), given.game, given.plies, given.seed, find_fonts("held-out"))
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))
        figures = {"seed": given.seed} | play(Path(folder), given.game, labels, browser)
        browser.close()
    print(json.dumps(figures, indent=None if given.json else 1))


if __name__ == "__main__":
    main()
