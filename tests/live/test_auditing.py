"""Audits at a running table: chance draws dice that were read without a question, and the owner's answers count."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.fairness.audits import draw as drawing
from companion.fairness.audits.events import Drawn
from companion.fairness.audits.ledger import AuditLedger
from companion.fairness.audits.table_audits import TableAudits
from companion.language.sentence import Sentence
from companion.live.audits.auditing import Auditing
from companion.live.audits.audits_now import AuditsNow
from companion.live.camera_throws import camera_throw
from companion.live.dice_memory.folder import MemoryFolder
from companion.live.dice_memory.learning import Learning
from companion.live.features import TableFeatures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.vision.mat import Mat
from tests.live.drawn import DrawnSource, draw, joined, placed
from tests.live.taught import TaughtReader
from tests.live.test_watching import done, until

MATCH = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "options": {}, "dice_by": "camera"}
THROWS = ("A IO AEI MNPR", "EI UAE OU BCDF", "OUA E I STXZ", "A UAE AEI GHKL")


class Audited:
    """A table under a drawn camera whose readings are drawn for an audit."""

    def __init__(self, folder: Path, *, on: bool = True, source: DrawnSource | None = None) -> None:
        self.path = folder / "match.db"
        self.source = source or DrawnSource()
        self.learning = Learning(MemoryFolder(folder / "match.memory"))
        self.auditing = Auditing(self.path, lambda: 5.0, lambda: 11, learning=self.learning, on=on)
        reader = TaughtReader()
        self.live = LiveTable(
            self.path,
            Seeing(self.source, mat=Mat(), reader=lambda _: reader),
            TableFeatures(learning=self.learning, auditing=self.auditing),
            combine=joined,
        )
        self.live.start()
        self.source.empty()
        self.shift = 0

    def begin(self) -> None:
        done(self.live, "new_match", **MATCH)

    def threw(self, text: str, unsure: tuple[str, ...] = ()) -> dict[str, Any]:
        """Throw, and return the state once the throw counts or is asked about."""
        self.shift = (self.shift + 45) % 135
        before = self.live.snapshot().data["match"]["throws"]
        self.source.empty()
        self.source.show(draw(placed(text, self.shift), unsure))
        state = until(self.live, lambda data: data["ask"] or data["match"]["throws"] > before)
        self.live.upkeep.settle_audit("none", 1)  # the writer has done all that it was told before
        return state

    @property
    def now(self) -> AuditsNow:
        (now,) = self.auditing.now
        return now

    def otherwise(self) -> list[str]:
        """Return what persons said about dice that were read otherwise, as long as something is left to do."""
        return [one.answer for one in self.now.contradicted]

    def drawn(self) -> dict[int, Drawn]:
        """Return what the file holds, read by another program."""
        with AuditLedger(self.path.with_suffix(".audits.db"), writable=False) as ledger:
            return TableAudits(ledger.events(1)).drawn

    def say(self, number: int, face: str | None) -> Sentence:
        reply = self.live.upkeep.audit("wibold", number, face)
        assert reply.ok, str(reply.sentence)
        self.learning.forget("nothing").result(10)
        return reply.sentence

    def remembered(self) -> dict[str, set[tuple[str, bool]]]:
        """Return for each exemplar's source which marks it bears, and whether a person said so."""
        memory = self.learning.memory("wibold")
        assert memory is not None
        found: dict[str, set[tuple[str, bool]]] = {}
        for one in memory.exemplars:
            found.setdefault(one.source, set()).add((one.bag, one.named))
        return found


@pytest.fixture
def every(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let chance draw every die."""
    monkeypatch.setattr(drawing, "TABLE_AT_FIRST", 1.0)


@pytest.fixture
def audited(tmp_path: Path) -> Iterator[Callable[..., Audited]]:
    made: list[Audited] = []

    def open_(**parts: Any) -> Audited:
        for earlier in made:
            earlier.live.stop()
        made.append(Audited(tmp_path, **parts))
        return made[-1]

    yield open_
    for one in made:
        one.live.stop()


@pytest.mark.usefixtures("every")
def test_what_the_owner_says_is_counted_and_outlives_a_restart(audited: Callable[..., Audited]) -> None:
    table = audited()
    table.begin()
    table.threw(THROWS[0])
    assert [(one.die, one.read) for one in table.drawn().values()] == [
        ("1", "A"),
        ("2", "IO"),
        ("3", "AEI"),
        ("consonants", "MNPR"),
    ]
    first, second, third, last = table.now.asked
    assert {len(one.choices) for one in (first, second, third)} == {16}, "any upper face, whatever was read"
    assert [text for text, _ in last.choices] == ["BCDF", "GHKL", "MNPR", "STXZ"]
    assert (first.lies_on, last.lies_on) == (False, True)
    for one in table.now.asked:
        assert (table.auditing.picture("wibold", one.number) or b"").startswith(b"\xff\xd8")
    assert "too" in str(table.say(first.number, "A"))
    assert "no way to check that" in str(table.say(second.number, None))
    assert "correct its throw" in str(table.say(third.number, "OU"))
    assert table.auditing.picture("wibold", first.number) is None, "nobody needs it any more"
    later = audited(source=DrawnSource())
    assert (later.now.drawn, later.now.checked, later.now.wrong) == (4, 2, 1)
    assert [one.number for one in later.now.asked] == [last.number]
    assert later.auditing.picture("wibold", last.number) is not None
    (otherwise,) = later.now.contradicted
    assert (otherwise.match, otherwise.read, otherwise.answer, otherwise.instead) == (1, "AEI", "OU", "OU")
    assert later.now.error == table.now.error
    assert not later.live.upkeep.audit("wibold", first.number, "A").ok, "it was answered"
    assert later.live.upkeep.audit("wibold", third.number, "AEI").ok, "a slip is taken back"
    assert (later.now.checked, later.now.wrong, later.now.contradicted) == (2, 0, ())


def test_anybody_can_repeat_the_draw_from_the_journal(
    audited: Callable[..., Audited], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "TABLE_AT_FIRST", 0.5)  # none or all of 32 dice: once in two thousand million runs
    monkeypatch.setattr(drawing, "TABLE_FIRST", 100)
    table = audited()
    table.begin()
    for text in THROWS * 2:
        table.threw(text)
    table.live.stop()
    with Journal(table.path, writable=False) as journal:
        entries = Match.of(journal.events(1)).entries
    read = [seen for entry in entries if (seen := camera_throw(entries, entry.number)) is not None]
    assert len(read) == 2 * len(THROWS)
    with AuditLedger(table.path.with_suffix(".audits.db"), writable=False) as ledger:
        kept = ledger.events(1)
    again = TableAudits(kept[:1])
    wanted = [
        (seen.event, str(die["die"]), share)
        for seen in read
        for die in seen.dice
        if (share := again.draws(entries[0].hash, seen.event, str(die["die"]))) is not None
    ]
    assert 0 < len(wanted) < sum(len(seen.dice) for seen in read)
    assert [(one.event, one.die, one.share) for one in TableAudits(kept).drawn.values()] == wanted


@pytest.mark.usefixtures("every")
def test_what_a_person_was_asked_about_is_not_drawn(audited: Callable[..., Audited]) -> None:
    table = audited()
    table.begin()
    ask = table.threw(THROWS[0], unsure=("2",))["ask"]
    done(table.live, "answer", ask=ask["id"], faces={"1": "A", "2": "IO", "3": "AEI", "consonants": "MNPR"})
    assert table.auditing.now == ()
    table.threw(THROWS[1])
    assert {one.event for one in table.drawn().values()} == {table.live.snapshot().data["log"][-1]["event"]}


@pytest.mark.usefixtures("every")
def test_an_answer_teaches_like_any_other(audited: Callable[..., Audited]) -> None:
    table = audited()
    table.begin()
    table.threw(THROWS[0])
    (event,) = {one.event for one in table.drawn().values()}
    source = f"1/{event}"
    table.learning.forget("nothing").result(10)
    read = {("A", False), ("IO", False), ("AEI", False)}
    assert table.remembered()[source] >= read
    first, second, third, _ = table.now.asked
    table.say(first.number, "A")
    assert table.remembered()[source] >= {("A", True), ("IO", False), ("AEI", False)}
    table.say(second.number, "OU")
    stated = table.remembered()[source]
    assert stated >= {("A", True), ("OU", True), ("AEI", False)}
    assert ("IO", False) not in stated, "the wrong reading is forgotten"
    later = audited(source=DrawnSource())
    later.say(third.number, "E")
    assert source not in later.remembered(), "of a throw of an earlier run, what it taught is forgotten"


@pytest.mark.usefixtures("every")
def test_a_correction_settles_what_was_read_wrongly(audited: Callable[..., Audited]) -> None:
    table = audited()
    table.begin()
    table.threw(THROWS[0])
    first, second, *_ = table.now.asked
    (event,) = {one.event for one in table.drawn().values()}
    table.say(first.number, "OUA")
    assert table.otherwise() == ["OUA"]
    faces = {"1": "OUA", "2": "IO", "3": "AEI", "consonants": "MNPR"}
    asked = {"event": event, "faces": faces, "reason": "looked again"}
    done(table.live, "correct", **asked, token=done(table.live, "preview_correction", **asked)["token"])
    table.live.upkeep.settle_audit("none", 1)
    assert table.otherwise() == []
    assert (table.now.checked, table.now.wrong) == (1, 1), "it stays counted"
    table.say(second.number, "E")
    assert table.otherwise() == [], "whoever corrected the throw has looked at all of it"
    other = table.now.asked[0]
    table.say(other.number, "E")
    assert table.now.wrong == 3
    assert not table.live.upkeep.settle_audit("wibold", other.number).ok


@pytest.mark.usefixtures("every")
def test_a_throw_may_stay_as_it_is(audited: Callable[..., Audited]) -> None:
    table = audited()
    table.begin()
    table.threw(THROWS[0])
    first = table.now.asked[0]
    table.say(first.number, "")
    assert table.otherwise() == [""], "it is not a die"
    table.say(table.now.asked[0].number, "OU")
    assert [one.instead for one in table.now.contradicted] == [None, None], "the second die does not have this face"
    assert table.live.upkeep.settle_audit("wibold", table.now.contradicted[1].number).ok
    assert table.auditing.again(f"wibold-{first.number}") is not None
    assert table.live.upkeep.settle_audit("wibold", first.number).ok
    assert table.otherwise() == []
    assert table.auditing.again(f"wibold-{first.number}") is None


def test_a_table_that_draws_nothing_keeps_nothing(audited: Callable[..., Audited], tmp_path: Path) -> None:
    table = audited(on=False)
    table.begin()
    for text in THROWS:
        table.threw(text)
    table.live.stop()
    assert not list(tmp_path.glob("*audits*"))


@pytest.mark.usefixtures("every")
def test_pictures_can_be_deleted_and_then_nothing_is_asked(audited: Callable[..., Audited]) -> None:
    table = audited()
    table.begin()
    table.threw(THROWS[0])
    number = table.now.asked[0].number
    assert table.live.upkeep.clear_pictures() >= 4
    assert table.now.asked == ()
    assert table.auditing.picture("wibold", number) is None
    assert not table.live.upkeep.audit("wibold", number, "A").ok
    table.live.upkeep.draw_audits(on=False)
    table.threw(THROWS[1])
    assert table.now.drawn == 4


@pytest.mark.usefixtures("every")
def test_a_match_that_is_deleted_takes_the_pictures_of_its_dice_along(audited: Callable[..., Audited]) -> None:
    table = audited()
    table.begin()
    table.threw(THROWS[0])
    table.say(table.now.asked[0].number, "OUA")
    pictures = table.path.with_suffix(".audits")
    assert len(list(pictures.iterdir())) == 4
    table.begin()
    with Journal(table.path, writable=False) as journal:
        last = next(line.last_hash for line in journal.matches() if line.id == 1)
    done(table.live, "delete_match", match=1, last_hash=last)
    assert list(pictures.iterdir()) == []
    assert (table.now.asked, table.otherwise()) == ((), [])
    assert (table.now.checked, table.now.wrong) == (1, 1), "what was said stays counted"


@pytest.mark.usefixtures("every")
def test_a_file_of_something_else_leaves_the_table_playing(audited: Callable[..., Audited], tmp_path: Path) -> None:
    (tmp_path / "match.audits.db").write_bytes(b"no ledger at all" * 300)
    table = audited()
    table.begin()
    table.threw(THROWS[0])
    assert table.auditing.now == ()
    assert table.auditing.trouble is not None
    assert (tmp_path / "match.audits.db").read_bytes() == b"no ledger at all" * 300
