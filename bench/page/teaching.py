"""Somebody teaches the table drawn dice on the page: taps, throws and seconds of the machine until every face is known.

A browser's page teaches, a fed camera shows one throw after the other, under one light. Whoever teaches answers at
once and never errs. From the 15th throw on they put missing faces up: only throws that show one are counted.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from bench.reader.sittings import Owner, Sitting, sitting
from companion.live.dice_memory.folder import MemoryFolder
from companion.live.dice_memory.learning import Learning
from companion.live.dice_memory.teaching import Teaching, TeachingNow
from companion.live.features import TableFeatures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.vision.dice.memory.course import HINT_AFTER
from companion.vision.dice.memory.exemplars import SIDE_OUTLINE
from companion.vision.images import as_jpeg
from companion.vision.mat import Mat
from companion.vision.sources.pushed import PushedSource
from companion.web import create_app
from tests.browser.conftest import ARGUMENTS
from tests.browser.pushed_camera import PushedCamera
from tests.web.serving import served
from workshop.hands import choosing_hands
from workshop.scenes.fonts import find_fonts
from workshop.scenes.render import Rendered
from workshop.training.material import PARTED

MOST_THROWS = 60
SETTLE = 350  # milliseconds that a new question takes no tap; a person needs longer
MOVING = 0.4  # seconds in which the dice are seen rolling
PATIENCE = 60.0  # seconds for the reading of a throw


@dataclass
class Course:
    """What one course took."""

    owner: str
    seed: int
    taps: int = 1  # the one that begins
    wrong: int = 0  # of them, where the reader's guess was not confirmed
    throws: int = 0
    put_up: int = 0
    machine_s: float = 0.0
    cubes_known: int = 0
    at_cubes: dict[str, Any] = field(default_factory=dict)
    faces_known: int = 0


def teach(owner: Owner, seed: int, page: Page, folder: Path, *, developing: bool, pictures: Path | None) -> Course:
    """Teach one set of drawn dice until every face is known."""
    made = sitting(owner, seed, choosing_hands(PARTED) if developing else find_fonts("held-out"))
    source = PushedSource()
    learning = Learning(MemoryFolder(folder / "match.memory"))
    live = LiveTable(folder / "match.db", Seeing(source, mat=Mat()), TableFeatures(learning=learning))
    live.start()
    took = Course(owner, seed)
    try:
        with (
            served(create_app(live, trusted_hosts=["127.0.0.1"])) as address,
            PushedCamera(address, _blank()) as camera,
        ):
            page.goto(f"{address}/owner/teach?dice={made.set_name}")
            page.wait_for_selector("body[data-ready]")
            page.locator("#teach-begin button[type=submit]").click()
            page.wait_for_selector("#teaching:not([hidden])")
            assert live.upkeep.teaching is not None
            _course(live.upkeep.teaching, made, camera, page, took, pictures=pictures)
    finally:
        live.stop()
    return took


def _course(
    teaching: Teaching, made: Sitting, camera: PushedCamera, page: Page, took: Course, *, pictures: Path | None
) -> None:
    number, blank = 0, _blank()
    while took.throws < MOST_THROWS:
        shown = made.throw(number)
        number += 1
        now = _now(teaching)  # by now the table has learnt from the last answer
        _note(teaching, now, took)
        if now.known == len(now.faces) or (took.at_cubes and took.throws >= HINT_AFTER):
            break  # sides of a tetrahedron cannot be put up one by one
        missing = {face.text for face in now.faces if face.known is None}
        if took.throws >= HINT_AFTER and not any(_shows(die.die, die.face, missing) for die in shown.labels):
            continue
        took.throws += 1
        took.put_up += took.throws > HINT_AFTER
        camera.show(blank)
        time.sleep(MOVING)
        begun = time.monotonic()
        camera.show(shown.jpeg)
        while _now(teaching).throws == now.throws and time.monotonic() - begun < PATIENCE:
            time.sleep(0.02)
        took.machine_s += time.monotonic() - begun
        _answers(teaching, shown, page, took, pictures)
    if pictures is not None:
        page.wait_for_timeout(1000)
        page.screenshot(path=pictures / f"{took.owner}-{took.seed}-end.png", full_page=True)


def _note(teaching: Teaching, now: TeachingNow, took: Course) -> None:
    """Note which faces are known."""
    took.faces_known = now.known
    cubes = [face for (outline, _), face in zip(_keys(teaching), now.faces, strict=True) if outline != SIDE_OUTLINE]
    took.cubes_known = sum(face.known is not None for face in cubes)
    if took.cubes_known == len(cubes) and not took.at_cubes:
        took.at_cubes = {"taps": took.taps, "throws": took.throws, "machine_s": round(took.machine_s, 1)}


def _blank() -> bytes:
    """Return what the camera sees while the dice roll."""
    return as_jpeg(np.full((960, 1280, 3), 90, np.uint8), 1280, 92)


def _answers(teaching: Teaching, shown: Rendered, page: Page, took: Course, pictures: Path | None) -> None:
    """Answer by taps whatever is asked about a throw."""
    while (now := _now(teaching)).asked is not None:
        begun = time.monotonic()
        asked = now.asked
        place = f"/find/{asked.throw}-{asked.find}.jpg"
        page.wait_for_function(
            "place => document.querySelector('#teach-crop').getAttribute('src')?.endsWith(place)", arg=place
        )
        took.machine_s += time.monotonic() - begun
        page.wait_for_timeout(SETTLE)
        if pictures is not None and took.taps in (1, 8):
            page.screenshot(path=pictures / f"{took.owner}-{took.seed}-{took.taps}.png", full_page=True)
        truth = _truth(teaching, asked.throw, asked.find, shown)
        begun = time.monotonic()
        took.taps += 1
        if truth is None:
            took.wrong += 1
            page.locator("#teach-nothing").click()
        else:
            key = next(key for key, face in zip(_keys(teaching), now.faces, strict=True) if _is(face.text, key, truth))
            took.wrong += key != asked.guess
            place_of = asked.choices.index(key)
            page.locator("#teach-likely button, #teach-others button").nth(place_of).click()
        while (later := _now(teaching).asked) is not None and (later.throw, later.find) == (asked.throw, asked.find):
            time.sleep(0.01)
        took.machine_s += time.monotonic() - begun


def _truth(teaching: Teaching, throw: int, find: int, shown: Rendered) -> tuple[bool, str] | None:
    """Return whether a find is the tetrahedron, and what it shows; None if it is no upper face."""
    assert teaching._course is not None
    polygon = np.array(teaching._course._waiting[throw][find].polygon)
    middle = polygon.mean(axis=0)
    for die in shown.labels:
        corners = np.array(die.polygon)
        if np.linalg.norm(corners.mean(axis=0) - middle) < 0.3 * np.ptp(corners, axis=0).max():
            return die.die == "consonants", die.face
    return None


def _keys(teaching: Teaching) -> list[tuple[int, str]]:
    assert teaching._course is not None
    return list(teaching._course._faces)


def _is(text: str, key: tuple[int, str], truth: tuple[bool, str]) -> bool:
    return (key[0] == SIDE_OUTLINE) == truth[0] and truth[1] in text.split(" / ")


def _shows(die: str, face: str, missing: set[str]) -> bool:
    if die == "consonants":
        return False
    return any(face in text.split(" / ") for text in missing)


def _now(teaching: Teaching) -> TeachingNow:
    now = teaching.now()
    assert now is not None
    return now


def main() -> None:
    """Teach the dice of several owners."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--owners", nargs="+", choices=get_args(Owner), default=["usual", "carved", "hand"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--developing", action="store_true", help="fonts that measure nothing")
    parser.add_argument("--pictures", type=Path, help="where to keep pictures of the page")
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    if given.pictures is not None:
        given.pictures.mkdir(parents=True, exist_ok=True)
    chromium = os.environ.get("ALEA_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    courses = []
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        for owner in given.owners:
            for seed in given.seeds:
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                with tempfile.TemporaryDirectory() as folder:
                    one = teach(owner, seed, page, Path(folder), developing=given.developing, pictures=given.pictures)
                page.close()
                one.machine_s = round(one.machine_s, 1)
                courses.append(vars(one))
                print(json.dumps(vars(one)), file=sys.stderr, flush=True)
        browser.close()
    taps = [one["at_cubes"]["taps"] for one in courses if one["at_cubes"]]
    summary = {"n": len(courses), "cubes_known": len(taps), "most_taps": max(taps, default=None)}
    print(json.dumps({**summary, "load": os.getloadavg()[0], "courses": courses}))


if __name__ == "__main__":
    main()
