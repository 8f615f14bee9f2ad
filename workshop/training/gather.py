"""Collect the training's fonts in one folder: ``python -m workshop.training.gather FOLDER``.

For a machine without network or root: copy the folder there and name it in ALEA_FONTS. Nothing is installed. Debian
packages come from ``apt-get download``, npm packages from ``npm pack``. Fonts that are programs for Metafont are traced
(Debian's mftrace and texlive-base must be installed).
"""

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from workshop.hands import BOOK_HANDS, CHOOSING, HANDS
from workshop.scenes.fonts import Source, listed

WEIGHT = 400
"""Default weight of a family in an @fontsource package."""


class GatherError(RuntimeError):
    """A package could not be downloaded or does not hold its font."""


def gather(folder: Path, *, teaching: bool = False) -> tuple[int, list[str]]:
    """Download every font missing from the folder; return how many are there now, and what was not available.

    ``teaching``: only the training fonts, which are all that the nets' rounds need.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sources = _wanted(teaching=teaching)
    missing = [one for one in sources if not (folder / Path(one.file).name).is_file()]
    failed = []
    for package in sorted({one.package for one in missing}):
        wanted = [one for one in missing if one.package == package]
        try:
            with tempfile.TemporaryDirectory() as place:
                (_npm if package.startswith("@") else _debian)(package, Path(place))
                take(Path(place), wanted, folder)
        except (GatherError, OSError) as error:
            failed.append(f"{package}: {error}")
    return sum((folder / Path(one.file).name).is_file() for one in sources), failed


def pack(folder: Path, *, teaching: bool = False) -> Path:
    """Write the collected fonts into one file beside their folder and return its path."""
    packed = folder.with_name(f"{folder.name}.txz")
    with tarfile.open(packed, "w:xz") as archive:
        for name in sorted({Path(one.file).name for one in _wanted(teaching=teaching)}):
            if (folder / name).is_file():
                archive.add(folder / name, f"{folder.name}/{name}")
    return packed


def _wanted(*, teaching: bool) -> list[Source]:
    measuring = () if teaching else listed(CHOOSING)
    every = (*listed(), *listed(HANDS), *listed(BOOK_HANDS), *measuring)
    return [one for one in every if one.role == "train" or not teaching]


def take(unpacked: Path, wanted: list[Source], folder: Path) -> None:
    """Copy fonts from an unpacked package into the folder, each under the name in the list.

    WOFF2 stays WOFF2 under a TrueType name: FreeType recognises them by their content.

    Raises:
        GatherError: the package does not hold one of them.
    """
    for one in wanted:
        name = Path(one.file).name
        if one.package.startswith("@"):
            name = f"{one.package.split('/')[1]}-latin-{one.weight or WEIGHT}-normal.woff2"
        found = sorted(unpacked.rglob(name))
        programs = [] if found else sorted(unpacked.rglob(f"{Path(name).stem}.mf"))
        if programs:
            found = [_traced(programs[0])]
        if not found:
            raise GatherError(f"Expected {name} in the package, but it is not there.")
        shutil.copyfile(found[0], folder / Path(one.file).name)


def _traced(program: Path) -> Path:
    """Return the outlines of a Metafont program, written beside it."""
    _call(["mftrace", "--formats=pfb", "--encoding=tex256.enc", "--grid=10", program.stem], program.parent)
    return program.with_suffix(".pfb")


def _debian(package: str, place: Path) -> None:
    _call(["apt-get", "download", "-qq", package], place)
    for deb in place.glob("*.deb"):
        _call(["dpkg-deb", "-x", deb.name, "."], place)


def _npm(package: str, place: Path) -> None:
    _call(["npm", "pack", "--silent", package], place)
    for packed in place.glob("*.tgz"):
        with tarfile.open(packed) as archive:
            archive.extractall(place, filter="data")


def _call(command: list[str], place: Path) -> None:
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)  # noqa: S603 (names from our lists)
    if done.returncode:
        raise GatherError(f"{command[0]} failed: {done.stderr.strip()[-200:]}")


def main() -> int:
    """Collect the fonts and report the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--teaching", action="store_true", help="without the fonts that only measure")
    parser.add_argument("--pack", action="store_true", help="also into one file FOLDER.txz, half as large")
    given = parser.parse_args()
    there, failed = gather(given.folder, teaching=given.teaching)
    if given.pack:
        pack(given.folder, teaching=given.teaching)
    sys.stdout.write(f"{there} fonts are there.\n" + "".join(f"Not had: {one}\n" for one in failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
