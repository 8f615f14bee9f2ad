"""``companion kit`` as it is typed."""

import re
from pathlib import Path

import pypdfium2
import pytest

from calibration.kit.catalogue import PARTS
from calibration.kit.paper import ALL_PAPERS, PAPERS
from companion.vision.boards.kit import kit_boards
from tests.commands.running import json_of, run
from tests.printed_pages import unembedded

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
    assert not unembedded(content)
    assert b"Helvetica" not in content
    assert b"/PrintScaling/None" in content


def test_a_print_shops_paper_holds_any_board_on_one_sheet() -> None:
    sheets = {name: part.sheets(ALL_PAPERS["a2"]) for name, part in PARTS.items() if name in kit_boards()}
    assert set(sheets.values()) == {1, 2}
    assert [name for name, count in sheets.items() if count == 2] == ["virtues-wheel"]  # and its pointer


def test_an_outline_saves_ink_and_keeps_the_markers(tmp_path: Path) -> None:
    dark = []
    for more in ((), ("--outline",)):
        (made,) = json_of("kit", "tables", "--out", str(tmp_path / f"kit{len(more)}"), *more)
        page = pypdfium2.PdfDocument(made["file"])[0].render(scale=2, grayscale=True).to_numpy()
        dark.append((int((page < 240).sum()), int((page < 10).sum())))
    (whole, black), (outlined, markers) = dark
    assert outlined < whole / 3
    assert markers > black / 2
    men = [PARTS["rithmomachia-men"].pdf(PAPERS["a4"], outline=outline) for outline in (False, True)]
    assert men[0] == men[1]


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
