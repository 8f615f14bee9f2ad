"""The templates of all sentences, extracted by Babel from modules and data files, and their index.

A template is a literal in a call of `Sentence` or `Phrase`, or one that `N_` marks; in data files it is the text under
certain keys. ``make templates`` writes the index again (`companion.language.index`).
"""

import json
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from babel.messages.extract import extract_from_dir

from companion.language import index

PACKAGES = ("companion", "calibration", "firmware_bridge")
CALLS = {"Sentence": None, "Phrase": None, "N_": None}
DATA_ROOMS = ("lessons", "referee", "rules", "vision")
REFUSALS = {"abort": (2,)}  # refuses a request with a constant text: its braces are no parts
DATA_KEYS = frozenset(
    {"story", "ruled", "meaning", "sentences", "title", "english", "idea", "task", "why", "otherwise"}
)  # texts for players in data files


def extracted() -> dict[str, list[str]]:
    """Return the templates in each file of the sources, files and templates in alphabetical order."""
    found: dict[str, set[str]] = defaultdict(set)
    for package in PACKAGES:
        spec = find_spec(package)
        assert spec is not None
        for root in spec.submodule_search_locations or ():
            for file, template in _in_package(Path(root)):
                found[f"{package}/{file}"].add(template)
    return {file: sorted(found[file]) for file in sorted(found)}


def _in_package(root: Path) -> Iterator[tuple[str, str]]:
    own = f"{data.__module__}:{data.__name__}"
    methods = [("**.py", "python"), *((f"{room}/**.toml", own) for room in DATA_ROOMS)]
    for file, _, template, *_ in extract_from_dir(root, methods, {}, CALLS):
        yield file, str(template)
    for file, _, text, *_ in extract_from_dir(root, [("web/**.py", "python")], {}, REFUSALS):
        yield file, str(text).replace("{", "{{").replace("}", "}}")


def data(
    fileobj: IO[bytes], _keywords: Collection[str], _comment_tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[tuple[int, None, str, list[str]]]:
    """Extract the texts for players from a TOML file; the signature is that of Babel's extraction methods."""
    del options
    yield from ((1, None, text, []) for text in _texts(tomllib.load(fileobj)))


def _texts(value: Any, *, counted: bool = False) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, counted=key in DATA_KEYS)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, counted=counted)
    elif counted and isinstance(value, str):
        yield value


def write() -> None:
    """Write the index of these sources."""
    file = Path(index.__file__).parent / "catalogues" / index.FILE
    file.write_text(json.dumps(extracted(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
