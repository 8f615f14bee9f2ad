"""A slow computer inside this one: one core at a share of its speed, and little memory, by the kernel's control groups.

Both kinds of control groups are known: one tree of them (version 2), or one tree for each thing that is limited.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

GROUPS: Final = Path("/sys/fs/cgroup")
PERIOD: Final = 50_000
"""Microseconds in which the share is given out: short, so that the computer is slow and does not stand still.

The kernel gives no less than 1,000 of them."""


class NoLimitsError(RuntimeError):
    """This computer lets nobody limit a program; the message says what is lacking."""


@dataclass(frozen=True)
class Limited:
    """A slow computer. ``groups``: the control groups that its programs join."""

    groups: tuple[Path, ...]

    def command(self, *command: str) -> list[str]:
        """Return how to run a command on it: the process that is started joins the groups and becomes the command."""
        joins = "".join(f"echo $$ > {group}/cgroup.procs; " for group in self.groups)
        return ["sh", "-c", f'{joins}exec "$@"', "sh", *command]

    def give(self, share: float) -> None:
        """Give its programs another share of the core from now on."""
        for group in self.groups:
            for name, value in _speed(share).items():
                if (group / name).exists():
                    (group / name).write_text(value)

    def most_memory(self) -> float:
        """Return the most memory that its programs had together, in MB; with what the system keeps of their files."""
        return max(_number(group, "memory.peak", "memory.max_usage_in_bytes") for group in self.groups) / 2**20

    def seconds(self) -> float:
        """Return the processor time that its programs have used."""
        for group in self.groups:
            with suppress(OSError):
                return int((group / "cpuacct.usage").read_text()) / 1e9
            with suppress(OSError, StopIteration):
                lines = (group / "cpu.stat").read_text().splitlines()
                return int(next(line for line in lines if line.startswith("usage_usec")).split()[1]) / 1e6
        return 0.0


@contextmanager
def limited(share: float, memory_mb: int) -> Iterator[Limited]:
    """Make a slow computer for the time of the block: one core at ``share`` of its speed, ``memory_mb`` of memory.

    Raises:
        NoLimitsError: the control groups are not there, or not ours to use.
    """
    groups: list[Path] = []
    try:
        try:
            for tree, settings in _wanted(share, memory_mb).items():
                groups.append(GROUPS / tree / f"alea-slow-{os.getpid()}")
                groups[-1].mkdir()
                for name, value in settings.items():
                    (groups[-1] / name).write_text(value)
        except OSError as why:
            raise NoLimitsError(
                f"Expected to limit a program by the control groups in {GROUPS}, but: {why}. Run this as root on "
                "Linux, where the controllers cpu, memory and cpuset are switched on."
            ) from why
        yield Limited(tuple(groups))
    finally:
        for group in groups:
            with suppress(OSError):
                group.rmdir()


def _wanted(share: float, memory_mb: int) -> dict[str, dict[str, str]]:
    """Return what is set in which tree of control groups."""
    core = str(min(os.sched_getaffinity(0)))
    if _one_tree():
        return {"": {**_speed(share), "memory.max": f"{memory_mb}M", "cpuset.cpus": core}}
    return {
        "cpu": _speed(share),
        "cpuacct": {},
        "memory": {"memory.limit_in_bytes": f"{memory_mb}M"},
        "cpuset": {"cpuset.mems": "0", "cpuset.cpus": core},
    }


def _one_tree() -> bool:
    return (GROUPS / "cgroup.controllers").exists()


def _speed(share: float) -> dict[str, str]:
    """Return what gives a share of the core: no more, and because of its weight no less on a busy machine."""
    quota = round(share * PERIOD)
    if _one_tree():
        return {"cpu.max": f"{quota} {PERIOD}", "cpu.weight": "10000"}
    return {"cpu.cfs_period_us": str(PERIOD), "cpu.cfs_quota_us": str(quota), "cpu.shares": "262144"}


def _number(group: Path, *names: str) -> int:
    for name in names:
        with suppress(OSError):
            return int((group / name).read_text())
    return 0
