"""The theme of the page that a visitor chose in this browser: its theme, and the size of its type."""

from dataclasses import dataclass

from flask import Blueprint, request

COOKIE = "alea_look"  # the page's own script sets it, as THEME.TYPE
THEMES = frozenset({"light", "dark", "contrast"})
TYPES = frozenset({"large"})

blueprint = Blueprint("looks", __name__)


@dataclass(frozen=True)
class ThemeChoice:
    """A theme and a size of type; an empty text leaves it to the system."""

    theme: str
    type: str


def look() -> ThemeChoice:
    """Return the theme of this request; what the cookie names and nobody knows is left to the system."""
    theme, _, size = request.cookies.get(COOKIE, "").partition(".")
    return ThemeChoice(theme if theme in THEMES else "", size if size in TYPES else "")


@blueprint.app_context_processor
def _chosen() -> dict[str, ThemeChoice]:
    return {"look": look()}
