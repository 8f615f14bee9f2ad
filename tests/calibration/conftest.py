"""Fonts for the tests: those of six small Debian packages, whatever else is installed."""

import pytest

from calibration.samples.frames import SAMPLE_PACKAGES
from calibration.scenes.fonts import Font, find_fonts


@pytest.fixture(scope="session")
def fonts() -> tuple[Font, ...]:
    return find_fonts(packages=SAMPLE_PACKAGES)
