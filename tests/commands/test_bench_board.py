"""``companion bench board`` from the outside: it follows a drawn match, and its lines are a contract."""

import json
from pathlib import Path

import pytest

from bench.boards.matches import draw_match
from tests.commands.running import run
from workshop.scenes.fonts import find_fonts

PLIES = 3
KEYS = {"image", "committed", "asked", "illegal", "right", "ms"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("match")
    draw_match(place, "tables/zeno", PLIES, 2, find_fonts("train", bundled=True))
    return place


def test_a_drawn_match_is_followed_and_nothing_is_committed_wrongly(folder: Path) -> None:
    done = run("bench", "board", str(folder), "--board", "tables", "--game", "tables/zeno", "--json")
    assert done.exit_code == 0, done.stderr
    *lines, totals = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(set(line) == KEYS for line in lines)
    labels = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    assert [line["image"] for line in lines] == [json.loads(label)["image"] for label in labels]
    committed = [line for line in lines if line["committed"]]
    assert all(line["right"] for line in committed)
    assert (totals["pictures"], totals["turns"]) == (len(lines), PLIES)
    assert totals["committed_rightly"] == len(committed) >= PLIES - 1
    assert totals["committed_wrongly"] == 0


def test_it_prints_totals_for_people(folder: Path) -> None:
    done = run("bench", "board", str(folder), "--board", "tables", "--game", "tables/zeno")
    assert "committed wrongly 0" in done.stdout


@pytest.mark.parametrize(
    ("board", "slug", "text"),
    [
        ("chess", "tables/zeno", "Expected a board that can be read"),
        ("rithmomachia", "tables/zeno", "Expected the board of tables/zeno"),
        ("tables", "ludix", "no camera follows"),
        ("tables", "tables/todas-tablas", "how tables/todas-tablas begins"),
    ],
)
def test_what_does_not_belong_together_is_refused_in_one_sentence(
    folder: Path, board: str, slug: str, text: str
) -> None:
    done = run("bench", "board", str(folder), "--board", board, "--game", slug)
    assert done.exit_code == 1
    assert text in done.stderr


def test_pictures_without_men_in_their_labels_are_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "match_0000.jpg").write_bytes((folder / "match_0000.jpg").read_bytes())
    (tmp_path / "labels.jsonl").write_text('{"image": "match_0000.jpg", "objects": []}\n', encoding="utf-8")
    done = run("bench", "board", str(tmp_path), "--board", "tables", "--game", "tables/zeno")
    assert done.exit_code == 1
    assert "label them" in done.stderr


def test_labels_of_another_match_are_refused_instead_of_counted(folder: Path, tmp_path: Path) -> None:
    first, *_ = [json.loads(line) for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    (tmp_path / first["image"]).write_bytes((folder / first["image"]).read_bytes())
    (board,) = first["objects"]
    lost = {**first, "objects": [{**board, "sites": {"a": {"dark": 15}, "z": {"light": 15}}}]}
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, [first, lost, lost, lost])), encoding="utf-8")
    done = run("bench", "board", str(tmp_path), "--board", "tables", "--game", "tables/zeno", "--json")
    assert done.exit_code == 1
    assert "No turn explains the labels" in done.stderr
