"""The saved state of a training: a net with its optimiser, and the progress of the round."""

from dataclasses import asdict
from pathlib import Path
from pickle import UnpicklingError

import torch
from torch import nn

from workshop.training.schedule import State

MOMENTS = ("exp_avg", "exp_avg_sq")
"""AdamW's moments of each weight, stored with eight bits of precision, which is enough."""


class StateError(RuntimeError):
    """A file holds no state of this training."""


def save_state(path: Path, net: nn.Module, optimiser: torch.optim.Optimizer, state: State) -> None:
    """Write a state as one file; the earlier file stays until the new one is complete."""
    kept = optimiser.state_dict()
    kept["state"] = {
        number: {key: value.to(torch.bfloat16) if key in MOMENTS else value for key, value in moments.items()}
        for number, moments in kept["state"].items()
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.new")
    torch.save({"net": net.state_dict(), "optimiser": kept, "state": asdict(state)}, beside)
    beside.replace(path)


def load_state(path: Path, net: nn.Module, optimiser: torch.optim.Optimizer) -> State:
    """Load what `save_state` wrote into net and optimiser, and return the progress.

    Raises:
        StateError: the file is of another net or another program.
    """
    try:
        kept = torch.load(path, map_location="cpu", weights_only=True)
        net.load_state_dict(kept["net"])
        optimiser.load_state_dict(kept["optimiser"])
        return State(**kept["state"])
    except (KeyError, TypeError, ValueError, RuntimeError, UnpicklingError) as error:
        raise StateError(
            f"Expected the state of this net's training in {path}, but it is of another; remove it to start again."
        ) from error
