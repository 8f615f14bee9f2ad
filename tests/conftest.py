"""Rules for every test: where nothing may be skipped, a skip is a failure; what lies beside the project is optional."""

import fcntl
import gc
import os
import zlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

from companion.live.snapshot import SnapshotStore
from tests.kept_addresses import keep_builders
from tests.kept_templates import KeptTemplates
from tests.memory import write_to_memory
from tests.shapes import shape_fault

# A busy machine is no fault of the tested code: no test judges time, which is the task of the benchmarks. All machines
# judge a change by the same examples. `make explore` searches further and keeps what it finds in a folder that stays,
# where the next run starts.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
FOUND = Path(__file__).resolve().parents[1] / ".explored"
settings.register_profile("fixed", PATIENT, derandomize=True, database=None)
settings.register_profile(
    "explore", PATIENT, derandomize=False, print_blob=True, database=DirectoryBasedExampleDatabase(FOUND)
)
settings.load_profile("fixed")

write_to_memory()  # before pytest looks for a place

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Let one worker collect before the others, so that each file of a new clone is compiled once.

    Python, pytest and Hypothesis keep what they make of a file, most of the work. Nothing searches for garbage:
    hardly anything is garbage. What was collected stays to the end, so no later search needs to see it.
    """
    gc.disable()
    with Path(__file__).open("rb") as turn:
        if hasattr(session.config, "workerinput"):
            try:
                fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                fcntl.flock(turn, fcntl.LOCK_SH)  # the first one is ready; these collect at the same time
        collected = yield
    gc.freeze()
    gc.enable()
    return collected


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give several workers files of all rooms at any time: those of one room compute together, or wait together."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: zlib.crc32(item.nodeid.partition("::")[0].encode()))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that skips for want of a tool when ALEA_NOTHING_SKIPPED is set (as .ci/run does)."""
    report = yield
    if report.skipped and os.environ.get("ALEA_NOTHING_SKIPPED") and "shared" not in item.keywords:
        report.outcome = "failed"
        report.longrepr = f"Skipped where nothing may be skipped: {call.excinfo and call.excinfo.value}"
    return report


@pytest.fixture(scope="session", autouse=True)
def _nothing_of_the_owners(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the files of this machine's owner out of the tests, and the tests' files out of the owner's folders."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for kind in ("DATA", "CONFIG", "CACHE", "STATE"):
            patch.setenv(f"XDG_{kind}_HOME", str(home / kind.lower()))
        yield


@pytest.fixture(scope="session", autouse=True)
def _apps_are_compiled_once() -> Iterator[None]:
    """Keep compiled page templates and addresses for every app of the session."""
    with pytest.MonkeyPatch.context() as patch:
        keep_builders(patch.setattr)
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": KeptTemplates()})
        yield


@pytest.fixture(scope="session")
def _faults_of_states() -> Iterator[list[str]]:
    """Compare every state published for a page with its declared shape, and yield the list of differences."""
    faults: list[str] = []
    publish = SnapshotStore.publish

    def compared(store: SnapshotStore, data: dict[str, Any]) -> None:
        faults.extend(shape_fault({"version": 0, **data}))
        publish(store, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SnapshotStore, "publish", compared)
        yield faults


@pytest.fixture(autouse=True)
def _every_state_has_its_shape(_faults_of_states: list[str]) -> Iterator[None]:
    """Fail a test in which a page would have received a state that does not have its shape."""
    yield
    found = sorted(set(_faults_of_states))
    _faults_of_states.clear()
    assert not found


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of facts and pictures beside the project, or skip where there is none."""
    if not SHARED.is_dir():
        pytest.skip("There is no folder of shared pictures beside the project.")
    return SHARED
