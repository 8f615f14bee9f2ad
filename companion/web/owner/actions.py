"""The owner's actions over HTTP: settings, kept pictures, lights, advice, health, diagnostics."""

from typing import Annotated

from flask import Blueprint, Response, abort, jsonify, request
from msgspec import Meta, Struct

from companion.language.sentence import Sentence, SentenceText, why_of
from companion.rules.dice import UnknownDiceSetError, dice_set
from companion.settings.file import SettingsError, settings_to_json
from companion.vision.readings import readable
from companion.web.access.auth import owner_only
from companion.web.answers import as_file
from companion.web.app_state import SETTINGS, table
from companion.web.errors import refused
from companion.web.json_bodies import body_as, object_body, takes
from companion.web.owner import diagnostics
from companion.web.owner.changing import ChosenSettings, change, chosen
from companion.web.owner.dice_frame import frame_for_nets
from companion.web.owner.health import health

blueprint = Blueprint("owner_actions", __name__, url_prefix="/api/owner")


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
    bundle = diagnostics.bundle(table(), SETTINGS.get().now, pictures=pictures)
    return as_file(bundle, "application/zip", "alea-diagnostics.zip")


@blueprint.post("/settings")
@owner_only
@takes(ChosenSettings)
def settings() -> Response:
    """Change some settings, all or none; they take effect at once and stay after the next start."""
    try:
        sentence = change(chosen(object_body()))
    except SettingsError as why:
        return refused(why.sentence)
    return jsonify({"ok": True, "sentence": sentence.to_json(), "settings": settings_to_json(SETTINGS.get().now)})


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
        return refused(Sentence("The camera did not answer in time: try again in a moment."))
    return jsonify({"ok": True, "sentence": Sentence("The table has forgotten its dice.").to_json()})


@blueprint.post("/lights/try")
@owner_only
def try_lights() -> Response:
    """Show red, green, blue and white on the lights of the board, then the lights of the match again."""
    if not table().upkeep.leds.try_out():
        return refused(Sentence("There is no board of lights: start the table with --leds."))
    sentence = Sentence("All lights show red, green, blue and white, one after the other; then the game again.")
    return jsonify({"ok": True, "sentence": sentence.to_json()})


class AdvisedDice(Struct, frozen=True):
    """What lies before the camera."""

    dice: Annotated[str, Meta(description="The set of dice.")] = "wibold"


@blueprint.post("/advise")
@owner_only
@takes(AdvisedDice)
def advise() -> Response:
    """Say whether the camera can read the dice in front of it from its place, and how to place it."""
    try:
        dice = dice_set(body_as(AdvisedDice, object_body()).dice)
    except UnknownDiceSetError as why:
        abort(400, SentenceText(why_of(why)))
    if not readable(dice):
        return refused(Sentence("You spin a wheel and tap in the result by hand: no camera reads it."))
    with frame_for_nets() as frame:
        from companion.vision.dice.advice import advise as judged  # noqa: PLC0415  (loads nets, which only this needs)

        legibility = judged(frame.image, dice)
    return jsonify(
        {"ok": True, "good": legibility.good, "advice": [sentence.to_json() for sentence in legibility.advice]}
    )
