"""Every test here is marked ``emulated``; firmware and emulation are built once for all of them."""

import os
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.firmware_bridge.emulated.board import EmulatedBoard
from tests.firmware_bridge.emulated.workshop import Workshop

HERE = str(Path(__file__).parent) + os.sep
Boards = Callable[..., EmulatedBoard]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:  # all that is collected, thousands: compared as text, as paths take a second for each worker
        if str(item.path).startswith(HERE):
            item.add_marker(pytest.mark.emulated)


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """Return where firmware and emulation are built, or skip where the tools are missing."""
    missing = Workshop.missing()
    if missing is not None:
        pytest.skip(missing)
    return Workshop(tmp_path_factory.mktemp("emulated"))


@pytest.fixture
def boards(workshop: Workshop) -> Generator[Boards, None, None]:
    """Return what switches a board on, with the firmware's flags by name; all are switched off at the test's end."""
    with ExitStack() as on:

        def switch_on(**flags: Any) -> EmulatedBoard:
            board = on.enter_context(EmulatedBoard(workshop.emulator(), workshop.firmware(**flags)))
            board.boot()
            return board

        yield switch_on
