"""The sample tables of boards play their match through the same way as a camera's frames, a restart included."""

import random
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.desk.table.match_desk import PROGRAM, Desk
from companion.live.features import TableFeatures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.live.watching.board_steps import BoardWatchSettings, board_reader
from companion.referee.board.decide import AgreedPosition, explain
from companion.referee.board.results import CommitPlay, GoOn, Unchanged
from companion.referee.board.seating import Seating
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.rules.dice import Throw
from companion.rules.registry import game
from companion.vision.board_readings import BoardReading
from companion.vision.images import load_image
from companion.vision.sources.scripted import SAMPLES, STILL, load_script
from tests.live.labelled_board import LabelledBoard, labels, script, site_reading

PACE = 6.0
NAMES = ("zeno", "rithmomachia")


def table(path: Path, name: str, pace: float = PACE) -> LiveTable:
    reader = LabelledBoard(name)
    made = LiveTable(
        path, Seeing(board_settings=BoardWatchSettings(lambda _: reader)), TableFeatures(sample=name, sample_pace=pace)
    )
    made.start()
    return made


def play(live: LiveTable, choices: int) -> list[str]:
    """Wait until so many choices were followed, and return the states that were seen on the way."""
    seen: list[str] = []
    shot = live.snapshot()
    until = time.monotonic() + 300
    while time.monotonic() < until:
        if not seen or seen[-1] != shot.data["state"]:
            seen.append(shot.data["state"])
        if made(shot.data) >= choices:
            return seen
        shot = live.wait(shot.version, 5) or live.snapshot()
    pytest.fail(f"after {made(shot.data)} of {choices}: {shot.data['state_sentence']['text']}")


def made(data: Any) -> int:
    return sum(line["kind"] == "choice" and line["standing"] == "stands" for line in data["log"])


def play_on(path: Path, name: str, choices: int) -> None:
    """Write the script's match into the journal up to so many choices, as if it had been followed till there."""
    script_of = script(name)
    with Journal(path) as journal:
        desk = Desk(journal, time.time, random.Random(1))
        (match_id,) = journal.latest()
        match = desk.reopen(match_id)
        assert match is not None
        throws = iter(script_of["throws"][match.play.throws :])
        for text in script_of["choices"][made_of(match) : choices]:
            if desk.require_match().position.awaits.kind == "throw":
                desk.play(Throw.of(script_of["dice_set"], next(throws)), "program", PROGRAM)
            desk.play(desk.require_match().position.parse(text), "camera", PROGRAM)


def made_of(match: Match) -> int:
    return sum(turn.standing == "stands" and turn.kind == "choice" for turn in match.history)


@pytest.mark.parametrize("name", NAMES)
def test_the_sample_match_is_followed_to_its_end_though_the_server_was_restarted(name: str, tmp_path: Path) -> None:
    script_of = script(name)
    path = tmp_path / "match.db"
    first = table(path, name)
    assert first.snapshot().data["sample"]
    play(first, 3)
    first.stop()
    stops = {step.made for step in load_script(SAMPLES / name)}
    play_on(path, name, max(made for made in stops if made <= len(script_of["choices"]) - 5))
    again = table(path, name)
    assert made(again.snapshot().data) >= 3
    states: set[str] = set()

    def ended(now: Any) -> Any:
        states.add(now["state"])
        return now["outcome"]

    data = until(again, ended)
    assert not states & {"MISMATCH", "PROPOSED"}
    # which of two steps came first cannot always be seen: where they led can
    position = game(script_of["game"]).from_json(script_of["expected"]["position"])
    assert data["board"]["men"] == dict(position.occupancy())
    assert position.outcome is not None
    assert data["outcome"]["winners"] == list(position.outcome.winners)
    assert data["demonstration"]["kind"] == "over"
    from_scratch = until(again, lambda now: now["match"]["id"] != data["match"]["id"] and made(now) > 0)
    assert from_scratch["outcome"] is None
    again.stop()


def until(live: LiveTable, wanted: Callable[[Any], Any]) -> Any:
    end = time.monotonic() + 300
    shot = live.snapshot()
    while not wanted(shot.data):
        assert time.monotonic() < end, shot.data["state_sentence"]
        shot = live.wait(shot.version, 1) or live.snapshot()
    return shot.data


def test_a_visitor_who_lets_the_program_throw_gets_the_throw_of_the_script(tmp_path: Path) -> None:
    live = table(tmp_path / "match.db", "zeno")
    assert live.command("roll", {}, "page").ok
    assert live.snapshot().data["throw"]["faces"] == script("zeno")["throws"][0]
    play(live, 2)
    live.stop()


def another_turn(found: Any) -> list[str]:
    """Return the choices of a first turn after which the men stand otherwise than in the script."""
    start = game(found["game"]).start(2).after(Throw.of(found["dice_set"], found["throws"][0]))
    mover, position = start.awaits.player, start
    for text in found["choices"]:
        if position.awaits.kind == "choice" and position.awaits.player == mover:
            position = position.after(position.parse(text))
    chance = random.Random(1)
    while True:
        texts, here = [], start
        while here.awaits.kind == "choice" and here.awaits.player == mover:
            choice = chance.choice(list(here.legal()))
            texts.append(str(choice))
            here = here.after(choice)
        if here.occupancy() != position.occupancy():
            return texts


def test_after_a_visitors_own_move_the_demonstration_begins_again_and_keeps_that_match(tmp_path: Path) -> None:
    live = table(tmp_path / "match.db", "zeno")
    assert live.command("roll", {}, "page").ok
    data = live.snapshot().data
    for text in another_turn(script("zeno")):
        assert live.command("choose", {"text": text}, "page").ok
    astray = until(live, lambda now: now["demonstration"] and now["demonstration"]["kind"] == "astray")
    assert astray["match"]["id"] == data["match"]["id"]
    again = until(live, lambda now: now["match"]["id"] != data["match"]["id"] and made(now) > 0)
    assert {line["id"] for line in live.matches()} == {data["match"]["id"], again["match"]["id"]}
    live.stop()


def looked_at(name: str) -> list[str]:
    """Return the still pictures that the real reader reads: most of the men have moved in the last third of a match.

    The beginning is what it follows in a running table, below.
    """
    still = [label["image"] for label in labels(name) if label["phase"] == STILL]
    return still[2 * len(still) // 3 :]


@pytest.fixture(scope="module")
def read() -> Callable[[str], dict[str, BoardReading]]:
    """Return what the real reader sees in each still picture of a sample, read once."""

    @cache
    def readings(name: str) -> dict[str, BoardReading]:
        reader: Any = board_reader(script(name)["board"])
        return {image: reader.read(load_image(SAMPLES / name / image)) for image in looked_at(name)}

    return readings


@pytest.mark.parametrize("name", NAMES)
def test_the_last_third_of_the_match_is_followed_by_the_reader_itself(
    name: str, read: Callable[[str], dict[str, BoardReading]]
) -> None:
    """Picture by picture, as the referee judges what the reader sees: nothing is asked."""
    script_of = script(name)
    seating = Seating.from_json(script_of["seating"])
    position, throws, made_before = game(script_of["game"]).start(2), iter(script_of["throws"]), 0
    for step in load_script(SAMPLES / name):
        if step.phase != STILL:
            continue
        if position.awaits.kind == "throw" and step.made > made_before:
            position = position.after(Throw.of(script_of["dice_set"], next(throws)))
        seen = read(name).get(step.image.name)
        decision = None if seen is None else explain(AgreedPosition(position, seating), seen, ())
        assert isinstance(decision, CommitPlay | GoOn | Unchanged | None), f"{step.image.name}: {decision}"
        if not isinstance(decision, GoOn | Unchanged):
            for text in script_of["choices"][made_before : step.made]:
                position = position.after(position.parse(text))
            made_before = step.made
            assert decision is None or decision.play.position.occupancy() == position.occupancy(), step.image.name
    assert position.to_json() == script_of["expected"]["position"]
    assert position.outcome is not None


@pytest.mark.parametrize("name", NAMES)
def test_the_reader_itself_follows_the_sample_without_a_question(name: str, tmp_path: Path) -> None:
    live = LiveTable(
        tmp_path / "match.db",
        Seeing(board_settings=BoardWatchSettings(board_reader)),
        TableFeatures(sample=name, sample_pace=1.0),
    )
    live.start()
    try:
        states = play(live, 2)
    finally:
        live.stop()
    assert "MISMATCH" not in states
    assert "PROPOSED" not in states


@pytest.mark.parametrize("name", NAMES)
def test_the_labels_say_where_the_men_of_the_script_stand(name: str) -> None:
    script_of = script(name)
    steps = load_script(SAMPLES / name)
    stills = {label["image"]: label["objects"][0]["sites"] for label in labels(name) if label["phase"] == STILL}
    assert len(stills) == sum(step.phase == STILL for step in steps)
    position = game(script_of["game"]).from_json(script_of["expected"]["position"])
    last = stills[steps[-1].image.name]
    sites = {site for site in position.occupancy() if site not in ("hand", "off")}
    assert sites == set(last) - {"bar"}
    assert steps[-1].made == len(script_of["choices"])
    assert sum(path.stat().st_size for name in NAMES for path in (SAMPLES / name).iterdir()) < 10_000_000


@pytest.mark.parametrize("name", NAMES)
def test_the_reader_reads_the_still_pictures_of_the_sample(
    name: str, read: Callable[[str], dict[str, BoardReading]]
) -> None:
    right = sites = silent = 0
    for label in labels(name):
        if label["image"] not in read(name):
            continue
        reading = read(name)[label["image"]]
        assert reading.status == "read", label["image"]
        for site, seen in reading.sites.items():
            true = site_reading(site, label["objects"][0]["sites"].get(site, {})).standing
            same = seen.standing == true or (seen.piled and true is not None and seen.standing is not None)
            right += same
            silent += seen.status == "read" and not same
            sites += 1
    assert right > 0.98 * sites  # that the likeliest is right; a part of them is asked about
    assert silent <= 0.002 * sites
