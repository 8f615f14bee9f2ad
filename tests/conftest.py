"""Rules for every test: where nothing may be skipped, a skip is a failure; what lies beside the project is optional."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no fault of what is tested: how long things take is measured by the benchmarks. What is to land is
# judged by the same examples each time, lest one change pay for what another one left; whoever runs the tests at home
# looks further each time.
settings.register_profile("companion", deadline=None)
settings.register_profile("gate", deadline=None, derandomize=True)
settings.load_profile("gate" if os.environ.get("ALEA_NOTHING_SKIPPED") else "companion")

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail what would be skipped for want of a tool when ALEA_NOTHING_SKIPPED is set (as .ci/run does)."""
    report = yield
    if report.skipped and os.environ.get("ALEA_NOTHING_SKIPPED") and "shared" not in item.keywords:
        report.outcome = "failed"
        report.longrepr = f"Skipped where nothing may be skipped: {call.excinfo and call.excinfo.value}"
    return report


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of facts and pictures beside the project, or skip where there is none."""
    if not SHARED.is_dir():
        pytest.skip("There is no folder of shared pictures beside the project.")
    return SHARED
