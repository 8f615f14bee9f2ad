"""The data files that lie beside modules: tables in TOML, each read once."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def data_of(package: str, name: str) -> Mapping[str, Any]:
    """Return what a TOML file of a package holds, for everybody who asks; nobody changes it."""
    return tomllib.loads((files(package) / name).read_text(encoding="utf-8"))
