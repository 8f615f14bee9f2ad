"""What we ship and test with: pinned and hashed to the last package, under licences that let a museum use it."""

import hashlib
import re
import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ("requirements.lock", "requirements-hall.lock", "requirements-test.lock")
BUILDERS = {"pip", "setuptools", "wheel"}  # what builds and installs the rest, and is no dependency of it
# Licences that would bind whoever uses or changes the program. Weak copyleft of a library that is used as it is, such
# as the MPL's, is none of them. What only tests with us does not go out with the program.
BINDING = re.compile(
    r"\b(A|L)?GPL|GNU (Affero |Lesser |)General Public|SSPL|Business Source|Non-?Commercial", re.IGNORECASE
)


def locked(name: str) -> dict[str, tuple[Version, list[str]]]:
    """Return version and hashes of each package of a lock."""
    found: dict[str, tuple[Version, list[str]]] = {}
    for entry in re.split(r"\n(?=\S)", (ROOT / name).read_text(encoding="utf-8").strip()):
        head, _, rest = entry.partition("\\")
        package, _, version = head.strip().partition("==")
        found[canonicalize_name(package.partition("[")[0])] = (Version(version), re.findall(r"--hash=(\S+)", rest))
    return found


SHIPPED = sorted(set(locked("requirements.lock")) - BUILDERS)


@pytest.mark.parametrize("lock", LOCKS)
def test_every_entry_is_pinned_to_a_release_with_whole_hashes(lock: str) -> None:
    for package, (version, hashes) in locked(lock).items():
        assert not version.is_prerelease, package
        assert version.local is None, package
        assert hashes, package
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", one) for one in hashes), package
        assert len(set(hashes)) == len(hashes), package


def test_the_locks_name_the_same_versions_and_a_halls_has_all_of_a_tables() -> None:
    table, hall, tested = ({name: one for name, (one, _) in locked(lock).items()} for lock in LOCKS)
    for one, other in ((table, tested), (hall, tested), (table, hall)):
        assert {name: other[name] for name in one if name in other} == {
            name: one[name] for name in one if name in other
        }
    assert set(table) <= set(hall)


@pytest.mark.parametrize("package", SHIPPED)
def test_what_is_installed_is_what_is_locked(package: str) -> None:
    assert Version(distribution(package).version) == locked("requirements.lock")[package][0]


@pytest.mark.parametrize("package", SHIPPED)
def test_nothing_that_is_needed_is_missing_from_the_lock(package: str) -> None:
    there = locked("requirements.lock")
    for wish in map(Requirement, distribution(package).requires or ()):
        if wish.marker is None or wish.marker.evaluate({"extra": ""}):
            name = canonicalize_name(wish.name)
            assert name in there, f"{package} needs {wish}"
            assert wish.specifier.contains(there[name][0]), f"{package} needs {wish}"


def licences(found: Distribution) -> list[str]:
    """Return what a package says of its licence: the expression, the classifiers, else the first line of its text."""

    def metadata_of(name: str) -> list[str]:
        return [str(one).strip() for one in found.metadata.get_all(name) or ()]

    named = metadata_of("License-Expression") + [
        one for one in metadata_of("Classifier") if one.startswith("License ::")
    ]
    return [one for one in named or [text.split("\n")[0] for text in metadata_of("License")] if one]


@pytest.mark.parametrize("package", SHIPPED)
def test_no_licence_of_what_we_ship_binds_who_uses_it(package: str) -> None:
    named = licences(distribution(package))
    assert named, f"{package} names no licence"
    for one in named:  # of several to choose from, one that does not bind is enough
        assert any(not BINDING.search(choice) for choice in re.split(r"\bOR\b", one)), f"{package}: {one}"


def test_every_direct_dependency_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for wishes, lock in (
        (project["dependencies"], locked("requirements.lock")),
        (project["optional-dependencies"]["hall"], locked("requirements-hall.lock")),
        (project["optional-dependencies"]["test"], locked("requirements-test.lock")),
    ):
        for wish in map(Requirement, wishes):
            version, _ = lock[canonicalize_name(wish.name)]
            assert wish.specifier.contains(version), wish


def test_an_opencv_of_another_minor_release_is_not_taken_untried() -> None:
    """Its inference changes from one to the next, and with it what the reader answers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (wish,) = (one for one in map(Requirement, project["dependencies"]) if one.name == "opencv-python-headless")
    tried = locked("requirements.lock")[wish.name][0]
    assert not wish.specifier.contains(f"{tried.major}.{tried.minor + 1}.0.0")
    assert not wish.specifier.contains(f"{tried.major + 1}.0.0.0")
    assert wish.specifier.contains(f"{tried.major}.{tried.minor}.99.99"), "mended faults are taken"


def test_an_audit_that_is_on_record_is_of_these_very_locks() -> None:
    """A change of dependencies is audited anew: the record names the locks that it looked at, by their hashes."""
    record = ROOT / ".ci" / "audited.toml"
    if not record.exists():
        return  # never audited: .ci/run says so each time
    found = tomllib.loads(record.read_text(encoding="utf-8"))
    for lock in LOCKS:
        assert found["locks"][lock] == hashlib.sha256((ROOT / lock).read_bytes()).hexdigest(), "run make audit"
    assert found["vulnerabilities"] == []
