"""The order of tables by their names, as people count them."""

import re


def by_number(name: str) -> list[tuple[int, str]]:
    """Return a key that puts table-2 before table-10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]
