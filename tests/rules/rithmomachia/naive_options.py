"""The options that the second implementation knows, with their defaults typed in from the page for players."""

from typing import Any

D, M, I = "rithmomachia/durnil-guardia", "rithmomachia/mebben", "rithmomachia/italian"  # noqa: E741 - as on the page
SLUGS = (D, M, I)

Settings = dict[str, Any]

SHARED: Settings = {
    "array": "edge",
    "captures": "all",
    "claims": "claimed",
    "several": "as-it-stood",
    "least_factor": 2,
    "surrounding": "enemies",
    "returns": "own-half",
    "stuck": "counts",
}

OWN: dict[str, Settings] = {
    D: {
        "first": "white",
        "ranks": 16,
        "distances": "between",
        "operations": "all-four",
        "ambushers": "two",
        "capturing": "mover",
        "before": "no",
        "innocent_delivery": True,
        "returned_points": "given-up",
        "minor": "de-bonis",
        "major": "none",
        "points": 100,
        "men_to_take": 8,
        "most_men": 2,
        "most_digits": 4,
        "superior": "two-kinds",
        "right_angle": "lines",
        "great": "three-term",
        "spacing": "any",
    },
    M: {
        "first": "black",
        "ranks": 16,
        "distances": "inclusive",
        "operations": "sum-difference",
        "ambushers": "many",
        "capturing": "any",
        "before": "no",
        "relief": True,
        "returned_points": "given-up",
        "minor": "none",
        "points": 100,
        "men_to_take": 8,
        "digits_to_take": 16,
        "great": "four-term",
        "spacing": "equal",
        "order": "ascending",
        "goal": "small",
    },
    I: {
        "first": "black",
        "ranks": 14,
        "distances": "steps",
        "operations": "all-four",
        "ambushers": "two",
        "capturing": "any",
        "before": "instead",
        "great": "four-term",
        "ends": "excellent",
        "king_taken_at": "king",
        "assault_at": "any",
        "side": 3,
        "proportion_triumph": True,
    },
}
"""What differs; where an option is fixed in a game (Durnil & Guardia's ambush by two, say) it stands here as well."""


def settings(slug: str, chosen: Settings) -> Settings:
    return SHARED | OWN[slug] | chosen
