"""One die at several stations: merged by the clock, judged as one."""

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.fairness.account import CountedThrow, DieAccount, counts_of
from companion.fairness.outcomes import outcomes_of
from companion.fairness.report.sequence import to_csv
from companion.fairness.serial_dependence import UNREAD_PLACE, Recent, RepeatsByStation
from companion.fairness.tables.stations import StationsError, joined
from companion.rules.dice import dice_set
from tests.commands.running import json_of, run

DIE = dice_set("pips").dice[0]
OUTCOMES = outcomes_of(DIE)


def thrown(number: int, outcome: int | None, at: float | None) -> CountedThrow:
    return CountedThrow(number, outcome, "camera", at)


def account(name: str, throws: Sequence[CountedThrow]) -> DieAccount:
    return DieAccount(name, "pips", DIE, OUTCOMES, counts_of(throws, OUTCOMES), throws)


def merged(stations: Sequence[DieAccount]) -> Sequence[CountedThrow]:
    return joined("a die", stations).account.throws or ()


@st.composite
def several(draw: st.DrawFn) -> list[DieAccount]:
    """Stations whose clocks may be set back meanwhile."""
    moments = draw(st.lists(st.lists(st.integers(0, 30), min_size=1, max_size=8), min_size=2, max_size=4))
    return [
        account(
            f"s{place}", [thrown(n, 1, at + place / 7)._replace(digest=f"{place} {n}") for n, at in enumerate(times)]
        )
        for place, times in enumerate(moments)
    ]


@given(several())
def test_every_throw_comes_once_by_the_clock_and_in_its_own_stations_order(stations: list[DieAccount]) -> None:
    order = merged(stations)
    assert [one.number for one in order] == list(range(1, len(order) + 1))
    for station in stations:
        mine = [one.digest for one in order if one.session == station.name]
        assert mine == [one.digest for one in station.throws or ()]
    latest = {station.name: 0.0 for station in stations}
    read = []
    for one in order:
        latest[one.session] = max(latest[one.session], one.at or 0.0)
        read.append(latest[one.session])
    assert read == sorted(read)


@given(st.lists(st.tuples(st.integers(UNREAD_PLACE, 5), st.integers(0, 2)), max_size=40), st.integers(1, 40))
def test_repeats_are_those_of_each_station_alone(rows: list[tuple[int, int]], cut: int) -> None:
    places, stations = (np.array([row[which] for row in rows], np.int64) for which in (0, 1))
    distances = RepeatsByStation()
    parts = [distances.take(places[part], stations[part]) for part in (slice(0, cut), slice(cut, None))]
    if not rows:
        return
    last = parts[-1] if len(rows) > cut else parts[0]
    alone = [Recent().take(places[stations == one]) for one in set(stations.tolist())]
    assert last.pairs[-1].tolist() == sum(one.pairs[-1] for one in alone).tolist()
    assert last.same[-1].tolist() == sum(one.same[-1] for one in alone).tolist()


def sticky(rng: random.Random, many: int, begun: float) -> list[CountedThrow]:
    """A fair die that shows the same again at every second throw."""
    faces = [rng.randrange(6)]
    while len(faces) < many:
        faces.append(faces[-1] if rng.random() < 0.5 else rng.randrange(6))
    return [thrown(n, face, begun + 10 * n) for n, face in enumerate(faces, 1)]


def test_throws_that_hang_together_at_their_station_are_found_in_the_merged_order() -> None:
    rng = random.Random(3)
    stations = [account(f"s{n}", sticky(rng, 120, float(n))) for n in range(6)]
    order = merged(stations)
    together = account("all", order)
    assert together.stations is not None
    finding = together.asked_of_the_thrower()["lag"]
    assert finding is not None
    assert finding.found
    assert together.judged_alone().said == "serially dependent"
    # in one sequence the next throw is another station's, and six throws are more than the longest lag
    blind = account("all", [one._replace(session="") for one in order])
    assert blind.judged_alone().said != "serially dependent"


def test_sessions_one_after_the_other_are_no_stations() -> None:
    throws = [thrown(n, n % 6, float(n))._replace(session="mon" if n < 5 else "tue") for n in range(1, 10)]
    assert account("one", throws).stations is None
    turns = [one._replace(session="ab"[one.number % 2]) for one in throws]
    assert account("one", turns).stations is not None


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (account("north", [thrown(1, 2, 7.0)]), "two are called north"),
        (account("south", [thrown(1, 3, None)]), "throw 1 of south has none: without moments"),
        (account("south", []), "south holds only counts"),
        (account("south", [thrown(1, 3, 4.0)._replace(together=3)]), "south threw 3 together"),
        (account("south", [thrown(4, 1, 1.0)]), "north and south hold the same throws"),
    ],
)
def test_what_cannot_be_merged_is_refused(second: DieAccount, words: str) -> None:
    with pytest.raises(StationsError, match=words):
        merged([account("north", [thrown(1, 1, 1.0), thrown(2, 5, 2.0)]), second])


def test_two_files_without_moments_are_refused_for_that_and_not_for_showing_the_same_faces() -> None:
    throws = [thrown(n, n % 6, None) for n in range(1, 20)]
    with pytest.raises(StationsError, match="throw 1 of north has none: without moments"):
        merged([account("north", throws), account("south", throws)])


def test_the_report_of_several_stations_is_that_of_the_merged_throws(tmp_path: Path) -> None:
    rng = random.Random(8)
    names = ("north", "south")
    for place, name in enumerate(names):
        throws = [thrown(n, rng.randrange(6), 1e9 + 20 * n + 7 * place) for n in range(1, 121)]
        (tmp_path / f"{name}.csv").write_text(to_csv(account(name, throws)), encoding="utf-8", newline="")
    files = [str(tmp_path / f"{name}.csv") for name in names]
    whole = tmp_path / "whole.csv"
    found = json_of("fairness", "report", *files, "--die", "pips", "--csv", str(whole))
    assert found["identity"]["name"] == "north + south"
    rows = found["sequence"]
    assert [row["session"] for row in rows[:4]] == ["north", "south", "north", "south"]
    assert len(rows) == 240
    again = json_of("fairness", "report", str(whole), "--die", "pips")
    assert again["sequence"] == rows
    distances = {"identity", "die", "sequence", "provenance"}
    assert {part: again[part] for part in again.keys() - distances} == {
        part: found[part] for part in found.keys() - distances
    }
    refused = run("fairness", "report", files[0], files[0], "--die", "pips")
    assert refused.exit_code == 1
    assert "two are called north" in refused.stderr
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / f"{name}.csv").rename(tmp_path / name / "heavy.csv")
    alike = json_of("fairness", "report", *(str(tmp_path / name / "heavy.csv") for name in names), "--die", "pips")
    assert alike["identity"]["name"] == "heavy"
    assert alike["sequence"] == rows, "the stations are called as the folders are"


FAIR, LOADED = (1, 1, 1, 1, 1, 1), (1, 1, 1, 1, 1, 4)


def written(folder: Path, die: str, weights: tuple[int, ...], place: int, *, at: bool = True) -> None:
    """Write the laboratory's table of a die at a station; each ninetieth throw is not read."""
    rng = random.Random(f"{folder.name} {die}")
    faces = rng.choices(range(6), weights, k=360)
    throws = [
        thrown(n, None if n % 90 == 0 else face, 1e9 + 20 * n + 7 * place if at else None)
        for n, face in enumerate(faces, 1)
    ]
    folder.mkdir(exist_ok=True)
    (folder / f"{die}.csv").write_text(to_csv(account(die, throws)), encoding="utf-8", newline="")


def test_a_batch_over_all_stations_is_one_page_that_says_what_each_station_threw(tmp_path: Path) -> None:
    stations = [tmp_path / name for name in ("north", "south", "<hall>")]
    for place, folder in enumerate(stations):
        written(folder, "oak", FAIR, place)
        written(folder, "bone", LOADED, place)
        written(folder, "ash", LOADED if folder.name == "south" else FAIR, place)
    written(stations[0], "horn", FAIR, 0, at=False)  # alone at its station, a table needs no moments
    page = tmp_path / "pages" / "batch.html"
    folders = [str(folder) for folder in stations]
    found = json_of(
        "fairness", "batch", "--stations", *folders, "--html", str(page), "--language", "de", "--title", "May"
    )
    assert found["stations"] == ["north", "south", "<hall>"]
    dice = {one["name"]: one for one in found["dice"]}
    assert {name: one["stations"]["state"] for name, one in dice.items()} == {
        "ash": "found",
        "bone": "not found",
        "horn": "one group",
        "oak": "not found",
    }
    assert dice["bone"]["alone"] == "biased"
    assert "bone" in found["called"]
    assert {"oak", "horn"}.isdisjoint(found["called"])
    for name, one in dice.items():
        at = one["stations"]["at"]
        assert len(at) == (1 if name == "horn" else 3)
        assert all((part["throws"], part["unread"]) == (356, 4) for part in at)
        whole = {label: sum(part["counts"][label] for part in at) for label in OUTCOMES.labels}
        assert whole == one["counts"]
    assert "station" in dice["ash"]["thrower"]
    assert "session" not in dice["ash"]["thrower"], "a station is no session of its own"


def test_a_batch_without_stations_is_a_page_too_and_one_station_differs_from_none(tmp_path: Path) -> None:
    written(tmp_path / "dice", "oak", FAIR, 0)
    page = tmp_path / "batch.html"
    output = run("fairness", "batch", str(tmp_path / "dice"), "--html", str(page)).stdout
    assert f"Written: {page}" in output
    assert "station" not in output.replace(str(tmp_path), "")
    text = page.read_text(encoding="utf-8")
    assert text.count("<h2 ") == 2
    assert "tation" not in text.split("<body")[1]
    at_one = run("fairness", "batch", str(tmp_path / "dice"), "--stations").stdout
    assert "oak: 356 at dice. Difference between the stations: not asked: there is only one." in at_one


def test_stations_that_cannot_be_told_apart_are_refused_in_a_sentence(tmp_path: Path) -> None:
    north, south = tmp_path / "north", tmp_path / "south"
    written(north, "oak", FAIR, 0)
    written(south, "oak", FAIR, 1, at=False)
    same = tmp_path / "more" / "north"
    same.mkdir(parents=True)
    (same / "oak.csv").write_bytes((north / "oak.csv").read_bytes())
    for folders, why in (
        ((north, south), "oak: Expected the moment of every throw"),
        ((north, same), "two folders are called north"),
        ((north / "oak.csv", south), "Expected one folder per station for --stations"),
        ((north, tmp_path / "more"), "Expected files of throws"),
    ):
        refused = run("fairness", "batch", "--stations", *map(str, folders))
        assert refused.exit_code == 1
        assert why in " ".join(refused.stderr.split())
