"""The bridge before simulated and emulated boards, which a busy machine runs late."""

from collections.abc import Iterator

import pytest

from firmware_bridge import identify


@pytest.fixture(autouse=True)
def _patient_with_late_boards() -> Iterator[None]:
    """Give a board two seconds for an answer: no real one is run late by what else the machine does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(identify, "_ANSWER_WAIT", 2.0)
        yield
