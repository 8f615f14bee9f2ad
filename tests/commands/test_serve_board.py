"""What ``companion serve`` refuses of cameras and boards, before anything is opened."""

import pytest
from click.testing import CliRunner

from companion.commands.serve import command


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--board", "auto"], "Expected --camera or --board-camera beside --board"),
        (["--sample", "zeno", "--board-camera", "1"], "the sample table has its own pictures"),
        (["--camera", "0", "--board-camera", "0"], "for one over both, name --camera and --board"),
        (["--board", "chess", "--camera", "0"], "'chess' is not one of"),
        (["--phone", "--sample", "zeno"], "Expected --phone or --sample"),
        (["--sample", "ludix"], "There is no sample table ludix: there are ludus-regularis, rithmomachia, zeno."),
        (["--loop"], "Expected a folder or a video as --camera or --board-camera beside --loop"),
        (["--loop", "--camera", "0"], "Expected a folder or a video as --camera or --board-camera beside --loop"),
        (["--phone", "--camera", "0"], "--camera push or --board-camera push beside --phone, but got --camera 0"),
    ],
)
def test_cameras_and_boards_that_make_no_sense_are_refused_in_a_sentence(options: list[str], said: str) -> None:
    done = CliRunner().invoke(command, options)
    assert done.exit_code != 0
    assert said in done.output
