"""What a page is told of a match that is looked at again, and of one event that is disputed."""

import hashlib
import itertools
import json
import random
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import pytest

from companion.desk.page.match_review import MOST_LINES, MatchReview
from companion.desk.table.match_desk import Desk
from companion.live.chronicles import MOST_WAITING, BusyError, Chronicles
from companion.live.keeping import Keeping, PictureFolder
from companion.live.pictures import MOST_KEPT, Pictures
from companion.referee.events import Corrected, MatchStarted, Observed
from companion.referee.journal import Journal
from companion.referee.transfer import export_match, import_match
from tests.referee.build import MISERICORDIA, NOTHING, Table, started, thrown
from tests.referee.older import as_before

PICTURE = b"\xff\xd8 a table \xff\xd9"
NAME = hashlib.sha256(PICTURE).hexdigest()


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "journal.db")


def review_of(table: Table, *kept: str) -> MatchReview:
    found = Chronicles(table.journal.path, lambda name: name in kept).of(table.match.id)
    assert found is not None
    return found


def read(table: Table, faces: str, picture: str = NAME) -> int:
    """Commit a throw that a camera has read."""
    dice = tuple(die.to_json() for die in thrown(faces).dice)
    match = table.match
    committed = match.committed(match.position.parse(faces), "camera", seen=match.next_number)
    return table.record(Observed(dice, "read", "", 1.0, 3, picture), committed)


def test_each_event_has_its_board_and_what_became_of_it(table: Table) -> None:
    event = read(table, MISERICORDIA)
    read(table, NOTHING)
    table.record(Corrected(event, None, "A die fell."))
    match = review_of(table)
    assert [line["kind"] for line in match.lines(1, 10)] == ["started", "throw", "throw", "correction"]
    then, now = match.moment(2), match.moment(4)
    assert then is not None
    assert now is not None
    owners = [{v["id"]: v["owner"] for v in one["state"]["virtues"]}["1.2.5"] for one in (then, now)]
    assert owners == [1, None]
    assert then["standing"] == "stands"
    assert then["since"]["standing"] == "voided"
    assert [one["reason"] for one in then["since"]["corrections"]] == ["A die fell."]
    assert now["of"] == 2
    assert now["text"]["text"] == "Throw 1 of Anna was left out: A die fell."
    assert match.moment(0) is None
    assert match.moment(5) is None
    json.dumps([match.head(), then, now])


@pytest.mark.parametrize("version", [list, as_before])
def test_a_takeback_is_told_as_one_whichever_version_wrote_it(
    tmp_path: Path, version: Callable[[Iterable[str]], list[str]]
) -> None:
    table = Table(tmp_path / "zeno.db", started(game_name="tables/zeno"))
    table.throw("2 5 6")
    for why in ("", "thrown out of turn"):
        event = table.throw("a-c")
        table.record(table.match.taken_back(event, why))
    other = Table(tmp_path / "other.db")
    number = import_match(other.journal, version(export_match(table.journal, table.match.id)))
    match = Chronicles(other.journal.path, lambda _: False).of(number)
    assert match is not None
    assert [line["text"]["text"] for line in match.lines(1, 10) if line["kind"] == "correction"] == [
        "The move a-c of Anna was taken back.",
        "The move a-c of Anna was taken back: thrown out of turn",
    ]
    since = [line["since"]["corrections"] for line in match.lines(1, 10) if line["kind"] == "choice"]
    assert [[(one["way"], one["reason"]) for one in made] for made in since] == [
        [("takeback", "")],
        [("takeback", "thrown out of turn")],
    ]


def test_evidence_names_only_pictures_that_are_there(table: Table) -> None:
    read(table, MISERICORDIA, "ab" * 32)
    event = read(table, NOTHING)
    shown = review_of(table, NAME).evidence(event)
    assert shown is not None
    assert {picture["when"]: picture["name"] for picture in shown["pictures"]} == {"before": None, "after": NAME}
    assert [die["face"] for die in shown["seen"]["dice"]] == NOTHING.split()
    assert all(0.9 < die["confidence"] <= 1 for die in shown["seen"]["dice"])
    assert shown["by"] == "camera"
    gone = review_of(table).evidence(event)
    assert gone is not None
    assert all(picture["name"] is None for picture in gone["pictures"])


def test_what_was_tapped_has_no_evidence_and_says_so(table: Table) -> None:
    event = table.throw(MISERICORDIA)
    shown = review_of(table).evidence(event)
    assert shown is not None
    assert (shown["seen"], shown["pictures"], shown["by"]) == (None, [], "tapped")
    assert review_of(table).evidence(99) is None


def test_the_rules_judge_what_is_claimed_instead_where_it_would_have_been_played(tmp_path: Path) -> None:
    table = Table(tmp_path / "zeno.db", started(game_name="tables/zeno"))
    first = table.throw("2 5 6")
    event = table.throw("a-c")
    table.throw("a-f")
    match = review_of(table)
    allowed, forbidden, unread = (match.claim(event, text) for text in ("a-g", "a-e", "nonsense"))
    assert allowed is not None
    assert forbidden is not None
    assert unread is not None
    assert allowed["allowed"]
    assert allowed["choice"] == {"from": "a", "to": "g", "die": 6}
    assert not forbidden["allowed"]
    assert forbidden["sentence"]["text"]
    assert not unread["allowed"]
    preview = table.match.preview(event, allowed["choice"], "seen wrongly")
    assert preview.owners
    other = match.claim(first, "1 1 1")
    assert other is not None
    assert other["faces"] == {"1": "1", "2": "1", "3": "1"}
    assert match.claim(1, "a-g") is None


def test_a_match_that_goes_on_is_told_as_it_stands_and_no_other_under_its_number(table: Table, tmp_path: Path) -> None:
    chronicles = Chronicles(table.journal.path, lambda _: False)
    first = chronicles.of(table.match.id)
    assert first is not None
    assert chronicles.of(table.match.id) is first
    table.throw(MISERICORDIA)
    later = chronicles.of(table.match.id)
    assert later is not None
    assert (first.count, later.count) == (1, 2)
    assert chronicles.of(99) is None
    assert Chronicles(tmp_path / "none.db", lambda _: False).of(1) is None
    # a journal in whose place another one was put, or whose match was deleted: nothing of the old one is told
    other = Journal(tmp_path / "other.db")
    other.begin(MatchStarted("Another", "ludix", ("Cara", "Dodo"), {}, "tapped", ""), 5.0, "tests")
    other.close()
    table.journal.close()
    for extra in ("-wal", "-shm"):
        Path(f"{table.journal.path}{extra}").unlink(missing_ok=True)
    (tmp_path / "other.db").replace(table.journal.path)
    now = chronicles.of(1)
    assert now is not None
    assert now.head()["name"] == "Another"


def test_a_long_match_is_told_in_parts_and_none_of_it_is_played_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path / "long.db") as journal:
        desk = Desk(journal, time.time, random.Random(5))
        match = desk.begin("tables/ludus-anglicorum", ["Anna", "Berno"], {}, "program", "tests")
        chance = random.Random(6)
        while len(desk.require_match().entries) < 700 and not desk.require_match().over:
            choices = list(desk.require_match().position.legal())
            if not choices:
                desk.throw("tests")
                continue
            desk.play(chance.choice(choices), "tapped", "tests")
            if chance.random() < 0.5:
                desk.take_back(desk.require_match().history[-1].event, "tests", "Set down wrongly.")
        kind, played = type(desk.require_match().position), itertools.count(1)
        after = kind.after
        monkeypatch.setattr(kind, "after", lambda *given: (next(played), after(*given))[1])
        whole = Chronicles(journal.path, lambda _: False).of(match.id)
    assert whole is not None
    assert len(whole.lines(1, 10_000)) == min(MOST_LINES, whole.count)
    assert [line["moment"] for line in whole.lines(whole.count - 1, 50)] == [whole.count - 1, whole.count]
    assert whole.lines(whole.count + 1, 5) == []
    assert next(played) < 3 * whole.count, "a correction must not play the whole match anew"


def test_few_threads_wait_for_long_matches_and_what_is_known_is_told_at_once(table: Table) -> None:
    chronicles = Chronicles(table.journal.path, lambda _: False)
    known = chronicles.of(table.match.id)
    other = table.journal.begin(started(), 5.0, "tests")
    with ThreadPoolExecutor(MOST_WAITING + 3) as pool:
        with chronicles._folding:  # somebody goes through a long match
            asked = {pool.submit(chronicles.of, other) for _ in range(MOST_WAITING + 3)}
            refused = set(itertools.islice(as_completed(asked, timeout=60), 3))
            assert all(isinstance(future.exception(), BusyError) for future in refused)
            assert chronicles.of(table.match.id) is known
        sentence = {id(future.result(60)) for future in asked - refused}
    assert len(sentence) == 1, "it was folded once for all that waited"


def test_pictures_are_found_by_their_hash_where_the_owner_lets_them_be_kept(tmp_path: Path) -> None:
    kept, fleeting = Pictures(PictureFolder(tmp_path / "kept", Keeping("all"))), Pictures()
    for pictures in (kept, fleeting):
        pictures.keep(7, PICTURE, (b"a die",))
        assert pictures.has(NAME)
        assert pictures.get(NAME) == pictures.get("crop-7") == PICTURE
        pictures.forget()
    assert kept.get(NAME) == PICTURE
    assert fleeting.get(NAME) is None
    assert not fleeting.has(NAME)


@pytest.mark.parametrize("name", ["../journal", "crop-1", NAME.upper(), NAME[:-1], f"{NAME}/..", "", "kept/x"])
def test_no_other_name_reaches_the_disk(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    for file in (folder / f"{NAME}.jpg", tmp_path / "journal.jpg", folder / f"{NAME[:-1]}.jpg"):
        file.write_bytes(PICTURE)
    pictures = Pictures(PictureFolder(folder, Keeping("all")))
    assert pictures.get(name) is None
    assert not pictures.has(name)


def test_memory_holds_only_so_many_pictures() -> None:
    pictures = Pictures()
    for event in range(MOST_KEPT):
        pictures.keep(event, str(event).encode(), ())
    assert pictures.get("crop-0") is None
    assert pictures.get(f"crop-{MOST_KEPT - 1}") is not None
