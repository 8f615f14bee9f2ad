"""The owner's actions over HTTP: settings, kept pictures, lights, advice, health, diagnostics."""

import threading
from collections.abc import Mapping
from typing import Annotated, Any, Final

from flask import Blueprint, Response, abort, jsonify, request
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.desk.command import CommandDataError, Refusal, read_record
from companion.language.sentence import Sentence, SentenceText, why_of
from companion.live.keeping import LONGEST, Keeping, KeepingError, Which
from companion.live.led_board import DIMMEST
from companion.rules.dice import UnknownDiceSetError, dice_set
from companion.vision.readings import readable
from companion.web import languages
from companion.web.api import table
from companion.web.json_bodies import body_as, json_object, takes
from companion.web.owner import diagnostics
from companion.web.owner.auth import owner_only
from companion.web.owner.health import health
from companion.web.owner.settings import (
    NO_AUDITS,
    NO_CHOICE,
    NO_LANGUAGES,
    NO_SHARE,
    SettingsError,
    language_list,
    settings_file,
)

FRAME_WAIT: Final = 2.0
"""Seconds in which the camera must deliver a frame for advice."""

blueprint = Blueprint("owner_actions", __name__, url_prefix="/api/owner")
_advising = threading.Lock()  # the nets use every core for a second: one run at a time is enough


@blueprint.get("/health")
@owner_only
def health_state() -> Response:
    """Return the state of the program: threads, cameras, disk, memory, the last errors."""
    return jsonify(health(table()))


@blueprint.get("/diagnostics.zip")
@owner_only
def diagnostics_bundle() -> Response:
    """Return the diagnostic bundle as a ZIP; ``?pictures=yes`` adds what the cameras see."""
    pictures = request.args.get("pictures") == "yes"
    response = Response(diagnostics.bundle(table(), settings_file().now, pictures=pictures), mimetype="application/zip")
    response.headers["Content-Disposition"] = 'attachment; filename="alea-diagnostics.zip"'
    return response


class KeptPictures(Struct, frozen=True):
    """Which pictures are kept on the disk, and for how long."""

    keep: Annotated[Which, Meta(description="Of which throws and boards.")] = "never"
    days: Annotated[int, Meta(ge=1, le=LONGEST, description="For how many days.")] = Keeping.days


def _not_kept(asked: Any, _: Mapping[str, Any]) -> Sentence:
    if isinstance(asked, Mapping):
        try:
            Keeping(asked.get("keep", "never"), asked.get("days", Keeping.days))
        except KeepingError as why:
            return why.sentence
    return Sentence("Expected which pictures are kept, and for how many days.")


class ChosenSettings(Struct, frozen=True):
    """Some of the settings; what is left out stays as it is."""

    languages: Annotated[
        list[str] | UnsetType,
        Meta(description="The languages that the page offers, the first of them first."),
        Refusal(NO_LANGUAGES),
    ] = UNSET
    pictures: Annotated[KeptPictures | UnsetType, Refusal(_not_kept)] = UNSET
    lights: Annotated[
        Annotated[float, Meta(ge=DIMMEST, le=1)] | UnsetType,
        Meta(description="The share of their brightness at which the lights of a board are shown."),
        Refusal(NO_SHARE),
    ] = UNSET
    learning: Annotated[
        bool | UnsetType,
        Meta(description="Whether the table learns the faces of its dice while people play."),
        Refusal(NO_CHOICE),
    ] = UNSET

    audits: Annotated[
        bool | UnsetType,
        Meta(description="Whether dice that were read without a question are drawn, for the owner to look at."),
        Refusal(NO_AUDITS),
    ] = UNSET

    def changes(self) -> dict[str, Any]:
        """Return the changes, by the names in `Settings`.

        Raises:
            SettingsError: there are no such languages.
        """
        changed: dict[str, Any] = {}
        if self.languages is not UNSET:
            changed["languages"] = _offered(self.languages)
        if self.pictures is not UNSET:
            changed["keeping"] = Keeping(self.pictures.keep, self.pictures.days)
        if self.lights is not UNSET:
            changed["lights"] = self.lights
        if self.learning is not UNSET:
            changed["learning"] = self.learning
        if self.audits is not UNSET:
            changed["audits"] = self.audits
        return changed


@blueprint.post("/settings")
@owner_only
@takes(ChosenSettings)
def settings() -> Response:
    """Change some settings, all or none; they take effect at once and stay after the next start."""
    body, names = _body(), ChosenSettings.__struct_fields__
    unknown = sorted(set(body) - set(names))
    if unknown or not body:
        got = ", ".join(unknown)[:100] or "-"
        said = Sentence("Expected some of the settings {names}, but got {got}.", names=", ".join(names), got=got)
        abort(400, SentenceText(said))
    try:
        changes = read_record(ChosenSettings, body).changes()
        now = settings_file().change(**changes)
    except (CommandDataError, SettingsError) as why:
        return _refused(why.sentence)
    said = Sentence("Saved; it applies from now on.")
    if "lights" in changes:
        table().upkeep.dim_lights(now.lights)
    if "learning" in changes:
        table().upkeep.learn(on=now.learning)
    if "audits" in changes:
        table().upkeep.draw_audits(on=now.audits)
    if "keeping" in changes:
        gone = table().upkeep.keep_pictures(now.keeping)
        said = Sentence("Saved; it applies from now on. Pictures deleted: {count}.", count=gone)
    return jsonify({"ok": True, "sentence": said.to_json(), "settings": now.to_json()})


def _offered(value: list[str]) -> tuple[str, ...]:
    chosen = language_list(value)
    unknown = [name for name in chosen if name not in languages.known()]
    if unknown or not chosen:
        raise SettingsError(
            Sentence(
                "Expected at least one of the languages {there}, but got {got}.",
                there=", ".join(languages.known()),
                got=", ".join(unknown)[:60] or "none",
            )
        )
    return chosen


@blueprint.post("/pictures/delete")
@owner_only
def delete_pictures() -> Response:
    """Delete every kept picture, from disk and memory."""
    gone = table().upkeep.clear_pictures()
    return jsonify({"ok": True, "sentence": Sentence("Pictures deleted: {count}.", count=gone).to_json()})


@blueprint.post("/dice/forget")
@owner_only
def forget_dice() -> Response:
    """Forget all that the table learnt of its dice."""
    if not table().upkeep.forget_dice():
        return _refused(Sentence("The camera did not answer in time: try again in a moment."))
    return jsonify({"ok": True, "sentence": Sentence("The table has forgotten its dice.").to_json()})


@blueprint.post("/lights/try")
@owner_only
def try_lights() -> Response:
    """Show red, green, blue and white on the lights of the board, then the lights of the match again."""
    if not table().upkeep.try_lights():
        return _refused(Sentence("There is no board of lights: start the table with --leds."))
    said = Sentence("All lights show red, green, blue and white, one after the other; then the game again.")
    return jsonify({"ok": True, "sentence": said.to_json()})


class AdvisedDice(Struct, frozen=True):
    """What lies before the camera."""

    dice: Annotated[str, Meta(description="The set of dice.")] = "wibold"


@blueprint.post("/advise")
@owner_only
@takes(AdvisedDice)
def advise() -> Response:
    """Say whether the camera can read the dice in front of it from its place, and how to place it."""
    try:
        dice = dice_set(body_as(AdvisedDice, _body()).dice)
    except UnknownDiceSetError as why:
        abort(400, SentenceText(why_of(why)))
    if not readable(dice):
        return _refused(Sentence("You spin a wheel and tap in the result by hand: no camera reads it."))
    source = table().upkeep.dice_camera()
    if source is None:
        return _refused(Sentence("No camera sees the dice: start the table with one."))
    if not _advising.acquire(blocking=False):
        abort(503, "Somebody else is already asking; try again in a moment.")
    try:
        frame = source.newest(0, FRAME_WAIT)
        if frame is None:
            return _refused(source.sentence)
        from companion.vision.dice.advice import advise as judged  # noqa: PLC0415  (loads nets, which only this needs)

        told = judged(frame.image, dice)
    finally:
        _advising.release()
    return jsonify({"ok": True, "good": told.good, "advice": [sentence.to_json() for sentence in told.advice]})


def _body() -> dict[str, Any]:
    body = json_object()
    if body is None:
        abort(400, "Expected a JSON object, e.g. {}.")
    return body


def _refused(sentence: Sentence) -> Response:
    refused = jsonify(
        {"ok": False, "error": languages.here().translate(sentence.to_json()), "sentence": sentence.to_json()}
    )
    refused.status_code = 409
    return refused
