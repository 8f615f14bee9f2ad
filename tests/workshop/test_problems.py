"""The maker: the same games from the same seed, and a run that was stopped goes on where it stopped."""

import json
from pathlib import Path

import pytest

from companion.parallel.parts import Here
from companion.problems.problem import KINDS, Kind, from_json, read, shipped
from tests.commands.running import run
from workshop.commands import problems
from workshop.problems.making import Piece, made, make, met
from workshop.problems.tables import scene

FEW: dict[Kind, int] = {"odds": 6, "risk": 3}


def test_a_game_gives_the_same_problems_each_time() -> None:
    piece = Piece("ludix", 5, 3, frozenset(KINDS))
    assert made(piece) == made(piece)


@pytest.mark.parametrize("kind", ["risk", "only", "odds"])
def test_a_shipped_problem_is_met_again_in_the_game_of_its_origin(kind: Kind) -> None:
    for problem in [one for one in shipped() if one.kind == kind][:3]:
        family, seed, number = problem.origin.split(" ")
        again = [one.to_json(problem.origin) for one in met(Piece(family, int(seed), int(number), frozenset(KINDS)))]
        assert problem.to_json() in again


def test_a_run_that_was_stopped_goes_on_and_ends_alike(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    told: list[int] = []
    assert make(whole, FEW, 5, Here(), told.append) == {**dict.fromkeys(KINDS, 0), **FEW}
    assert sum(told) == sum(FEW.values())
    text = whole.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    broken.write_text("".join(lines[:4]) + lines[4][:50], encoding="utf-8")
    make(broken, FEW, 5, Here(), told.append)
    kept = broken.read_text(encoding="utf-8").splitlines(keepends=True)
    assert kept[:4] == lines[:4], "what was whole stays"
    assert len(read(kept)) == len(lines)
    assert make(broken, FEW, 5, Here(), told.append) == make(whole, FEW, 5, Here(), told.append)
    assert broken.read_text(encoding="utf-8") == "".join(kept), "nothing is missing, so nothing is made"


def test_the_emperors_throw_has_one_play() -> None:
    problem = from_json(1, json.loads(json.dumps(scene().to_json("agathias 0 0"))))
    assert (problem.kind, problem.throw) == ("only", "2 5 6")
    assert sorted(problem.right[0]) == ["k-q", "t-z", "u-x"]
    assert len(problem.asked.plays()) == 1
    assert 0 < problem.found < 1


def test_the_command_makes_a_file_and_says_how_many_of_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(problems, "SHARES", {**dict.fromkeys(KINDS, 0), "odds": 2, "risk": 1})
    file = tmp_path / "few.jsonl"
    said = run("problems", str(file), "-n", "3", "--seed", "3", "--jobs", "1")
    assert said.output == "all: 0, take: 0, win: 0, best: 0, point: 0, only: 0, risk: 1, odds: 2\n"
    with file.open(encoding="utf-8") as lines:
        assert sorted(problem.kind for problem in read(lines)) == ["odds", "odds", "risk"]
