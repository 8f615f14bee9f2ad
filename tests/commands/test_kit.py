"""``companion kit`` as it is typed."""

import re
from pathlib import Path

import pypdfium2
import pytest

from calibration.kit.catalogue import PARTS
from calibration.kit.paper import PAPERS
from tests.commands.running import json_of, run

PAGE = Path(__file__).parents[2] / "docs" / "kit.md"


def test_the_list_names_every_part() -> None:
    result = run("kit", "list")
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()] == list(PARTS)


def test_the_page_on_the_kit_tells_the_number_of_sheets() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \|.*\| (\d+) \| (\d+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    listed = [(part["name"], part["sheets"]) for part in json_of("kit", "list")]
    assert [(name, {"a4": int(a4), "letter": int(letter)}) for name, a4, letter in rows] == listed


@pytest.mark.parametrize("paper", PAPERS)
def test_a_part_becomes_a_file_on_the_paper_asked_for(tmp_path: Path, paper: str) -> None:
    (made,) = json_of("kit", "tokens", "--paper", paper, "--out", str(tmp_path / "new" / "folder"))
    document = pypdfium2.PdfDocument(made["file"])
    try:
        assert len(document) == made["sheets"] == 1
        width, height = (size / 72 * 25.4 for size in document.get_page_size(0))
    finally:
        document.close()
    assert (width, height) == pytest.approx((PAPERS[paper].width, PAPERS[paper].height), abs=0.01)


def test_making_a_part_twice_gives_the_same_file(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        assert run("kit", "tables-men", "--out", str(tmp_path / folder)).exit_code == 0
    one, two = (path.read_bytes() for path in sorted(tmp_path.rglob("*.pdf")))
    assert one == two


@pytest.mark.parametrize("part", PARTS)
def test_every_font_is_in_the_file(part: str) -> None:
    content = PARTS[part].pdf(PAPERS["a4"])
    named = content.count(b"/BaseFont")
    assert content.count(b"/FontFile2") == content.count(b"/FontDescriptor ") == named > 0
    assert b"Helvetica" not in content


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("kit",), "Name the parts"),
        (("kit", "--all", "tokens"), "Name the parts"),
        (("kit", "chessboard"), "virtues-rim, "),
        (("kit", "tokens", "--paper", "a5"), "a4, letter"),
    ],
)
def test_what_cannot_be_made_is_told_in_a_sentence(tmp_path: Path, arguments: tuple[str, ...], text: str) -> None:
    result = run(*arguments, "--out", str(tmp_path))
    assert result.exit_code != 0
    assert text in result.stderr
    assert not list(tmp_path.rglob("*.pdf"))


def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    result = run("kit", "tokens", "--out", str(tmp_path / "taken" / "below"))
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1
