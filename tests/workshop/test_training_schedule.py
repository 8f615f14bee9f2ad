"""How a training goes on, what is drawn for it, and how its fonts are gathered; what needs PyTorch is in with_torch."""

import math
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workshop.scenes import fonts
from workshop.scenes.fonts import Source, find_fonts, listed
from workshop.training import gather as gathering
from workshop.training.gather import GatherError, gather, pack, take
from workshop.training.material import CHECK, SCENES, SCENES_AT_ONCE, SINGLES, Part, draw_all, parts
from workshop.training.schedule import Recipe, State, is_better
from workshop.training.store import Scenes

SOURCES = (
    Source("Plain", "fonts-plain", "truetype/plain/Plain.ttf", "sans", "train", None),
    Source("uncial", "@fontsource/uncial", "uncial.ttf", "uncial", "train", None),
    Source("bold", "@fontsource/bold", "bold.ttf", "uncial", "train", 700),
)


@given(st.integers(1, 5000), st.floats(0.1, 60), st.integers(0, 5000), st.floats(0, 4000))
def test_a_round_ends_with_its_steps_or_with_its_time_whichever_comes_first(
    steps: int, minutes: float, step: int, seconds: float
) -> None:
    now = State(0, min(step, steps), seconds)
    by_steps, by_time = Recipe(steps, 2), Recipe(steps, 2, minutes=minutes)
    assert by_steps.progress(now) == now.step / steps
    assert (by_time.progress(now) == 1) == (now.step == steps or seconds >= 60 * minutes)


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 300))
def test_the_rate_rises_at_first_then_only_falls_and_a_little_is_left(one: float, other: float, since: int) -> None:
    recipe = Recipe(10_000, 2, 1e-3, last=0.01, warm=100, minutes=1.0)
    early, late = sorted((one, other))
    rates = [recipe.rate_at(State(0, 0, 60 * moment), 1000) for moment in (early, late)]
    assert rates[1] * (1 + 1e-9) >= 1e-5
    assert rates[1] <= rates[0] <= 1e-3
    assert recipe.rate_at(State(0, 0, 60 * early), since) == pytest.approx(rates[0] * min(1, (since + 1) / 100))


def test_half_way_through_the_time_the_rate_has_half_fallen() -> None:
    recipe = Recipe(10**6, 2, 1e-3, last=0.0, warm=1, minutes=2.0)
    assert math.isclose(recipe.rate_at(State(0, 5, 60.0), 5), 5e-4)


def test_weights_are_better_only_with_a_smaller_loss_and_no_more_sure_errors() -> None:
    before = {"check_loss": 0.8, "sure_errors": 0.003}
    assert is_better({"check_loss": 0.7, "sure_errors": 0.003}, before)
    assert not is_better({"check_loss": 0.7, "sure_errors": 0.0031}, before)
    assert not is_better({"check_loss": 0.8, "sure_errors": 0.0}, before)
    assert is_better({"check_loss": 0.7}, {"check_loss": 0.8})


def test_the_parts_hold_all_that_is_wanted_and_the_check_is_always_the_same() -> None:
    some, more = parts(450, 9000, 1), parts(1000, 0, 2)
    for wanted, scenes, singles in ((some, 450, 9000), (more, 1000, 0)):
        assert sum(part.number for part in wanted if part.name.startswith(SCENES)) == scenes
        assert sum(part.number for part in wanted if part.name.startswith(SINGLES)) == singles
        assert len({part.name for part in wanted}) == len({part.seed for part in wanted}) == len(wanted)
        assert max(part.number for part in wanted if part.name.startswith(SCENES)) == SCENES_AT_ONCE
    assert [part for part in some if part.check] == [part for part in more if part.check]
    assert all(part.check == part.name.startswith(CHECK) for part in some)
    assert not {part.seed for part in some if not part.check} & {part.seed for part in more}


def test_parts_drawn_on_several_cores_are_those_drawn_on_one(tmp_path: Path) -> None:
    # one with the hands of the training, which each process prepares for seconds; those of the check are few
    wanted = [Part("singles-000", 1, 5), Part("check-singles-000", 2, 7, check=True)]
    for cores in (1, 2):
        draw_all(tmp_path / str(cores), wanted, cores)
    for part in wanted:
        for suffix in ("jpgs", "jsonl"):
            name = f"{part.name}.{suffix}"
            assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    assert len(Scenes.load(tmp_path / "2", "singles")) == 1
    assert len(Scenes.load(tmp_path / "2", "check-singles")) == 2


def test_fonts_are_taken_from_unpacked_packages_under_the_names_of_the_list(tmp_path: Path) -> None:
    unpacked, folder = tmp_path / "unpacked", tmp_path / "fonts"
    folder.mkdir()
    for name in ("usr/share/fonts/truetype/plain/Plain.ttf", "package/files/uncial-latin-400-normal.woff2"):
        (unpacked / name).parent.mkdir(parents=True)
        (unpacked / name).write_bytes(name.encode())
    take(unpacked, list(SOURCES[:2]), folder)
    assert (folder / "Plain.ttf").read_bytes().endswith(b"Plain.ttf")
    assert (folder / "uncial.ttf").read_bytes().endswith(b".woff2")
    with pytest.raises(GatherError, match=r"Expected bold-latin-700-normal\.woff2"):
        take(unpacked, [SOURCES[2]], folder)


def test_a_font_that_is_a_program_is_traced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "uncl10.mf").write_bytes(b"a program")
    calls = []

    def call(command: list[str], place: Path) -> None:
        calls.append((command[0], command[-1]))
        (place / "uncl10.pfb").write_bytes(b"outlines")

    monkeypatch.setattr(gathering, "_call", call)
    folder = tmp_path / "fonts"
    folder.mkdir()
    take(tmp_path, [Source("uncl10", "texlive", "uncl10.pfb", "book-hand", "held-out", None)], folder)
    assert calls == [("mftrace", "uncl10")]
    assert (folder / "uncl10.pfb").read_bytes() == b"outlines"


def test_what_cannot_be_fetched_is_named_and_the_rest_is_gathered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched = []

    def debian(package: str, place: Path) -> None:
        fetched.append(package)
        (place / "Plain.ttf").write_bytes(b"plain")

    def npm(package: str, place: Path) -> None:
        raise GatherError(f"npm failed: {package} in {place.name[:0]}nowhere")

    monkeypatch.setattr(gathering, "listed", lambda *_: SOURCES[:2])
    monkeypatch.setattr(gathering, "_debian", debian)
    monkeypatch.setattr(gathering, "_npm", npm)
    there, failed = gather(tmp_path)
    assert fetched == ["fonts-plain"]
    assert there == 4  # one font, named by all four lists
    assert failed == ["@fontsource/uncial: npm failed: @fontsource/uncial in nowhere"]
    gather(tmp_path)
    assert fetched == ["fonts-plain"]  # what is there is not fetched again
    with tarfile.open(pack(tmp_path)) as packed:
        assert packed.getnames() == [f"{tmp_path.name}/Plain.ttf"]


def test_a_gathered_font_is_found_before_that_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = next(one for one in listed() if one.package == "fonts-dejavu-core")
    monkeypatch.setenv("ALEA_FONTS", str(tmp_path))
    assert source.font.path == Path("/usr/share/fonts") / source.file
    (tmp_path / Path(source.file).name).write_bytes(b"a font")
    assert source.font.path == tmp_path / Path(source.file).name
    assert all(font.path.parent == fonts.BUNDLED for font in find_fonts(bundled=True))
