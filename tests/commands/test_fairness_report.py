"""``companion fairness report`` writes what it found, and its own command finds the same again."""

import json
import random
import shlex
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.fairness.stakes import CURRENT_STAKES
from tests.commands.running import json_of, run


def throws(path: Path, *, many: int = 240, faces: str = "123456") -> Path:
    rng = random.Random(4)
    rows = [
        f"{rng.choice(faces)},{'monday' if n < many / 2 else '=tuesday'},{rng.choice(['left', 'right'])}"
        for n in range(many)
    ]
    path.write_text("face,session,hand\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def reader(path: Path, faces: str = "123456", *, audited: bool = False) -> Path:
    """Write a reader's measurement; of an audited one a part was known before the first throw."""
    beforehand = {"beforehand": {face: {face: 290, "unread": 10} for face in faces}} if audited else {}
    path.write_text(json.dumps({face: {face: 495, "unread": 5} for face in faces} | beforehand), encoding="utf-8")
    return path


def sums(report: dict[str, Any]) -> dict[str, Any]:
    """Return what a report computed, without what its owner called the die."""
    return {
        name: part for name, part in report.items() if name not in {"identity", "die", "sequence", "provenance"}
    } | {
        "digest": report["provenance"]["digest"],
        "sources": report["provenance"]["sources"],
    }


@pytest.mark.parametrize(
    ("die", "faces", "more"),
    [
        ("pips", "123456", ["--fixed", "240", "--smallest", "0.04"]),
        ("ludix", "LXVI", []),
        ("d4", "1234", ["--title", "The 'oak' die; 7", "--stakes", "1"]),
    ],
)
def test_the_command_that_a_report_names_computes_it_again(
    die: str, faces: str, more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    throws(tmp_path / "mine.csv", faces=faces)
    given = ["--die", die, "--reader", str(reader(tmp_path / "seen.json", faces, audited=die == "ludix")), *more]
    first = json_of("fairness", "report", "mine.csv", *given)
    made = first["provenance"]
    Path(made["file"].replace(".csv", ".json")).write_text(json.dumps(first), encoding="utf-8")
    assert run("fairness", "report", "mine.csv", *given, "--csv", made["file"]).exit_code == 0
    program, *arguments = shlex.split(made["command"])
    assert program == "companion"
    again = json_of(*arguments)
    assert sums(again) == sums(first)
    assert again["sequence"] == first["sequence"]
    assert again["provenance"]["digest"] == made["digest"]


def test_stakes_are_named_change_what_is_won_and_must_be_known(tmp_path: Path) -> None:
    file = str(throws(tmp_path / "mine.csv", faces="1123456"))
    first, second, new = (
        json_of("fairness", "report", file, *given) for given in (["--stakes", "1"], ["--stakes", "2"], [])
    )
    assert [one["stakes"]["number"] for one in (first, second, new)] == [1, 2, CURRENT_STAKES]
    assert first["evidence"]["log_most"] != second["evidence"]["log_most"]
    assert new["evidence"] == json_of("fairness", "report", file, "--stakes", str(CURRENT_STAKES))["evidence"]
    assert "--stakes 1" in first["provenance"]["command"]
    none = run("fairness", "report", file, "--stakes", "99")
    assert none.exit_code == 1
    assert "Expected the number of known stakes, 1 to" in none.stderr


def test_the_report_of_counts_is_computed_again_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "counts.json").write_text(
        json.dumps({"1": 130, "2": 100, "3": 0, "4": 0, "5": 0, "6": 70}), encoding="utf-8"
    )
    first = json_of("fairness", "report", "counts.json")
    assert run("fairness", "report", "counts.json", "--csv", first["provenance"]["file"]).exit_code == 0
    assert sums(json_of(*shlex.split(first["provenance"]["command"])[1:])) == sums(first)


def test_page_pdf_and_photographs_are_written(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    for face in "136":
        cv2.imwrite(str(photos / f"{face}.png"), np.full((900, 1200, 3), 90, np.uint8))
    page, pdf = tmp_path / "out" / "die.html", tmp_path / "out" / "die.pdf"
    done = run(
        *("fairness", "report", str(throws(tmp_path / "die.csv")), "--title", "The oak die", "--photos", str(photos)),
        *("--html", str(page), "--pdf", str(pdf), "--paper", "letter", "--language", "de", "--about", "surface=felt"),
    )
    assert done.exit_code == 0, done.output
    assert f"Written: {pdf}" in done.stdout
    written = page.read_text(encoding="utf-8")
    assert written.count("data:image/jpeg;base64,") == 3
    assert len(written) < 200_000, "photographs are made small"
    assert '<html lang="de">' in written
    assert "felt" in written
    assert pypdfium2.PdfDocument(pdf)[0].get_size() == (612, 792)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (["--language", "tlh"], "one of the languages en, de, es, fr, it, la, nl, but got 'tlh'"),
        (["--about", "felt"], "Expected --about NAME=TEXT"),
        (["--photos", "."], "named 1.jpg, 2.jpg"),
        (["--html", "/proc/nowhere/die.html"], "nowhere"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    given: list[str], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("fairness", "report", str(throws(tmp_path / "die.csv", many=20)), *given)
    assert done.exit_code != 0
    assert text in done.output
    assert "Traceback" not in done.output


def test_a_file_that_names_several_dice_is_no_report_of_one(tmp_path: Path) -> None:
    file = tmp_path / "dice.csv"
    file.write_text("face,die\n6,red\n5,blue\n", encoding="utf-8")
    done = run("fairness", "report", str(file))
    assert done.exit_code != 0
    assert "companion fairness batch" in done.output


@pytest.mark.parametrize("command", ["report", "batch"])
def test_a_file_that_is_no_text_is_refused_in_a_sentence(command: str, tmp_path: Path) -> None:
    file = tmp_path / "throws.csv"
    file.write_bytes(b"face\n\x81\n")
    done = run("fairness", command, str(file))
    assert done.exit_code == 1
    assert "Expected a text file in UTF-8 (CSV or JSON), but byte 6 is not valid" in " ".join(done.stderr.split())
