"""Help for translators at the console."""

import tomllib
from pathlib import Path

from companion.language import texts
from companion.language.texts import load
from companion.language.translating.checking import missing_own, missing_sentences, problems
from tests.commands.running import run


def test_the_languages_are_listed_by_their_own_names() -> None:
    assert run("texts").stdout.splitlines()[0] == "en  English"


def test_what_is_missing_can_be_filled_in_and_is_then_whole(tmp_path: Path) -> None:
    written = run("texts", "qaa", "--missing", "--folder", str(tmp_path)).stdout
    tomllib.loads(written)
    (tmp_path / "qaa").mkdir()
    (tmp_path / "qaa" / "all.toml").write_text(written, encoding="utf-8")
    filled, english = load("qaa", tmp_path), load(texts.DEFAULT, tmp_path)
    assert missing_own(filled, english) == ()
    assert missing_sentences(filled) == ()
    assert list(problems(filled, english)) == []


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
