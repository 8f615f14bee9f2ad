"""A long work that was stopped goes on where it was."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.parallel.parts import Here, WorkPart, in_order, parts_of
from workshop.players.kept_pieces import KeptPieces

DONE: list[int] = []


@dataclass(frozen=True)
class Thirds:
    """Divides by a number, until it comes to one at which the work is stopped."""

    by: float
    stopped_at: int = 99

    def __call__(self, part: WorkPart) -> list[Any]:
        if part.first == self.stopped_at:
            raise KeyboardInterrupt
        DONE.append(part.first)
        return [part.first / self.by, np.array([1 / self.by])]

    def __repr__(self) -> str:
        return f"Thirds({self.by})"


def kept(file: Path, program: Path) -> KeptPieces:
    return KeptPieces(Here(), file, [program])


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text("1")
    DONE.clear()
    return path


def test_a_stopped_work_does_only_what_is_left(tmp_path: Path, program: Path) -> None:
    file, pieces = tmp_path / "data" / "kept.jsonl", parts_of(5, 1)
    with pytest.raises(KeyboardInterrupt), kept(file, program) as workers:
        in_order(workers, Thirds(3, stopped_at=3), pieces, lambda _: None)
    assert DONE == [0, 1, 2]
    with file.open("a") as opened:
        opened.write('\n["0123456789abcdef", [0.3')  # a line that was torn
    with kept(file, program) as workers:
        found = in_order(workers, Thirds(3), pieces, lambda _: None)
    assert DONE == [0, 1, 2, 3, 4]
    assert [one for one, _ in found] == [number / 3 for number in range(5)]
    assert all(float(third[0]) == 1 / 3 for _, third in found)
    assert len([line for line in file.read_text().splitlines() if line]) == 6
    with kept(file, program) as workers:
        assert json.dumps(in_order(workers, Thirds(3), pieces, lambda _: None)[4]) == json.dumps([4 / 3, [1 / 3]])
    assert len(DONE) == 5, "the line after the torn one is whole"


def test_another_task_and_another_program_take_nothing_from_the_file(tmp_path: Path, program: Path) -> None:
    file, pieces = tmp_path / "kept.jsonl", parts_of(2, 1)
    for number, by in ((2, 3), (4, 7)):
        with kept(file, program) as workers:
            in_order(workers, Thirds(by), pieces, lambda _: None)
        assert len(DONE) == number
    program.write_text("2")
    with kept(file, program) as workers:
        in_order(workers, Thirds(3), pieces, lambda _: None)
    assert len(DONE) == 6
