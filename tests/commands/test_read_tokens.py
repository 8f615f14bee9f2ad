"""``companion read --board`` and ``companion bench vision --board`` for the printed boards of virtues."""

import json
from pathlib import Path

import cv2

from tests.commands.running import run
from tests.vision.boards.printed import Token, TokenScene, shown


def test_tokens_are_printed_and_scored_as_men_are(tmp_path: Path) -> None:
    picture = shown(TokenScene("rim", {"1.1.1": Token("blue"), "6.6.6": Token("red")}))
    cv2.imwrite(str(tmp_path / "rim.png"), picture.image)
    (line,) = run("read", "--board", "rim", "--json", str(tmp_path / "rim.png")).stdout.splitlines()
    (board,) = json.loads(line)["objects"]
    assert (board["board"], board["status"]) == ("rim", "read")
    assert {site: one["status"] for site, one in board["sites"].items()} == {"1.1.1": "read", "6.6.6": "read"}
    assert board["sites"]["1.1.1"]["blue"] == 1
    label = {
        "image": "rim.png",
        "objects": [{"kind": "board", "board": "rim", "sites": {"1.1.1": {"blue": 1}, "6.6.6": {"red": 1}}}],
    }
    (tmp_path / "labels.jsonl").write_text(json.dumps(label) + "\n", encoding="utf-8")
    report = json.loads(run("bench", "vision", str(tmp_path), "--board", "rim", "--json").stdout)
    assert (report["exact"]["count"], report["empty"]["of"], report["silent"]["count"]) == (1, 54, 0)


def test_a_board_that_nobody_reads_is_told_with_those_there_are() -> None:
    refused = run("read", "--board", "chess", "none.png")
    assert refused.exit_code == 1
    assert "rim, pairs, wheel" in refused.stderr
