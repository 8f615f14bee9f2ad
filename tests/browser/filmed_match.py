"""Sample tables before Chromium's camera: the next picture comes once the table has understood the one before."""

import json
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.registry import game
from companion.vision.sources.scripted import SAMPLES
from tests.browser.chromium_camera import ChromiumCamera
from tests.browser.conftest import Server

HAND = 0.5  # seconds of a hand in the picture, in which two or three pictures reach the table
HAND_SEEN = 20.0  # seconds at most until the hand is seen; the test goes on without it
PATIENCE = 180.0  # seconds for one ply on a busy machine


class NotUnderstoodError(AssertionError):
    """The table did not reach what the labels say."""


def script(name: str) -> Any:
    """Return the script of a sample table: what truly happens there."""
    return json.loads((SAMPLES / name / "script.json").read_text(encoding="utf-8"))


def picture(name: str, file: str) -> Path:
    """Return the path of one of its pictures."""
    return Path(SAMPLES / name / file)


def committed(running: Server) -> list[Any]:
    """Return the moves of all commits of the open match, as its journal holds them."""
    match = running.state()["match"]["id"]
    with urllib.request.urlopen(f"{running.address}/api/matches/{match}.jsonl", timeout=60) as answer:
        lines = answer.read().decode().splitlines()[1:]
    bodies = [json.loads(json.loads(line)["body"]) for line in lines]
    return [body["move"] for body in bodies if body["kind"] == "committed"]


def play_zeno(running: Server, camera: ChromiumCamera, plies: int) -> list[Any]:
    """Move the men of the first plies before the camera and tap in their throws; return the expected commits."""
    script_of = script("zeno")
    true: list[Any] = []
    until_agreed(running, script_of)
    thrown = made = 0
    for moment in script_of["timeline"][1:]:
        if moment["throw"] > plies:
            break
        if moment["throw"] > thrown:
            faces = script_of["throws"][thrown]
            running.command("throw", faces=faces)
            true.append({"faces": faces})
            thrown += 1
        camera.film(picture("zeno", moment["image"]))
        if moment["phase"] == "hand":
            time.sleep(HAND)
            continue
        true += script_of["choices"][made : moment["made"]]
        made = moment["made"]
        until_made(running, made)
    return true


def until_agreed(running: Server, found: Any) -> None:
    """Wait until table and match agree; if the table asks how the board lies, answer."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        state = running.state()
        ask = (state["watch"] or {}).get("ask")
        if state["state"] == "SYNCED":
            return
        if ask is not None:
            running.command("answer_board", ask=ask["id"], candidate=as_it_lies(running, ask, found))
        time.sleep(0.1)
    raise NotUnderstoodError(running.state()["state_sentence"]["text"])


def as_it_lies(running: Server, ask: Any, found: Any) -> int:
    """Return the answer that says how the sample's board truly lies."""
    match = running.state()["match"]["id"]
    with urllib.request.urlopen(f"{running.address}/api/matches/{match}.jsonl", timeout=60) as answer:
        line = json.loads(answer.read().decode().splitlines()[ask["id"]])
    candidates = json.loads(line["body"])["candidates"]
    wanted = found["seating"]["lies"], found["seating"]["colours"]
    return next(n for n, one in enumerate(candidates) if (one["seating"]["lies"], one["seating"]["colours"]) == wanted)


def until_made(running: Server, choices: int) -> None:
    """Wait until this many choices are committed, or are seen in the middle of a turn."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        state = running.state()
        finding = (state["watch"] or {}).get("finding") or {}
        made = sum(line["kind"] == "choice" and line["standing"] == "stands" for line in state["log"])
        going = len(finding.get("arrows") or []) if finding.get("kind") == "go on" else 0
        if made + going >= choices:
            return
        time.sleep(0.1)
    raise NotUnderstoodError(f"{choices} choices, but: {running.state()['state_sentence']['text']}")


def seen_to_move(running: Server) -> None:
    """Wait until the table has seen the hand: on a busy machine its camera may show the hand late, or not at all."""
    end = time.monotonic() + HAND_SEEN
    while time.monotonic() < end and running.state()["camera"]["phase"] == "still":
        time.sleep(0.1)


def play_ludus(running: Server, camera: ChromiumCamera, casts: int) -> list[Any]:
    """Throw the first casts before the camera and answer all questions; return the expected commits."""
    script_of = script("ludus-regularis")
    groups: list[list[Any]] = []
    for moment in script_of["timeline"]:
        if moment["phase"] == "hand" and (not groups or groups[-1][-1]["phase"] != "hand"):
            groups.append([])
        if groups:
            groups[-1].append(moment)
    throws = [group for group in groups if any(moment["phase"] == "moving" for moment in group)]
    true = []
    for number, (group, cast) in enumerate(zip(throws, script_of["casts"], strict=False), start=1):
        if number > casts:
            break
        hand = next(moment for moment in group if moment["phase"] == "hand")
        moving = [moment for moment in group if moment["phase"] == "moving"]
        still = next(moment for moment in group if moment["phase"] == "still")
        for moment in (hand, *moving, still):
            camera.film(picture("ludus-regularis", moment["image"]))
            if moment is hand:
                seen_to_move(running)
            time.sleep(0 if moment is still else HAND / 2)
        until_thrown(running, number, cast["faces"])
        true.append({"faces": cast["faces"]})
    return true


def until_thrown(running: Server, casts: int, faces: dict[str, str]) -> None:
    """Wait until this many casts are committed; if the table asks, say what truly lies there."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        state = running.state()
        if sum(line["kind"] in ("throw", "recast") for line in state["log"]) >= casts:
            return
        if state["ask"] is not None:
            running.command("answer", ask=state["ask"]["id"], faces=faces)
        time.sleep(0.1)
    raise NotUnderstoodError(f"cast {casts}, but: {running.state()['state_sentence']['text']}")


def turns(found: Any, moves: Sequence[Any]) -> list[Position]:
    """Return the position after every whole turn, for which the order of the two dice does not matter.

    ``moves``: as in a journal or in labels: faces of throws, texts of choices.
    """
    position = game(found["game"]).start(len(found["players"]), **found["options"])
    reached = []
    for move in moves:
        if isinstance(move, str):
            made = position.parse(move)
        elif "set" in move or "faces" not in move:
            made = position.move_from_json(move)
        else:
            made = Throw.of(found["dice_set"], move["faces"])
        position = position.after(made)
        if position.awaits.kind != "choice":
            reached.append(position)
    return reached
