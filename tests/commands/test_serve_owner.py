"""Where ``companion serve`` finds the owner's settings and PIN, and what it says when they cannot be used."""

from pathlib import Path

import platformdirs
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.commands.serve.owners import owners
from companion.live.keeping import Keeping
from companion.settings.record import KeptPictures
from companion.web.access.pin import PinGate, hashed, keep_pin


def refused(*options: str) -> str:
    done = CliRunner().invoke(main, ["serve", *options])
    assert done.exit_code == 1
    return done.output


def test_a_pin_is_named_once(tmp_path: Path) -> None:
    assert "got both" in refused("--pin", "314159", "--pin-file", str(tmp_path / "pin"))


def test_a_pin_file_without_a_pin_is_refused_before_anything_starts(tmp_path: Path) -> None:
    (tmp_path / "pin").write_text("12\n")
    sentence = refused("--journal", str(tmp_path / "journal.db"), "--pin-file", str(tmp_path / "pin"))
    assert "Expected a PIN of 4 to 128 characters" in sentence
    assert not (tmp_path / "journal.db").exists()


def test_a_named_journal_has_settings_and_pin_of_its_own(tmp_path: Path) -> None:
    keep_pin(tmp_path / "match.owner-pin", hashed("ludus regularis"))
    found = owners(tmp_path / "match.db", settings=None, pin_file=None, pin=None)
    assert found.settings.path == tmp_path / "match.settings.json"
    assert found.kept is not None
    assert PinGate(None, kept=found.kept).check("ludus regularis", "127.0.0.1", "127.0.0.1")
    found.settings.change(pictures=KeptPictures("all", 2))
    again = owners(tmp_path / "match.db", settings=None, pin_file=None, pin=None)
    assert again.settings.now.keeping == Keeping("all", 2)


def test_the_usual_journal_has_them_in_the_users_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_config_path", lambda *_, **__: tmp_path / "config")
    found = owners(None, settings=None, pin_file=None, pin=None)
    assert found.settings.path == tmp_path / "config" / "settings.json"
    assert found.pin_file == tmp_path / "config" / "owner-pin"
    named = owners(None, settings=tmp_path / "s", pin_file=tmp_path / "p", pin=None)
    assert (named.settings.path, named.pin_file) == (tmp_path / "s", tmp_path / "p")


def test_a_pin_that_is_named_goes_before_the_one_that_was_kept(tmp_path: Path) -> None:
    keep_pin(tmp_path / "match.owner-pin", hashed("the old one"))
    found = owners(tmp_path / "match.db", settings=None, pin_file=None, pin="the new one")
    assert (found.pin, found.kept) == ("the new one", None)
