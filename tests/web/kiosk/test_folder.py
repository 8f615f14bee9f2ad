"""The curator's files: in order as they are made, every fault named, and the last good one kept."""

import os
from pathlib import Path

import pytest

from companion.web.kiosk.folder import SETTINGS, Curated, check_folder
from tests.commands.running import run


def write(folder: Path, text: str, name: str = SETTINGS) -> None:
    """Write a file as an editor does, with a time of its own."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    later = path.stat().st_mtime_ns + 1_000_000_000
    os.utime(path, ns=(later, later))


def test_what_init_writes_is_in_order_and_never_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "hall"
    assert run("kiosk", "init", str(folder)).exit_code == 0
    assert run("kiosk", "check", str(folder)).output == "The kiosk's files are in order.\n"
    write(folder, 'welcome = "Salvete"\n', "texts.en.toml")
    assert "is kept" in run("kiosk", "init", str(folder)).output
    assert Curated(folder).words("en").welcome == "Salvete"


GAME = '[[games]]\ngame = "ludus-regularis"\n'


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("idle_seconds = [", "kiosk.toml is not TOML"),
        (f"idle_secnods = 5\n{GAME}", "kiosk.toml has idle_secnods"),
        (f"idle_seconds = 0\n{GAME}", "idle_seconds must be a number from 2 to 3600, but is 0"),
        (f"attract = 1\n{GAME}", "attract must be true or false, but is 1"),
        (f'dice = "thrown"\n{GAME}', "dice must be one of auto, camera, tapped, program"),
        (f'link = "museum.example"\n{GAME}', "link must be an address that begins with https:// or http://"),
        (f'languages = ["tlh"]\n{GAME}', "languages lists tlh, but there are no texts"),
        ("idle_seconds = 60", "Offer at least one game"),
        ('[[games]]\ngame = "ludo"\n', "A game that is offered cannot be played like that"),
        (f"{GAME}players = [1, 99]", "ludus-regularis is for 2 to 6 players, or for 1 against the program"),
        (
            '[[games]]\ngame = "tables/xii-scripta"\nplayers = [1]',
            "xii-scripta is for 2, 4 or 6 players, but",
        ),
        (f'{GAME}options = {{ ending = "never" }}', "Option ending takes"),
        (f"{GAME}{GAME}", "The game ludus-regularis is offered twice"),
        (f'{GAME}[hours]\nmonday = ["17:00-10:00"]', "must end after they begin"),
        (f'{GAME}[hours]\nmonday = ["ten to five"]', "Write the hours of monday as 10:00-17:00"),
        (f'{GAME}[hours]\nmonday = ["09:00-12:00", "11:00-13:00"]', "The hours of monday overlap"),
        (f"{GAME}[hours]\nmonady = []", "[hours] has monady"),
    ],
)
def test_a_fault_is_one_sentence_and_the_last_good_file_stays(folder: Path, text: str, stated: str) -> None:
    curated = Curated(folder)
    before = curated.settings
    write(folder, text)
    assert curated.refresh()
    assert curated.settings is before
    assert [str(fault) for fault in curated.faults if stated in str(fault)]
    checked = run("kiosk", "check", str(folder))
    assert checked.exit_code == 1
    assert len(checked.output.splitlines()) == len(check_folder(folder))


def test_a_file_that_is_put_right_is_in_force_at_once(folder: Path) -> None:
    curated = Curated(folder)
    write(folder, "idle_seconds = ")
    curated.refresh()
    assert curated.faults
    write(folder, f"idle_seconds = 33\n{GAME}")
    assert curated.refresh()
    assert curated.settings.idle_seconds == 33
    assert not curated.faults
    assert not curated.refresh(), "nothing has changed since"


def test_an_empty_folder_is_played_by_the_programs_own_settings_and_says_so(tmp_path: Path) -> None:
    curated = Curated(tmp_path)
    assert "There is no kiosk.toml" in str(curated.faults[0])
    assert curated.settings.offer("ludus-regularis")


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ('welcom = "x"', "texts.en.toml has welcom"),
        ('welcome = ""', "welcome in texts.en.toml must be a text"),
        ('players = ["Blue", "Blue"]', "gives two players the same name"),
        ('players = ["Blue"]', "calls 1 players, but 4 may play"),
        ('program = "Blue"', "gives two players the same name"),
        ("program = 1", "program in texts.en.toml must be a name"),
    ],
)
def test_a_fault_of_the_words_is_told(folder: Path, text: str, stated: str) -> None:
    write(folder, text, "texts.en.toml")
    assert any(stated in str(fault) for fault in check_folder(folder))
