"""The sample tables of boards play their match through the same way as a camera's frames, a restart included."""

import time
from pathlib import Path
from typing import Any

import pytest

from companion.live.board_watch import BoardLooks, board_reader
from companion.live.table import LiveTable
from companion.rules.registry import game
from companion.vision.images import load_image
from companion.vision.sources.scripted import SAMPLES, STILL, load_script
from tests.live.labelled_board import LabelledBoard, labels, script, site_reading

PACE = 3.0
NAMES = ("zeno", "rithmomachia")


def table(path: Path, name: str, pace: float = PACE) -> LiveTable:
    reader = LabelledBoard(name)
    made = LiveTable(path, sample=name, sample_pace=pace, board_looks=BoardLooks(lambda _: reader))
    made.start()
    return made


def play(live: LiveTable, choices: int) -> list[str]:
    """Wait until so many choices were followed, and return the states that were seen on the way."""
    seen: list[str] = []
    shot = live.snapshot()
    until = time.monotonic() + 120
    while time.monotonic() < until:
        if not seen or seen[-1] != shot.data["state"]:
            seen.append(shot.data["state"])
        if made(shot.data) >= choices:
            return seen
        shot = live.wait(shot.version, 5) or live.snapshot()
    pytest.fail(f"after {made(shot.data)} of {choices}: {shot.data['state_sentence']['text']}")


def made(data: Any) -> int:
    return sum(line["kind"] == "choice" and line["standing"] == "stands" for line in data["log"])


@pytest.mark.parametrize("name", NAMES)
def test_the_sample_match_is_followed_to_its_end_though_the_server_was_restarted(name: str, tmp_path: Path) -> None:
    told = script(name)
    path = tmp_path / "match.db"
    first = table(path, name)
    assert first.snapshot().data["sample"]
    play(first, 3)
    first.stop()
    again = table(path, name)
    assert made(again.snapshot().data) >= 3
    states = play(again, len(told["choices"]))
    data = again.snapshot().data
    again.stop()
    assert "MISMATCH" not in states
    assert "PROPOSED" not in states
    # which of two steps came first cannot always be seen: where they led can
    assert made(data) == len(told["choices"])
    position = game(told["game"]).from_json(told["expected"]["position"])
    assert data["board"]["men"] == dict(position.occupancy())


@pytest.mark.parametrize("name", NAMES)
def test_the_reader_itself_follows_the_sample_without_a_question(name: str, tmp_path: Path) -> None:
    live = LiveTable(tmp_path / "match.db", sample=name, sample_pace=1.0, board_looks=BoardLooks(board_reader))
    live.start()
    try:
        states = play(live, 5)
    finally:
        live.stop()
    assert "MISMATCH" not in states
    assert "PROPOSED" not in states


@pytest.mark.parametrize("name", NAMES)
def test_the_labels_say_where_the_men_of_the_script_stand(name: str) -> None:
    told = script(name)
    steps = load_script(SAMPLES / name)
    stills = {label["image"]: label["objects"][0]["sites"] for label in labels(name) if label["phase"] == STILL}
    assert len(stills) == sum(step.phase == STILL for step in steps)
    position = game(told["game"]).from_json(told["expected"]["position"])
    last = stills[steps[-1].image.name]
    sites = {site for site in position.occupancy() if site not in ("hand", "off")}
    assert sites == set(last) - {"bar"}
    assert steps[-1].made == len(told["choices"])
    assert sum(path.stat().st_size for name in NAMES for path in (SAMPLES / name).iterdir()) < 4_000_000


@pytest.mark.parametrize("name", NAMES)
def test_the_reader_reads_the_still_pictures_of_the_sample(name: str) -> None:
    reader: Any = board_reader(script(name)["board"])
    right = sites = silent = 0
    for label in labels(name):
        if label["phase"] != STILL:
            continue
        reading = reader.read(load_image(SAMPLES / name / label["image"]))
        assert reading.status == "read", label["image"]
        for site, read in reading.sites.items():
            true = site_reading(site, label["objects"][0]["sites"].get(site, {})).standing
            same = read.standing == true or (read.piled and true is not None and read.standing is not None)
            right += same
            silent += read.status == "read" and not same
            sites += 1
    assert right > 0.98 * sites  # that the likeliest is right; a part of them is asked about
    assert silent <= 0.002 * sites
