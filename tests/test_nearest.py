"""``make fast`` runs the tests nearest to what has changed."""

from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
IMPORTERS = {
    "companion.rules.tables.course": {"companion.rules.tables.position", "tests.rules.tables.test_golden"},
    "companion.rules.tables.position": {"tests.test_readme", "tests.rules.tables.test_page", "tests.browser.test_page"},
    "companion.web.app": {"tests.web.test_api"},
}


@pytest.fixture
def nearest(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    loader = SourceFileLoader("nearest", str(ROOT / ".ci" / "nearest"))
    module = ModuleType("nearest")
    module.__file__ = loader.path
    loader.exec_module(module)
    monkeypatch.setattr(module, "importers", lambda: IMPORTERS)
    return module


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        (
            "companion/rules/tables/course.py",
            ["tests/rules/tables/test_golden.py", "tests/rules/tables/test_page.py", "tests/test_readme.py"],
        ),
        ("tests/rules/tables/test_page.py", ["tests/rules/tables/test_page.py"]),
        ("companion/web/static/css/page/base.css", ["tests/web/test_api.py"]),
        ("companion/web/templates/nothing/new.html", ["tests/web/test_api.py"]),
        ("README.md", []),
    ],
)
def test_who_imports_what_changed_is_near_and_the_nearest_comes_first(
    nearest: ModuleType, changed: str, found: list[str]
) -> None:
    assert nearest.near([Path(changed)]) == found


def test_of_many_only_the_nearest_are_run(nearest: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "MOST_FILES", 1)
    assert nearest.near([Path("companion/rules/tables/course.py")]) == ["tests/rules/tables/test_golden.py"]
