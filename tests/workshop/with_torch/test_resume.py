"""A training that was cut off goes on where it was; weights are written only if they are better."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner
from torch import Tensor, nn

from workshop.commands.train import command
from workshop.scenes.fonts import find_fonts
from workshop.training import loop
from workshop.training.draw import draw_scenes
from workshop.training.faces import train_faces
from workshop.training.loop import Batch, batches, beats, train
from workshop.training.nets import block, write_onnx
from workshop.training.schedule import Recipe, State
from workshop.training.singles import draw_singles
from workshop.training.state import StateError, load_state, save_state
from workshop.training.store import Scenes, write_scenes

# the exporter that writes what OpenCV reads is on its way out of PyTorch
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

RECIPE = Recipe(40, 16, 5e-3, warm=5, seed=3, save_every=0.0)


class Tiny(nn.Module):
    """Adds up what is in a picture."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(block(3, 4), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 1))

    def forward(self, shown: Tensor) -> Tensor:
        return torch.as_tensor(self.layers(shown))


def make(rng: np.random.Generator) -> Iterator[Batch]:
    while True:
        shown = torch.from_numpy(rng.normal(0, 1, (16, 3, 8, 8)).astype(np.float32))
        yield shown, shown.mean((1, 2, 3))[:, None] * 5


def loss(answers: Tensor, wanted: Batch) -> Tensor:
    return (answers - wanted[0]).abs().mean()


def check(net: nn.Module) -> dict[str, float]:
    shown, wanted = next(make(np.random.default_rng(99)))
    return {"check_loss": loss(net(shown), (wanted,)).item()}


def teach(net: nn.Module, recipe: Recipe, state: Path) -> dict[str, float]:
    return train("tiny", net, make, loss, recipe, state=state, begin=None, check=check)


class CutOffError(Exception):
    pass


def test_a_round_that_is_cut_off_goes_on_with_its_net_its_optimiser_and_its_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, seen = tmp_path / "tiny.pt", []

    def cut_off(rng: np.random.Generator) -> Iterator[Batch]:
        for number, one in enumerate(make(rng)):
            if number == 25:
                raise CutOffError
            yield one

    with pytest.raises(CutOffError):
        train("tiny", Tiny(), cut_off, loss, RECIPE, state=state, begin=None, check=check)
    torch.manual_seed(0)
    net = Tiny()
    optimiser = torch.optim.AdamW(net.parameters())
    kept = load_state(state, net, optimiser)
    assert (kept.round, kept.step) == (0, 25)
    assert kept.seconds > 0
    assert all(float(one["step"]) == 25 for one in optimiser.state_dict()["state"].values())
    assert any(float(one["exp_avg"].abs().sum()) > 0 for one in optimiser.state_dict()["state"].values())
    learnt = check(net.eval())["check_loss"]

    def rates(recipe: Recipe, now: State, since: int) -> float:
        seen.append((now.step, since))
        return real(recipe, now, since)

    real = Recipe.rate_at
    monkeypatch.setattr(Recipe, "rate_at", rates)
    report = teach(Tiny(), RECIPE, state)
    assert seen[0] == (25, 0)
    assert len(seen) == 15
    assert report["samples"] == 40 * 16
    assert report["check_loss"] < learnt
    assert load_state(state, Tiny(), torch.optim.AdamW(Tiny().parameters())) == State(1)


def test_after_a_finished_round_the_next_begins_with_its_net(tmp_path: Path) -> None:
    state = tmp_path / "tiny.pt"
    first = teach(Tiny(), RECIPE, state)["check_loss"]
    again = Tiny()
    second = teach(again, replace(RECIPE, steps=1, rate=1e-9), state)
    assert second["check_loss"] == pytest.approx(first, rel=0.2)
    assert load_state(state, again, torch.optim.AdamW(again.parameters())).round == 2


def test_a_round_that_goes_on_sees_batches_that_it_has_not_seen() -> None:
    first = next(batches(make, RECIPE, State()))[0]
    assert torch.equal(first, next(batches(make, RECIPE, State()))[0])
    for other in (State(0, 25), State(1)):
        assert not torch.equal(first, next(batches(make, RECIPE, other))[0])


@pytest.mark.filterwarnings("ignore:This DataLoader will create:UserWarning")  # on a machine of one core
def test_processes_that_make_batches_make_different_ones() -> None:
    source = batches(make, replace(RECIPE, workers=2), State())
    shown = [next(source)[0] for _ in range(6)]
    assert len({float(one.sum()) for one in shown}) == 6


def test_a_round_ends_with_its_time(tmp_path: Path) -> None:
    report = teach(Tiny(), replace(RECIPE, steps=10**9, minutes=0.5 / 60), tmp_path / "tiny.pt")
    assert 0 < report["samples"] < 16 * 10**6


def test_bfloat16_learns_as_well(tmp_path: Path) -> None:
    torch.manual_seed(1)
    untaught = check(Tiny().eval())["check_loss"]
    assert teach(Tiny(), replace(RECIPE, half=True), tmp_path / "tiny.pt")["check_loss"] < 0.8 * untaught


def test_the_state_of_another_net_is_refused_in_one_sentence(tmp_path: Path) -> None:
    state = tmp_path / "tiny.pt"
    other = nn.Linear(2, 2)
    save_state(state, other, torch.optim.AdamW(other.parameters()), State())
    with pytest.raises(StateError, match=r"Expected the state of this net's training in .*tiny\.pt"):
        teach(Tiny(), RECIPE, state)


def test_weights_stay_unless_those_that_were_taught_are_better(tmp_path: Path) -> None:
    target, shown = tmp_path / "tiny.onnx", next(make(np.random.default_rng(1)))[0]
    net = Tiny()
    assert beats({"check_loss": 9.0}, Tiny(), target, shown, check)
    write_onnx(net, target, shown, ("shown", "answers"), {0: "n"})
    there = loop.measured(net, check)["check_loss"]
    assert beats({"check_loss": there - 0.01}, Tiny(), target, shown, check)
    assert not beats({"check_loss": there + 0.01}, Tiny(), target, shown, check)
    assert not beats({"check_loss": there - 0.01, "sure_errors": 0.1}, Tiny(), target, shown, check)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn")
    fonts = find_fonts("train", bundled=True)
    for name in ("", "check-"):
        write_scenes(draw_scenes(fonts, 8, 5 + len(name)), folder, f"{name}scenes")
        write_scenes(draw_singles(fonts, 60, 6 + len(name)), folder, f"{name}singles")
    return folder


def test_the_mark_net_is_taught_further_and_a_worse_one_is_not_written(drawn: Path, tmp_path: Path) -> None:
    taught, watched = Scenes.load(drawn, "scenes", "singles"), Scenes.load(drawn, "check-scenes", "check-singles")
    target = tmp_path / "faces.onnx"

    def one_round(recipe: Recipe, name: str) -> dict[str, float]:
        return train_faces(lambda: taught, watched, recipe, target, state=tmp_path / name)

    assert one_round(Recipe(12, 8, 2e-3, warm=1), "a.pt")["kept"] == 1
    before = target.read_bytes()
    assert one_round(Recipe(1, 8, 1e-9), "untaught.pt")["kept"] == 0
    assert target.read_bytes() == before
    report = one_round(Recipe(30, 8, 2e-3, warm=1), "a.pt")
    assert set(report) >= {"bags_right", "pips_right", "few_right", "many_right", "sure_errors"}


def test_the_command_trains_to_a_time_and_leaves_a_card_alone_that_still_holds(drawn: Path, tmp_path: Path) -> None:
    given = ["--data", str(drawn), "--weights", str(tmp_path), "--minutes", "0.02", "--batch", "8", "--bfloat16"]
    done = CliRunner().invoke(command, [*given, "--step", "faces"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "faces.onnx").is_file()
    assert (drawn / "faces.pt").is_file()
    assert not (tmp_path / "card.toml").exists()


def test_a_device_that_is_not_there_is_told(tmp_path: Path) -> None:
    if torch.cuda.is_available():
        return
    done = CliRunner().invoke(command, ["--data", str(tmp_path), "--device", "cuda"])
    assert done.exit_code == 1
    assert "Expected a CUDA device" in done.output
