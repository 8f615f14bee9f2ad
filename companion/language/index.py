"""Which files say which templates: the index that `workshop.templates` builds from the sources."""

import json
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

FILE = "templates.json"


@cache
def templates_by_file() -> Mapping[str, tuple[str, ...]]:
    """Return the templates of sentences in each module and data file; the names are paths from the root of the sources.

    A game's story, its options and its turns are in data files, all other sentences in modules.
    """
    index = json.loads((files(__package__) / "catalogues" / FILE).read_text(encoding="utf-8"))
    return {file: tuple(templates) for file, templates in index.items()}


@cache
def files_by_template() -> Mapping[str, tuple[str, ...]]:
    """Return the files that say each template, both in alphabetical order."""
    found: dict[str, list[str]] = defaultdict(list)
    for file, templates in templates_by_file().items():
        for template in templates:
            found[template].append(file)
    return {template: tuple(found[template]) for template in sorted(found)}
