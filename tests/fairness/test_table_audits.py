"""A table's audits are the fold of their events: whatever is drawn, answered and settled, a plain recount agrees."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.fairness.audits.draw import TABLE_AT_FIRST, TABLE_FIRST, TABLE_SHARE, table_share
from companion.fairness.audits.events import CODEC, Audited, AuditEvent, AuditsBegan, Drawn, Settled
from companion.fairness.audits.ledger import AuditLedger
from companion.fairness.audits.table_audits import NoAuditsError, TableAudits
from companion.ledger.codec import EventFormatError
from companion.ledger.rescue import open_ledger

BEGAN = AuditsBegan("wibold", "c0ffee", 7)


def die(event: int, name: str = "1") -> Drawn:
    return Drawn(1, "ab" * 32, event, name, (10.5, 20.0), "IO", 0.1, "f" * 64)


def folded(path: Path, events: list[AuditEvent]) -> TableAudits:
    with AuditLedger(path / "audits.db") as ledger:
        chain = ledger.open_chain(BEGAN, 1.0, "table")
        ledger.append(chain, events, 2.0, "table")
    with open_ledger(path / "audits.db", AuditLedger) as again:
        return TableAudits(again.events(chain))


ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("answer"), st.integers(0, 9), st.sampled_from(["IO", "E", "", None])),
        st.tuples(st.just("settle"), st.integers(0, 9), st.none()),
    ),
    max_size=30,
)


@given(ACTS)
def test_a_plain_recount_agrees(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, int, str | None]]
) -> None:
    events: list[AuditEvent] = [die(10 * number) for number in range(10)]
    faces: dict[int, str | None] = {}
    left: set[int] = set()
    for act, place, face in acts:
        number = place + 2  # the first event begins, then come ten dice
        if act == "settle":
            events.append(Settled(number))
            left.add(number)
        else:
            events.append(Audited(number, face, None if face is None else face == "IO"))
            faces[number] = face
            left.discard(number)
    audits = folded(tmp_path_factory.mktemp("audits"), events)
    wrong = [number for number, face in faces.items() if face not in ("IO", None)]
    assert sorted(audits.open) == sorted(set(range(2, 12)) - set(faces))
    assert (audits.checked, audits.wrong) == (sum(face is not None for face in faces.values()), len(wrong))
    assert sorted(audits.contradicted) == sorted(set(wrong) - left)
    low, high = audits.error()
    assert 0 <= low <= (audits.wrong / audits.checked if audits.checked else 0) <= high <= 1


def test_chance_chooses_as_often_as_it_says_and_always_the_same(tmp_path: Path) -> None:
    fresh, later = folded(tmp_path, []), folded(tmp_path, [die(number) for number in range(TABLE_FIRST)])
    for audits, share in ((fresh, TABLE_AT_FIRST), (later, TABLE_SHARE)):
        chosen = [audits.draws("cd" * 32, event, name) for event in range(5000) for name in "1234"]
        there = [one for one in chosen if one is not None]
        assert set(there) == {share}
        assert abs(len(there) / 20000 - share) < 4 * np.sqrt(share / 20000)
        assert chosen == [audits.draws("cd" * 32, event, name) for event in range(5000) for name in "1234"]
    assert table_share(0) > table_share(TABLE_FIRST)


def test_many_right_answers_narrow_the_interval_and_one_wrong_one_moves_it(tmp_path: Path) -> None:
    highs = []
    for count in (5, 50, 300):
        folder = tmp_path / str(count)
        dice: list[AuditEvent] = [die(number) for number in range(count)]
        stated: list[AuditEvent] = [Audited(number + 2, "IO", right=True) for number in range(count)]
        audits = folded(folder, [*dice, *stated])
        low, high = audits.error()
        assert low == 0
        highs.append(high)
    assert highs == sorted(highs, reverse=True)
    assert highs[-1] < 0.02
    wrong = folded(tmp_path / "wrong", [*dice, *stated[:-1], Audited(301, "E", right=False)])
    assert 0 < wrong.error()[0] < 1 / 300 < highs[-1] < wrong.error()[1]


@pytest.mark.parametrize("event", [Audited(9, "IO", right=True), Settled(9), BEGAN])
def test_what_does_not_fit_is_refused(tmp_path: Path, event: AuditEvent) -> None:
    with pytest.raises(NoAuditsError):
        folded(tmp_path, [die(3), event])


@pytest.mark.parametrize(
    "wrong",
    [
        {"at": [1]},
        {"at": "here"},
        {"share": "often"},
        {"event": -1},
        {"read": None},
        {"more": 1},
    ],
)
def test_an_event_of_another_form_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(EventFormatError):
        CODEC.from_json({**CODEC.to_json(die(1)), **wrong})
