"""What ``companion serve`` refuses of cameras, boards and lamps, and which tables learn their dice."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.commands.serve import command
from companion.commands.serve.host import Start, TableHost
from companion.settings.record import TableSettings


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--board", "auto"], "Expected --camera or --board-camera beside --board"),
        (["--sample", "zeno", "--board-camera", "1"], "the sample table has its own pictures"),
        (["--camera", "0", "--board-camera", "0"], "if one camera sees both, name --camera and --board"),
        (["--board", "chess", "--camera", "0"], "'chess' is not one of"),
        (["--phone", "--sample", "zeno"], "Expected --phone or --sample"),
        (["--sample", "ludix"], "There is no sample table ludix: there are ludus-regularis, rithmomachia, zeno."),
        (["--loop"], "Expected a folder or a video as --camera or --board-camera together with --loop"),
        (
            ["--loop", "--camera", "0"],
            "Expected a folder or a video as --camera or --board-camera together with --loop",
        ),
        (["--lamps", "wled://192.168.1.7"], "Expected --camera beside --lamps: no camera sees the dice."),
        (["--camera", "0", "--lamps", "192.168.1.7"], "Expected wled://HOST[:PORT][/SEGMENT] once or twice"),
        (["--phone", "--camera", "0"], "--camera push or --board-camera push beside --phone, but got --camera 0"),
    ],
)
def test_cameras_and_boards_that_make_no_sense_are_refused_in_a_sentence(options: list[str], text: str) -> None:
    done = CliRunner().invoke(command, options)
    assert done.exit_code != 0
    assert text in done.output


def remembered(folder: Path, *, camera: bool = True, on: bool = True) -> bool | None:
    """Return whether a started table learns; None where it cannot in this run."""
    pictures = folder / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "0.png"), np.full((480, 640, 3), 90, np.uint8))
    settings = TableSettings(camera=str(pictures) if camera else None, mat="whole", learning=on, program_pause=0.0)
    journal = folder / "match.db"
    host = TableHost(settings, Start(journal, lambda: journal, None if camera else "zeno"))
    try:
        found = host.table.upkeep.remembered()
        return None if found is None else found.on
    finally:
        host.table.stop()


def test_a_table_with_a_camera_learns_unless_it_is_told_not_to(tmp_path: Path) -> None:
    cases: list[tuple[dict[str, bool], bool | None]] = [
        ({}, True),
        ({"on": False}, False),
        ({"camera": False}, None),
    ]
    for number, (options, learns) in enumerate(cases):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert remembered(folder, **options) is learns
        assert not (folder / "match.memory").exists(), "nothing was learnt"
