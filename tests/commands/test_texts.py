"""Help for translators at the console."""

import tomllib
from pathlib import Path

from companion.language import texts
from companion.language.checking import problems, to_translate
from companion.language.texts import load
from tests.commands.running import run


def test_the_languages_are_listed_by_their_own_names() -> None:
    assert run("texts").stdout.splitlines()[0] == "en  English"


def test_what_is_missing_can_be_filled_in_and_is_then_whole(tmp_path: Path) -> None:
    written = run("texts", "qaa", "--missing", "--folder", str(tmp_path)).stdout
    tomllib.loads(written)
    (tmp_path / "qaa").mkdir()
    (tmp_path / "qaa" / "all.toml").write_text(written, encoding="utf-8")
    filled, english = load("qaa", tmp_path), load(texts.DEFAULT, tmp_path)
    assert set(english.own) <= set(filled.written)
    assert set(to_translate()) <= set(filled.sentences)
    assert list(problems(filled, english)) == []


def test_a_museum_writes_only_what_its_kiosk_shows(tmp_path: Path) -> None:
    """A kiosk with the two games that it has at first: some hundred texts of some thousand, and none of an owner's."""
    asked = ("texts", "qaa", "--missing", "--folder", str(tmp_path), "--for")
    everything, visitors, kiosk = (
        run(*asked, readers, *games).stdout
        for readers, *games in (
            ("everyone",),
            ("visitors",),
            ("kiosk", "--game", "ludus-regularis", "--game", "ludix"),
        )
    )
    lines = [len(one.splitlines()) for one in (kiosk, visitors, everything)]
    assert lines[0] < 720 < lines[1] < lines[2] / 2
    for owners in ("owner.pin", "kiosk.owner", "labnew.", "calibrate.", "The journal was damaged"):
        assert owners in everything
        assert owners not in visitors
    for met in ("kiosk.begin", "ludix.stop", "{player} throws the four dice."):
        assert met in kiosk
    assert "bears off" not in kiosk
    assert run("texts", "it", "--for", "visitors", "--game", "chess").exit_code == 1
    assert run("texts", "it", "--game", "ludix", "--for", "everyone").exit_code == 2


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    (tmp_path / "qab").mkdir()
    wrong = '[status]\nover = "{who} over"\nnowhere = "x"\n[sentences]\n"No such sentence." = "y"\n'
    (tmp_path / "qab" / "some.toml").write_text(wrong, encoding="utf-8")
    result = run("texts", "qab", "--folder", str(tmp_path))
    assert result.exit_code == 1
    for named in ("'status.over': '{who} over' has the unknown parts ['who']", "status.nowhere", "No such sentence."):
        assert named in result.output


def test_a_strange_tag_is_refused() -> None:
    assert run("texts", "../etc").exit_code == 2
