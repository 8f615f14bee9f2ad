"""companion fairness watch: what it refuses in a sentence, and the lines that it prints without a page."""

import json
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import cv2
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.commands.fairness.lines import ONCE_EACH, UNANSWERED, SeriesPrinter
from companion.commands.fairness.watch import _source
from companion.live.laboratory.laboratory import Laboratory
from companion.vision.sources.scripted import THROWS, ScriptedSource


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["fairness", "watch", *arguments])
    assert result.exit_code != 0
    return result.output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--no-page", "--museum"], "got both"),
        (["--phone", "--camera", "0"], "the phone is the camera"),
        (["--no-page"], "Expected --camera beside --no-page"),
        (["--smallest", "0.05"], "Expected --die beside"),
        (["--pin", "12"], "at least 4 characters"),
        (["--pin", "1234", "--pin-file", "x"], "name one"),
        (["--die", "none"], "There is no dice set 'none'"),
        (["--die", "wibold"], "say which one"),
        (["--die", "d6/9"], "has the dice"),
        (["--camera", "nowhere.mp4", "--die", "d6"], "there is no 'nowhere.mp4'"),
        (["--profile", "nobody's", "--die", "d6", "--camera", "."], "nobody's"),
        (["--profile", "nobody's", "--die", "d6"], "no camera sees the dice"),
        (["--host", "::1", "--die", "d6"], "IPv4"),
        (["--sample", "pips", "--camera", "0"], "it has its own pictures"),
        (["--sample", "chess"], "there are pips"),
    ],
)
def test_what_cannot_be_watched_is_refused_in_a_sentence(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    text = refused("--journal", str(tmp_path / "throws.db"), *arguments)
    assert sentence in text
    assert "Traceback" not in text


def test_without_a_page_a_series_must_be_named_or_open(tmp_path: Path) -> None:
    image = tmp_path / "table.png"
    cv2.imwrite(str(image), cv2.UMat(480, 640, cv2.CV_8UC3).get())
    sentence = refused("--journal", str(tmp_path / "throws.db"), "--no-page", "--camera", str(image))
    assert "there is no open series" in sentence


def test_a_file_that_is_something_else_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    other.write_bytes(b"these are my notes")
    assert "cannot be used" in refused("--journal", str(other), "--die", "d6")
    assert other.read_bytes() == b"these are my notes"


def test_a_readers_measurement_must_be_of_the_die(tmp_path: Path) -> None:
    file = tmp_path / "reader.json"
    file.write_text('{"7": {"7": 3}}', encoding="utf-8")
    assert "for each of the faces" in refused(
        "--journal", str(tmp_path / "throws.db"), "--die", "d6", "--reader", str(file)
    )


def test_each_throw_is_one_line_with_what_is_said_of_its_die(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    laboratory = Laboratory(tmp_path / "throws.db")
    laboratory.start()
    laboratory.command("begin", {"dice": [{"set": "d6"}]}, "tests")
    laboratory.command("throw", {"face": "2"}, "tests")
    faces = iter("1634")

    def ended() -> bool:
        face: Any = next(faces, None)
        if face is not None:
            laboratory.command("throw", {"face": face}, "tests")
        return face is None

    SeriesPrinter(laboratory).follow(ended)
    laboratory.stop()
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["number"], line["outcome"], line["said"]) for line in lines] == [
        (2, "1", "not enough"),
        (3, "6", "not enough"),
        (4, "3", "not enough"),
        (5, "4", "not enough"),
    ][: len(lines)]
    assert len(lines) >= 3


def printed_for(states: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return what is printed to standard error of a laboratory with these states, a second apart."""
    first = {"series": {"id": 1, "throws": 0}}
    lines = SeriesPrinter(
        cast("Any", SimpleNamespace(snapshot=lambda: SimpleNamespace(data=first))), clock=count().__next__
    )
    for state in states:
        shown = {"sign": "wait", "camera": {"phase": "still", "status": "LIVE"}} | first | state
        lines.tell(shown | {"sentence": {"text": shown["sentence"]}})
    return capsys.readouterr().err.splitlines()


def test_what_stops_a_throw_is_one_line_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    asked = {"sign": "ask", "sentence": "What does it show?"}
    many = {"sentence": "There are 6 dice, but this series has 1."}
    leans = {"sign": "throw", "sentence": "Throw.", "camera": {"warning": {"text": "One die is seen, 30 degrees off."}}}
    assert printed_for([asked, asked], capsys) == ["What does it show?", UNANSWERED]
    # the hint how to count several alike dice comes once
    expected = [many["sentence"], ONCE_EACH, asked["sentence"], UNANSWERED, many["sentence"]]
    assert printed_for([many, asked, many], capsys) == expected
    assert printed_for([leans, leans], capsys) == ["One die is seen, 30 degrees off.", "Throw."]


def test_what_belongs_to_every_throw_is_told_only_when_it_lasts(capsys: pytest.CaptureFixture[str]) -> None:
    hand = {"sign": "hand", "sentence": "A hand is over the table.", "camera": {"phase": "moving", "hand": True}}
    starts = {"sign": "blind", "sentence": "video x has not been started.", "camera": {"status": "STARTING"}}
    rests = {"sign": "blind", "sentence": "The picture never comes to rest.", "camera": {"phase": "moving"}}
    assert printed_for([starts, hand, hand, rests], capsys) == ["The picture never comes to rest."]
    assert printed_for([hand] * 6, capsys) == ["A hand is over the table."]


def test_the_sample_throws_are_counted_as_they_fell(tmp_path: Path) -> None:
    source, (die,) = _source(None, "pips")
    assert isinstance(source, ScriptedSource)
    source.pace = 2
    fell = json.loads((THROWS / "pips" / "script.json").read_text(encoding="utf-8"))["faces"]
    laboratory = Laboratory(tmp_path / "throws.db", source=source)
    laboratory.start()
    of, _, name = die.partition("/")
    laboratory.command("begin", {"dice": [{"set": of, "die": name}]}, "tests")
    counted: list[str | None] = []
    version = 0
    while len(counted) < 2:
        snapshot = laboratory.wait(version, 60)
        assert snapshot is not None, f"no throw was counted within a minute after {counted}"
        version = snapshot.version
        counted = [throw["outcome"] for throw in laboratory.throws(1) or []]
    laboratory.stop()
    assert counted == fell[: len(counted)]
