"""companion fairness watch --group: a die is counted by likeness after a person named the rows of its throws once."""

import json
import shutil
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner, Result

from bench.fairness.frames import Table
from companion.cli import main
from companion.fairness.series.fold import Series
from companion.fairness.series.ledger import SeriesLedger
from companion.live.laboratory.laboratory import Laboratory
from companion.rules.dice import dice_set

FACES = tuple(face.text for face in dice_set("d6").dice[0].faces)
THROWN = FACES * 4
LEARNT = 18


@pytest.fixture(scope="module")
def throws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one picture of each throw of a drawn die."""
    folder, table = tmp_path_factory.mktemp("throws"), Table("d6", 3)
    for number, face in enumerate(THROWN):
        cv2.imwrite(str(folder / f"{number:03}.png"), table.throw(face))
    return folder


def watched(folder: Path, throws: Path, text: str, *arguments: str) -> Result:
    return CliRunner().invoke(
        main,
        [
            *("fairness", "watch", "--group", "--no-page", "--camera", str(throws), "--throws", str(LEARNT)),
            *("--journal", str(folder / "throws.db"), "--sheet", str(folder / "rows.png"), *arguments),
        ],
        input=text,
    )


def kept(folder: Path) -> Series:
    with SeriesLedger(folder / "throws.db", writable=False) as ledger:
        return Series(ledger.events(1))


@pytest.fixture(scope="module")
def agreed(tmp_path_factory: pytest.TempPathFactory, throws: Path) -> tuple[Path, Result]:
    """Return the folder in which a person agreed with each row, and what was printed then; tests change a copy."""
    folder = tmp_path_factory.mktemp("agreed")
    return folder, watched(folder, throws, "\n" * 60, "--die", "d6", "--title", "my cube")


def test_a_person_agrees_with_each_row_and_every_throw_counts_for_its_face(agreed: tuple[Path, Result]) -> None:
    folder, result = agreed
    assert result.exit_code == 0, result.output
    series = kept(folder)
    labels = series.dice[0].outcomes.labels
    assert series.started.title == "my cube"
    assert [None if one.outcome is None else labels[one.outcome] for one in series.throws] == list(THROWN)
    lines = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    # each throw is printed when it is kept, and again when it has a face
    first = {line["number"]: line for line in reversed(lines)}
    assert [first[number]["outcome"] for number in range(1, LEARNT + 1)] == [None] * LEARNT
    assert {line["number"]: line["outcome"] for line in lines} == dict(enumerate(THROWN, 1))
    sure = {line["number"] for line in lines if line["outcome"] is not None and not line["corrected"]}
    assert len(sure) >= 0.8 * len(THROWN)
    # what was doubtful was asked about afterwards, and the series keeps who said it
    assert {one.number for one in series.throws if one.corrected} == set(range(1, len(THROWN) + 1)) - sure
    assert (series.counted[0].asked, series.counted[0].lost) == (len(THROWN) - len(sure), 0)
    assert cv2.imread(str(folder / "rows.png")) is not None
    for one in series.throws:
        assert (folder / "throws.photographs" / f"{one.picture}.asked.jpg").is_file()


def test_the_page_shows_the_crops_offers_second_looks_and_deletes_them_with_the_series(
    tmp_path: Path, agreed: tuple[Path, Result]
) -> None:
    copied = shutil.copytree(agreed[0], tmp_path / "copied")
    series, folder = kept(copied), copied / "throws.photographs"
    drawn = [one.number for one in series.due(0)]
    laboratory = Laboratory(copied / "throws.db")
    laboratory.start()
    try:
        shown = laboratory.snapshot().data["series"]
        assert shown["throws"] == len(THROWN)
        assert [one["number"] if isinstance(one, dict) else one for one in shown["dice"][0]["audit"]["due"]] == drawn
        assert all(one["crop"] for one in shown["last"])
        assert laboratory.picture(series.throws[0].picture) is not None
        assert laboratory.command("end", {}, "owner").ok
        assert laboratory.command("delete", {"series": series.id}, "owner").ok
    finally:
        laboratory.stop()
    assert not list(folder.iterdir())


def test_how_well_the_rows_separate_is_in_the_sum(agreed: tuple[Path, Result]) -> None:
    reader = kept(agreed[0]).reader(0)
    assert reader is not None
    # every face has the throws of all faces
    assert len(set(reader.seen.sum(axis=1).tolist())) == 1
    assert 0 < reader.seen[0].sum() <= LEARNT


def test_a_die_without_a_set_is_named_by_letters_and_rows_may_be_left_out(tmp_path: Path, throws: Path) -> None:
    # the first answer is no face of the die, then one row is named, and the others are left out
    result = watched(tmp_path, throws, "sun\nA\n" + "-\n" * 60, "--die", "cube")
    assert result.exit_code == 0, result.output
    assert "Expected one of A, B, C, D, E, F, or - for none, but got 'sun'" in result.output
    series = kept(tmp_path)
    assert series.dice[0].outcomes.labels == tuple("ABCDEF")
    # one row is named: the reader is known from its few throws, and the verdict allows for that
    reader = series.reader(0)
    assert reader is not None
    assert 1 <= reader.seen.sum(axis=1).max() == reader.seen.sum(axis=1).min() < len(series.throws)
    # what is like a row without a name counts for no other
    counted = {face for one, face in zip(series.throws, THROWN, strict=True) if one.outcome is not None}
    assert len(counted) <= 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--group", "--die", "d20"], "Expected --camera or --phone and one --die beside --group"),
        (["--group", "--camera", ".", "--die", "d20", "--museum"], "neither --museum"),
        (["--group", "--no-page", "--camera", ".", "--die", "nothing"], "by its shape"),
        (["--group", "--no-page", "--camera", ".", "--die", "d4"], "a face up"),
        (["--group", "--camera", ".", "--die", "d6", "--sheet", "rows.png"], "Expected --no-page beside --sheet"),
        (["--throws", "30", "--die", "d6"], "Expected --group beside"),
        (["--group", "--no-page", "--camera", ".", "--die", "d6", "--profile", "mine"], "Expected --group without"),
        (["--group", "--camera", ".", "--die", "d6", "--lamps", "wled://192.168.1.7"], "Expected --group without"),
        (["--group", "--no-page", "--camera", ".", "--die", "d6", "--mat", "auto"], "Expected a folder of throws"),
        (["--die", "d6", "--mat", "auto"], "no camera sees the dice"),
        (["--group", "--no-page", "--camera", "."], "no open series to continue"),
        (["--group", "--no-page", "--camera", "nothing.mp4", "--die", "d6"], "nothing.mp4"),
    ],
)
def test_what_cannot_be_grouped_is_refused_in_a_sentence(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    result = CliRunner().invoke(main, ["fairness", "watch", "--journal", str(tmp_path / "throws.db"), *arguments])
    assert result.exit_code != 0
    assert sentence in result.output
    assert "Throw " not in result.output
    assert "Traceback" not in result.output


def test_a_throw_whose_die_is_not_found_is_kept_as_unread(tmp_path: Path, throws: Path) -> None:
    some = tmp_path / "some"
    some.mkdir()
    for path in sorted(throws.iterdir())[:LEARNT]:
        (some / path.name).write_bytes(path.read_bytes())
    cv2.imwrite(str(some / "005-nothing.png"), Table("d6", 3).empty)
    result = watched(tmp_path, some, "\n" * 60, "--die", "d6")
    assert "A throw stays unread: Expected one die in the picture, but found none." in result.output
    series = kept(tmp_path)
    assert len(series.throws) == LEARNT + 1
    assert [one.number for one in series.throws if one.outcome is None] == [6]
    assert (series.counted[0].unread, series.counted[0].lost) == (1, 1)


def test_too_few_throws_are_kept_and_the_same_series_goes_on_with_more(tmp_path: Path, throws: Path) -> None:
    few = tmp_path / "few"
    few.mkdir()
    paths = sorted(throws.iterdir())
    for path in paths[:6]:
        (few / path.name).write_bytes(path.read_bytes())
    result = watched(tmp_path, few, "", "--die", "d6")
    assert result.exit_code == 0, result.output
    assert "at least 18 throws" in result.output
    assert f"0 of 6 throws count. companion fairness watch --group --no-page --journal {tmp_path}" in result.output
    assert len(kept(tmp_path).throws) == 6
    for path in paths[6:LEARNT]:
        (few / path.name).write_bytes(path.read_bytes())
    result = watched(tmp_path, few, "\n" * 60)  # without --die the open series goes on
    assert result.exit_code == 0, result.output
    assert "The first 6 pictures of this folder are counted already." in result.output
    series, labels = kept(tmp_path), kept(tmp_path).dice[0].outcomes.labels
    assert [labels[one.outcome] for one in series.throws if one.outcome is not None] == list(THROWN[:LEARNT])


def test_a_film_is_counted_as_it_is_seen_and_asked_about_at_its_end(tmp_path: Path) -> None:
    table, film = Table("d6", 3), str(tmp_path / "film.avi")
    video = cv2.VideoWriter(film, cv2.VideoWriter.fourcc(*"MJPG"), 15, table.empty.shape[1::-1])
    for face in THROWN[:3]:
        image = table.throw(face)
        for shown, frames in ((table.empty, 6), (cv2.addWeighted(image, 0.5, table.empty, 0.5, 0), 2), (image, 10)):
            for _ in range(frames):
                noise = table.rng.normal(0, 1.5, shown.shape)
                video.write((shown + noise).clip(0, 255).astype("uint8"))
    video.release()
    result = watched(tmp_path, Path(film), "", "--die", "d6", "--mat", "whole")
    assert result.exit_code == 0, result.output
    assert [json.loads(line)["number"] for line in result.stdout.splitlines() if line.startswith("{")] == [1, 2, 3]
    assert "at least 18 throws" in result.output
    assert "has not been started" not in result.output
