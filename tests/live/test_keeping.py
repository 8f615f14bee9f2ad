"""Pictures lie on the disk as long as the owner allows it, and not a day longer."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.live.keeping import DAY_SECONDS, WHICH, Keeping, KeepingError, PictureFolder, Which
from companion.live.pictures import Pictures, digest

PICTURES = tuple(b"\xff\xd8 picture %d" % number for number in range(6))
kept_by = st.builds(Keeping, st.sampled_from(WHICH), st.integers(1, 20))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=80)
@given(
    keepings=st.lists(kept_by, min_size=1, max_size=4),
    taken=st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.integers(0, 25)), max_size=12),
)
def test_after_pruning_nothing_lies_there_that_the_owner_forbids(
    tmp_path: Path, keepings: list[Keeping], taken: list[tuple[int, bool, int]]
) -> None:
    now = [1_800_000_000.0]
    folder = PictureFolder(tmp_path / "kept", keepings[0], lambda: now[0])
    folder.clear()
    for keeping in keepings:
        folder.use(keeping)
        for which, asked, days in taken:
            now[0] += days * DAY_SECONDS / 10
            picture = PICTURES[which]
            folder.keep(digest(picture), picture, asked=asked)
            written = folder.folder / f"{digest(picture)}{'.asked' if asked else ''}.jpg"
            if written.exists():
                os.utime(written, (now[0], now[0]))
        now[0] += DAY_SECONDS * keeping.days / 2
        folder.prune()
        for path in folder._all():
            assert keeping.which != "never"
            assert keeping.which == "all" or path.name.endswith(".asked.jpg")
            assert path.stat().st_mtime >= now[0] - keeping.days * DAY_SECONDS
    assert folder.kept().pictures == len(folder._all())


@pytest.mark.parametrize(("which", "left"), [("never", 0), ("asked", 1), ("all", 2)])
def test_only_what_is_allowed_is_written(tmp_path: Path, which: Which, left: int) -> None:
    folder = PictureFolder(tmp_path / "kept", Keeping(which))
    folder.keep(digest(b"thrown"), b"thrown", asked=False)
    folder.keep(digest(b"doubtful"), b"doubtful", asked=True)
    assert folder.kept().pictures == left
    assert folder.read(digest(b"doubtful")) == (b"doubtful" if left else None)
    assert folder.holds(digest(b"thrown")) == (left > 1)
    (tmp_path / "secret.jpg").write_bytes(b"elsewhere")
    for name in ("../secret", "", "secret", digest(b"thrown").upper(), str(tmp_path / "secret")):
        assert folder.read(name) is None
    assert (tmp_path / "kept").exists() == bool(left)
    assert folder.use(Keeping("never")) == left
    assert folder.kept().pictures == 0


def test_a_disk_that_takes_no_picture_does_not_stop_the_game(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file where the folder should be")
    pictures = Pictures(PictureFolder(tmp_path / "kept", Keeping("all")))
    pictures.keep(7, PICTURES[0], (), asked=True)
    assert pictures.get("crop-7") == PICTURES[0]


@pytest.mark.parametrize("days", [0, -1, 3651, True, 2.5, "7"])
def test_days_that_are_none_are_refused(days: object) -> None:
    with pytest.raises(KeepingError, match="days"):
        Keeping("all", days)  # type: ignore[arg-type]
