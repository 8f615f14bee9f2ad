"""The Flask application of one running table."""

from collections.abc import Sequence
from pathlib import Path
from typing import Required, TypedDict, Unpack

from flask import Flask

from companion.live.table import LiveTable
from companion.settings.file import SettingsFile
from companion.web import (
    api,
    assets,
    errors,
    games,
    guide,
    json_bodies,
    languages,
    names,
    offline,
    pages,
    security,
    streams,
    theme_choice,
)
from companion.web.access import auth
from companion.web.app_state import ADDRESS, SETTINGS, TABLE
from companion.web.camera import calibrating, choosing, phone, preview
from companion.web.classroom import joining, visiting
from companion.web.interface import description, export_schema
from companion.web.learning import harmonies, lessons, photographed, positions, problems, riddle
from companion.web.matches import printed, replay, result, statistics, transfer
from companion.web.matches.thinking import THINKING, Thinking
from companion.web.owner import actions, audits, hall_place, invited, other_table, teaching
from companion.web.owner import pages as owner_pages
from companion.web.owner.changing import APPLY, Apply
from companion.web.recent_log import LOG, RecentLog
from companion.web.routes import LateRule
from companion.web.streams import FollowedState


class PageOwner(TypedDict, total=False):
    """Whose pages these are, and who may ask for them.

    ``trusted_hosts`` are the host names that requests may use; this refuses a page that re-resolves its own name to
    this machine. The owner's actions need the PIN ``owner_pin``, or the one whose hash is ``kept_pin``. Pass neither
    if only this machine reaches the page. ``pin_file``: where to keep a PIN that is chosen on the page. ``settings``:
    the owner's choices; by default kept until the program ends. ``log``: the last lines of the log for the owner's
    pages.
    """

    trusted_hosts: Required[Sequence[str]]
    owner_pin: str | None
    kept_pin: str | None
    pin_file: Path | None
    settings: SettingsFile | None
    log: RecentLog | None


def create_app(table: LiveTable, *, apply: Apply = lambda *_: None, **owner: Unpack[PageOwner]) -> Flask:
    """Make the page of a running table; ``apply`` lets changed settings take effect at it."""
    app = bare_app(table, owner)
    TABLE.put(app, table)
    APPLY.put(app, apply)
    THINKING.put(app, Thinking())
    rooms = (pages, api, games, printed, replay, result, statistics, transfer, export_schema, actions, owner_pages)
    learning = (riddle, lessons, problems, positions, photographed, harmonies, guide)
    for room in (*rooms, *learning, teaching, audits, description, preview, choosing, joining, hall_place, other_table):
        app.register_blueprint(room.blueprint)
    calibrating.prepare(app)
    phone.prepare(app)
    preview.PREVIEW.put(app, preview.CameraPreview())
    hall_place.PLACE.put(app, None)
    ADDRESS.put(app, "")
    other_table.LINE.put(app, None)
    invited.prepare(app)
    visiting.prepare(app)
    return app


def move_to(app: Flask, table: LiveTable) -> None:
    """Show another table on the pages of a running app from now on, in place of a sample table."""
    TABLE.put(app, table)
    streams.WATCHED.put(app, table)
    streams.STREAMS.get(app).follow(table)


def bare_app(watched: FollowedState, owner: PageOwner) -> Flask:
    """Make the base of every page of this program: its owner, security, errors, languages, settings and live streams.

    ``watched`` is what its pages show.
    """
    app = Flask("companion.web")
    app.url_rule_class = LateRule
    app.config.update(TRUSTED_HOSTS=list(owner["trusted_hosts"]), MAX_CONTENT_LENGTH=security.LARGEST_BODY)
    app.json = json_bodies.JsonAnswers(app)
    streams.WATCHED.put(app, watched)
    streams.STREAMS.put(app, streams.Streams(watched))
    assets.prepare(app)
    names.CURATED.put(app, lambda _: {})
    security.protect(app)
    errors.explain(app)
    SETTINGS.put(app, owner.get("settings") or SettingsFile())
    LOG.put(app, owner.get("log"))
    for room in (languages, theme_choice, offline, streams):
        app.register_blueprint(room.blueprint)
    auth.guard(app, owner.get("owner_pin"), kept=owner.get("kept_pin"), pin_file=owner.get("pin_file"))
    return app
