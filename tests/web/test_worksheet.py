"""The worksheet of a match: every number on it is counted again here from the match's file, in the plainest way."""

import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pypdfium2
import pytest
from flask.testing import FlaskClient

from companion.desk.page.worksheet import MOST_LINES, Worksheet, WorksheetLine
from companion.language.texts import load
from companion.live.table import LiveTable
from companion.rules.dice import dice_set
from companion.web import create_app
from tests.printed_pages import faults_of, smallest_type, texts_of, unembedded

VIGNETTE = (60.0, 15.0, 156.0, 110.0)  # millimetres: a picture of lettering
GAMES = {"ludus-regularis": 60, "tables/zeno": 40, "ludix": 10, "ludus-regularis/sum": 30}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveTable]:
    made = LiveTable(tmp_path_factory.mktemp("table") / "journal.db")
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def client(table: LiveTable) -> FlaskClient:
    return create_app(table, trusted_hosts=["localhost"]).test_client()


def begin(table: LiveTable, game: str) -> int:
    reply = table.command("new_match", {"game": game, "players": ["Anna", "Berno"], "dice_by": "tapped"}, "tests")
    assert reply.ok, reply.sentence
    return int(table.snapshot().data["match"]["id"])


def play(table: LiveTable, throws: int, seed: int = 7) -> None:
    """Throw so often with dice of this test, and play the first choice that there is in between."""
    chance = random.Random(seed)
    while table.snapshot().data["match"]["throws"] < throws:
        state = table.snapshot().data
        assert state["outcome"] is None
        if state["awaits"]["kind"] == "choice":
            assert table.command("choose", {"choice": state["choices"][0]["choice"]}, "tests").ok
            continue
        name = state["awaits"]["dice_sets"][0]
        names = state["awaits"]["dice"]
        if state["awaits"]["kind"] == "recast":
            names = [chance.choice(names)]
        faces = {one: chance.choice(dice_set(name).die(one).faces).text for one in names}
        assert table.command("throw", {"faces": faces, "dice_set": name}, "tests").ok


def worksheet_of(table: LiveTable, match: int) -> Worksheet:
    review = table.chronicle(match)
    assert review is not None
    return review.worksheet()


def thrown(client: FlaskClient, match: int) -> tuple[str, list[dict[str, str]]]:
    """Return the dice set, and the faces of every first cast in the match's file."""
    lines = [json.loads(line) for line in client.get(f"/api/matches/{match}.jsonl").text.splitlines()]
    events = [json.loads(line["body"]) for line in lines if "body" in line]
    moves = [one["move"] for one in events if one.get("kind") == "committed" and one["awaited"] == "throw"]
    return moves[0]["set"], [move["faces"] for move in moves]


def rows(page: str) -> list[list[str]]:
    """Return the cells of the last table on the page, which has the answers."""
    body = page.rpartition("<tbody>")[2].partition("</tbody>")[0]
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in body.split("</tr>") if "<td" in row]


def rounded(value: Any) -> float:
    return float(round(Fraction(value), 2))


@pytest.mark.parametrize("game", GAMES)
def test_every_number_is_what_counting_by_hand_gives(table: LiveTable, client: FlaskClient, game: str) -> None:
    match, n = begin(table, game), GAMES[game]
    play(table, n)
    name, throws = thrown(client, match)
    cubes = [die for die in dice_set(name).dice if die.name in throws[0] and die.shape == "cube"]
    value = {(die.name, face.text): face.value for die in cubes for face in die.faces}
    ways = [tuple(face.value for face in shown) for shown in itertools.product(*(die.faces for die in cubes))]
    fell = [tuple(value[die.name, faces[die.name]] for die in cubes) for faces in throws]
    total, sums = len(ways), Counter(map(sum, fell))
    chances = Counter(map(sum, ways))
    sheet = worksheet_of(table, match)
    assert (sheet.throws, len(fell), sheet.dice, sheet.total) == (n, n, len(cubes), total)

    kinds = Counter(tuple(sorted(one)) for one in ways)
    least = min(kinds[tuple(sorted(one))] for one in fell)
    same = sum(len(set(one)) < len(one) for one in ways)
    top = max(chances.values())
    surplus = {one: sums[one] - Fraction(n * chances[one], total) for one in chances}
    tasks = {task.name: task.parts for task in sheet.tasks}
    assert list(tasks) == ["expected", "rarest", "alike", "mean", "never", "surplus"]
    likeliest = int(tasks["expected"]["what"])
    assert chances[likeliest] == top
    assert tasks["expected"]["thrown"] == sums[likeliest]
    assert tasks["expected"]["chance"] == str(Fraction(top, total))
    assert tasks["expected"]["expected"] == rounded(Fraction(n * top, total))
    assert (tasks["rarest"]["ways"], tasks["rarest"]["total"]) == (least, total)
    assert tasks["rarest"]["percent"] == rounded(Fraction(100 * least, total))
    rare = str(tasks["rarest"]["faces"]).split(", ")
    assert [faces for faces in throws if [faces[die.name] for die in cubes] == rare]
    assert tasks["alike"]["thrown"] == sum(len(set(one)) < len(one) for one in fell)
    assert tasks["alike"]["expected"] == rounded(Fraction(n * same, total))
    assert tasks["mean"]["mean"] == rounded(Fraction(sum(map(sum, fell)), n))
    assert tasks["mean"]["expected"] == rounded(Fraction(sum(map(sum, ways)), total))
    never = int(tasks["never"]["what"])
    assert chances[never] == min(chances.values())
    assert tasks["never"]["percent"] == rounded(100 * Fraction(total - chances[never], total) ** n)
    most = int(tasks["surplus"]["what"])
    assert surplus[most] == max(surplus.values())
    assert tasks["surplus"]["thrown"] == sums[most]

    page = client.get(f"/matches/{match}/worksheet").text
    listed = rows(page)
    assert len(listed) == len(sheet.lines) <= MOST_LINES
    for what, chance, count, expected in listed:
        its = set(chances) - {int(row[0]) for row in listed if row[0].isdigit()} if not what.isdigit() else {int(what)}
        assert chance == f"{sum(chances[one] for one in its)}/{total}"
        assert int(count) == sum(sums[one] for one in its)
        assert float(expected) == rounded(Fraction(n * sum(chances[one] for one in its), total))
    assert sum(int(row[2]) for row in listed) == n
    assert not re.findall(r"\{\w+\}|worksheet\.(?!css|js|pdf)", page), "every text is there and filled in"


def test_a_wheel_has_one_chance_for_every_face(table: LiveTable, client: FlaskClient) -> None:
    match = begin(table, "ludus-regularis/wheel")
    play(table, 30)
    fell = Counter(face for faces in thrown(client, match)[1] for face in faces.values())
    sheet = worksheet_of(table, match)
    assert (sheet.dice, sheet.total, len(sheet.lines)) == (1, 56, min(len(fell), MOST_LINES - 1) + 1)
    assert sum(line.thrown for line in sheet.lines) == 30
    assert sum(line.ways for line in sheet.lines) == 56
    tasks = {task.name: task.parts for task in sheet.tasks}
    assert list(tasks) == ["expected_face", "never_face", "different", "every"]
    assert tasks["expected_face"]["thrown"] == max(fell.values()) == fell[str(tasks["expected_face"]["what"])]
    assert tasks["never_face"]["percent"] == rounded(100 * Fraction(55, 56) ** 30)
    assert tasks["different"]["thrown"] == len(fell)
    assert tasks["different"]["expected"] == rounded(56 * (1 - Fraction(55, 56) ** 30))
    assert tasks["every"]["expected"] == rounded(sum(Fraction(56, k) for k in range(1, 57)))
    assert "258.24" in client.get(f"/matches/{match}/worksheet").text


def test_a_match_without_throws_says_so_kindly(table: LiveTable, client: FlaskClient) -> None:
    for game, sentence in (("rithmomachia/italian", "has no dice"), ("ludix", "Nobody has thrown")):
        match = begin(table, game)
        page = client.get(f"/matches/{match}/worksheet").text
        assert sentence in page
        assert "<table>" not in page
        assert worksheet_of(table, match) == Worksheet(0)
    assert client.get("/matches/999/worksheet").status_code == 404


def test_what_was_corrected_away_is_not_counted_and_other_dice_are_named(table: LiveTable, client: FlaskClient) -> None:
    match = begin(table, "tables/zeno")
    play(table, 2, seed=3)
    before = worksheet_of(table, match)
    events = [line["event"] for line in client.get(f"/api/matches/{match}/moments").get_json()["moments"]]
    data: dict[str, Any] = {"event": events[-1], "faces": None, "reason": "tests"}
    preview = table.command("preview_correction", data, "tests")
    assert preview.ok, preview.sentence
    assert table.command("correct", {**data, "token": preview.data["token"], "keep": "all"}, "tests").ok
    assert worksheet_of(table, match).throws == before.throws - 1


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_a_worksheet_speaks_every_language(table: LiveTable, client: FlaskClient, language: str) -> None:
    match = begin(table, "ludus-regularis")
    play(table, 3)
    page = client.get(f"/matches/{match}/worksheet?language={language}").text
    words = {"en": "Tasks", "de": "Aufgaben", "fr": "Exercices", "es": "Ejercicios"}
    assert words[language] in page
    assert page.count("<li>") >= 12
    assert (
        WorksheetLine("3", 1, 0) in worksheet_of(table, match).lines
        or WorksheetLine("3", 1, 1) in worksheet_of(table, match).lines
    )


@pytest.mark.parametrize(("paper", "languages"), [("a4", ("en", "de")), ("letter", ("es", "fr"))])
@pytest.mark.parametrize("game", ["tables/zeno", "ludus-regularis/wheel"])
def test_the_printed_worksheet_and_result_say_what_the_page_says(
    table: LiveTable, client: FlaskClient, game: str, paper: str, languages: tuple[str, ...]
) -> None:
    match = begin(table, game)
    play(table, 12)
    sheet = worksheet_of(table, match)
    for language in languages:
        words = load(language)
        ask = {"headers": {"Accept-Language": language}, "query_string": {"paper": paper}}
        sheets = client.get(f"/matches/{match}/worksheet.pdf", **ask).data
        assert faults_of(sheets) == []
        tasks, answers = texts_of(sheets)
        for page, kind in ((tasks, "ask"), (answers, "answer")):
            printed = re.sub(r"[\s-]", "", page)
            for task in sheet.tasks:
                said = words(f"worksheet.{task.name}_{kind}", **task.parts)
                assert re.sub(r"[\s-]", "", said) in printed, said
        given = answers.split()
        for line in sheet.lines:
            assert words.number(round(12 * line.ways / sheet.total, 2), 2) in given
        whole = client.get(f"/matches/{match}/result.pdf", **ask).data
        (result,) = texts_of(whole)
        assert all(name in result for name in ("Anna", "Berno", words("worksheet.heading")))
        assert faults_of(whole) == []
        assert not unembedded(whole)
        assert smallest_type(pypdfium2.PdfDocument(whole), [VIGNETTE]) >= 6.99
    assert client.get("/matches/999/result.pdf").status_code == 404


def test_a_match_without_throws_still_has_its_pages(table: LiveTable, client: FlaskClient) -> None:
    match = begin(table, "rithmomachia/mebben")
    assert len(texts_of(client.get(f"/matches/{match}/result.pdf").data)) == 1
    assert len(texts_of(client.get(f"/matches/{match}/worksheet.pdf").data)) == 1
