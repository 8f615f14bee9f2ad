"""Fonts for the tests: those that come with the program, whatever else is installed."""

import pytest

from workshop.scenes.fonts import Font, find_fonts


@pytest.fixture(scope="session")
def fonts() -> tuple[Font, ...]:
    return find_fonts(bundled=True)
