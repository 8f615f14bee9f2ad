"""``companion teach`` from the outside: typed answers become what a table under the same camera knows."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.commands.teach import command as teach
from companion.live.dice_memory.folder import MemoryFolder
from companion.live.dice_memory.known import dice_remembered
from companion.live.watching.dice_settings import dice_reader
from companion.rules.dice import load_dice_set
from companion.vision.dice.memory.glimpses import UpperGlimpse
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.reader import DiceReader
from companion.vision.images import load_image
from companion.vision.sources import open_source

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images" / "varied"


@pytest.fixture
def throws(tmp_path: Path) -> Path:
    """Return a folder with two throws."""
    folder = tmp_path / "throws"
    folder.mkdir()
    for name in ("00_plain.jpg", "01_plain.jpg"):
        shutil.copy(SAMPLES / name, folder)
    return folder


def taught(throws: Path, typed: str, *options: str) -> Result:
    arguments = ["wibold", "--camera", str(throws), "--journal", str(throws.parent / "match.db"), *options]
    return CliRunner().invoke(teach, arguments, input=typed)


SIGNS = """title = "Signs of our own"
source = "carved at home"
[[dice]]
name = "1"
shape = "cube"
faces = ["sun", "moon", "star", "A", { text = "blank", marks = [] }, "cloud"]
[[dice]]
name = "2"
shape = "cube"
faces = ["rose", "tree", "fish", "bird", "10", "++"]
"""


def test_marks_that_no_net_knows_are_asked_about_and_then_known(throws: Path) -> None:
    """A net reads an A on one of these dice, but nobody has said yet that it is no sun."""
    own = throws.parent / "signs.toml"
    own.write_text(SIGNS, encoding="utf-8")
    image = load_image(throws / "00_plain.jpg")
    memory = TableMemory()
    seen = [die for die in DiceReader(load_dice_set(own), memory=memory).read(image).dice if die.face]
    assert seen
    assert {die.status for die in seen} == {"ask"}
    asked = ["--camera", str(throws), "--journal", str(throws.parent / "match.db"), "--throws", "1"]
    done = CliRunner().invoke(teach, [str(own), *asked], input="SUN\nrose\nmoon\n")
    assert "3 of 12 faces are known. They are saved." in done.output, done.output
    memory, _ = MemoryFolder(throws.parent / "match.memory").load("signs", open_source(str(throws)).name)
    named = dice_remembered(load_dice_set(own), memory.exemplars).faces
    assert {face.text for face in named} == {"sun", "rose", "moon"}
    reader = dice_reader(None, {"signs": load_dice_set(own)}, taught=lambda _: memory)(("signs", None))
    assert isinstance(reader, DiceReader)
    assert any(die.status == "ask" for die in reader.read(image).dice), "nobody has said yet what nine faces look like"
    assert {isinstance(one, UpperGlimpse) and one.recalled is not None for one in reader.glimpses} == {True}


def known(throws: Path) -> set[str]:
    folder = MemoryFolder(throws.parent / "match.memory")
    memory, trouble = folder.load("wibold", open_source(str(throws)).name)
    assert trouble is None
    assert all(one.named and one.source.startswith("teaching/") for one in memory.exemplars)
    return {face.text for face in dice_remembered("wibold", memory.exemplars).faces}


def test_enter_agrees_and_a_text_corrects(throws: Path) -> None:
    done = taught(throws, "\n\n\n\n", "--throws", "1")
    assert done.exit_code == 0, done.output
    assert "Throw 1: die 4 of 4 from the left" in done.output
    assert "They are saved." in done.output
    assert known(throws) >= {"A", "IO", "IOUAEI"}
    again = taught(throws, "", "--throws", "1")
    assert "die 2 of 4 from the left shows" not in again.output, "a face is asked about once"


def test_a_slip_is_taken_back_and_nonsense_is_told(throws: Path) -> None:
    done = taught(throws, "back\n\nnonsense\nOU\nback\nio\n-\n\n", "--throws", "1")
    assert "no answer about this throw" in done.output
    assert "but got 'nonsense'" in done.output
    assert "IO" in known(throws)
    assert not {"OU", "A"} & known(throws), "one was taken back, the other was said to be no die"


def test_whoever_stops_keeps_what_was_said(throws: Path) -> None:
    nothing = taught(throws, "")
    assert "Stopped." in nothing.output
    assert not (throws.parent / "match.memory").exists(), "nothing was taught"
    done = taught(throws, "\n\n")
    assert "They are saved." in done.output
    assert "IO" in known(throws)


@pytest.mark.parametrize(("dice", "text"), [("bones", "no dice set 'bones'"), ("wheel", "no wheel|wheel or pointer")])
def test_dice_that_cannot_be_taught_are_refused(throws: Path, dice: str, text: str) -> None:
    done = CliRunner().invoke(teach, [dice, "--camera", str(throws), "--journal", str(throws / "match.db")])
    assert done.exit_code == 1
    assert any(part in done.output for part in text.split("|")), done.output
