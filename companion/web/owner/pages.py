"""The owner's pages: cameras, dice, board and lights, matches, languages, privacy, health. Behind the PIN."""

from base64 import b64encode
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from flask import Blueprint, Response, make_response, render_template, request

from companion.language.sentence import Sentence
from companion.ledger.codec import EventFormatError, sentence_from_json
from companion.lessons.course import courses
from companion.live.keeping import WHICH
from companion.referee.readable import dice_of
from companion.rules.dice import dice_set, dice_sets
from companion.rules.registry import games
from companion.settings.record import DECLARED
from companion.vision.readings import readable
from companion.web import languages as language_choice
from companion.web.access.auth import GATE, IN_KIOSK, PIN_FILE, pin_needed
from companion.web.app_state import SETTINGS, table
from companion.web.classroom.joining import join_address
from companion.web.classroom.visiting import CLASSROOM
from companion.web.matches.transfer import listed
from companion.web.owner import profiles
from companion.web.owner.hall_place import PLACE
from companion.web.owner.health import health
from companion.web.owner.other_table import LINE

if TYPE_CHECKING:
    from companion.live.audits.audits_now import AuditAsked, AuditContradicted, AuditsNow

PAGES = (
    *(
        "overview",
        "cameras",
        "dice",
        "lights",
        "matches",
        "languages",
        "classroom",
        "hall",
        "other_table",
        "privacy",
        "settings",
        "health",
    ),
    "pin",
)
"""The pages in the order in which an owner meets them; the first is at /owner itself."""

GRADES = ("good", "fair", "poor")

blueprint = Blueprint("owner_pages", __name__, url_prefix="/owner")


@blueprint.before_request
def _ask_for_pin() -> Response | None:
    """Show the form for the PIN instead of any page until its visitor gives the PIN."""
    if not pin_needed():
        return None
    return make_response(render_template("owner/sign_in.html"), 401)


@blueprint.context_processor
def _navigation() -> dict[str, Any]:
    return {"owner_pages": PAGES, "settings": SETTINGS.get().now}


def _shown(page: str, **value: Any) -> str:
    """Render one of the pages; on a sample table each page says that it is one."""
    return render_template(f"owner/{page}.html", here=page, **{"state": table().snapshot().data, **value})


@blueprint.get("")
def overview() -> str:
    """Show the state of everything, in a sentence each, and where to go."""
    checking, broken = GATE.get(), SETTINGS.get().notice
    return _shown(
        "overview",
        signs=health(table()),
        matches=table().match_count(),
        attempts=None if checking is None else checking.attempts,
        has_pin=checking is not None,
        notice=None if broken is None else broken.to_json(),
        kept=table().upkeep.kept(),
        remembered=_remembered(),
        audits=_audits(),
    )


@blueprint.get("/cameras")
def cameras() -> str:
    """Show each camera: its state, what it sees now, and the quality of the board's picture when it was calibrated."""
    return _shown(
        "cameras",
        cameras=table().upkeep.vital_signs().cameras,
        boards=[{"profile": one, "judged": _judged(one)} for one in profiles.board_profiles()],
        may_calibrate=table().board_camera() is not None,
    )


def _judged(profile: profiles.ProfileListed) -> dict[str, Any]:
    """Return the grade and the sentences of a board's quality; skip content that a strange file has in another form."""
    quality = profile.head.get("quality")
    figures = quality.get("figures") if isinstance(quality, dict) else None
    sentences = []
    for figure in figures if isinstance(figures, list) else ():
        try:
            sentence = sentence_from_json(figure["sentence"])
            sentences.append({"text": str(sentence), **sentence.to_json()})
        except (EventFormatError, ValueError, KeyError, IndexError, TypeError, AttributeError):
            continue
    grade = quality.get("grade") if isinstance(quality, dict) else None
    return {"grade": grade if grade in GRADES else None, "figures": sentences}


@blueprint.get("/dice")
def dice() -> str:
    """Show the dice sets, the learnt profiles, and advice on the dice in front of the camera."""
    played: dict[str, list[str]] = {}
    for game in games().values():
        for name in dice_of(game):
            played.setdefault(name, []).append(game.title)
    sets = [
        {"name": name, "title": dice_set(name).title, "read": readable(dice_set(name)), "games": played.get(name, [])}
        for name in dice_sets()
    ]
    sets.sort(key=lambda one: not one["games"])  # sets that some game uses come first
    return _shown(
        "dice",
        sets=sets,
        profiles=profiles.dice_profiles(),
        used=SETTINGS.get().now.profile,
        camera=table().upkeep.dice_camera() is not None,
        remembered=_remembered(),
        audits=_audits(),
    )


@blueprint.get("/check")
def check() -> str:
    """Show a die that chance chose, without what was read, and what the owner's answers have measured so far."""
    auditing = table().upkeep.auditing
    asked = [(one.dice, die) for one in (() if auditing is None else auditing.now) for die in one.asked]
    again = request.args.get("again", "")
    shown = (
        next(iter(asked), None) if auditing is None or not again else auditing.again(again) or next(iter(asked), None)
    )
    return _shown("check", audits=_audits(), asked=None if shown is None else _asked(*shown), waiting=len(asked))


def _asked(dice: str, die: "AuditAsked") -> dict[str, Any]:
    named = {"dice": dice, "number": die.number}
    return {
        **named,
        "lies_on": die.lies_on,
        "choices": [{"text": label, "body": {**named, "face": text}} for text, label in die.choices],
        "nothing": {**named, "face": ""},
        "untold": {**named, "face": None},
    }


def _audits() -> dict[str, Any] | None:
    """Return what the audits have found; None where none are made in this run."""
    auditing = table().upkeep.auditing
    if auditing is None:
        return None
    open_match = (table().snapshot().data.get("match") or {}).get("id")
    contradicted = []
    for one in auditing.now:
        for die in one.contradicted:
            face = {} if die.instead is None else {"die": die.die, "face": die.instead}
            contradicted.append(
                {
                    "dice": one.dice,
                    "number": die.number,
                    "match": die.match,
                    "here": die.match == open_match,
                    "body": {"dice": one.dice, "number": die.number},
                    "link": f"{request.script_root}/?{urlencode({'correct': die.event, **face})}",
                    "sentence": _otherwise(die).to_json(),
                }
            )
    return {
        "on": auditing.on,
        "trouble": None if auditing.trouble is None else auditing.trouble.to_json(),
        "waiting": sum(len(one.asked) for one in auditing.now),
        "dice": [{"title": dice_set(one.dice).title, "sentence": _measured(one).to_json()} for one in auditing.now],
        "contradicted": contradicted,
    }


def _otherwise(die: "AuditContradicted") -> Sentence:
    if not die.answer:
        return Sentence(
            "In match {match}, event {event}, {read} was read, but you say that it is not a die.",
            match=die.match,
            event=die.event,
            read=die.read,
        )
    return Sentence(
        "In match {match}, event {event}, a die was read as {read}, but you say that it shows {said}.",
        match=die.match,
        event=die.event,
        read=die.read,
        said=die.answer,
    )


def _measured(one: "AuditsNow") -> Sentence:
    """Say how many dice were read wrongly, and how many of 100 that may be."""
    if not one.checked:
        return Sentence("{drawn} dice were picked at random; nobody has checked one yet.", drawn=one.drawn)
    low, high = one.error
    return Sentence(
        "Dice checked: {checked}, misread: {wrong}. So of 100 dice that the table reads without asking, {low} to "
        "{high} are wrong (95 %).",
        checked=one.checked,
        wrong=one.wrong,
        low=round(100 * low, 1),
        high=round(100 * high, 1),
    )


@blueprint.get("/teach")
def teach() -> str:
    """Show the page on which somebody teaches the table its dice."""
    known = table().upkeep.remembered()
    return _shown(
        "teach",
        sets=[dice_set(name) for name in dice_sets() if readable(dice_set(name))],
        wanted=request.args.get("dice", "wibold"),
        can_learn=table().upkeep.teaching is not None,
        learns=known is not None and known.on,
    )


def _remembered() -> dict[str, Any] | None:
    """Return what the table remembers of its dice; None where it learns nothing in this run."""
    known = table().upkeep.remembered()
    if known is None:
        return None
    dice = [
        {
            "title": dice_set(one.set_name).title,
            "of": one.of,
            "faces": [
                {"text": face.text, "number": face.number, "picture": b64encode(face.picture).decode()}
                for face in one.faces
            ],
            "doubts": [doubt.to_json() for doubt in one.doubts],
        }
        for one in known.dice
    ]
    trouble = None if known.trouble is None else known.trouble.to_json()
    return {"on": known.on, "dice": dice, "trouble": trouble}


@blueprint.get("/lights")
def lights() -> str:
    """Show the board's lights: state, trouble, brightness, and a test."""
    return _shown("lights", lights=table().snapshot().data.get("lights"))


@blueprint.get("/settings")
def settings() -> str:
    """Show every setting that an option sets as well, to change it."""
    file = SETTINGS.get()
    return _shown("settings", declared=DECLARED.values(), now=file.now, given=file.given)


@blueprint.get("/matches")
def matches() -> str:
    """List the matches, to resume, export or delete."""
    return _shown("matches", **listed())


@blueprint.get("/languages")
def languages() -> str:
    """Show which languages the page offers, and which comes first."""
    named = [{"code": code, "name": name} for code, name in language_choice.named()]
    return _shown("languages", there=named, offered=language_choice.available(), settings=SETTINGS.get().now)


@blueprint.get("/classroom")
def classroom() -> str:
    """Let the owner open a class, show its code, and say whether pupils tap in or watch."""
    room = CLASSROOM.get()
    return _shown(
        "classroom",
        code=room.code,
        tapping=room.tapping,
        lesson=room.lesson,
        courses=courses().values(),
        pupils=room.pupils(),
        join_address=join_address(),
        reached=GATE.get() is not None,
        kiosk_here=IN_KIOSK.get(),
    )


@blueprint.get("/hall")
def hall() -> str:
    """Let the table join a hall by its code, or show the hall that it is in."""
    place = PLACE.get()
    return _shown("hall", place=None if place is None else place.seen())


@blueprint.get("/other_table")
def other_table() -> str:
    """Let another table play the open match, or join that of another table by its code."""
    line = LINE.get()
    return _shown("other_table", line=None if line is None else line.seen())


@blueprint.get("/privacy")
def privacy() -> str:
    """Show which data about people is kept and for how long, and offer to delete it."""
    return _shown("privacy", ways=WHICH, kept=table().upkeep.kept())


@blueprint.get("/health")
def health_state() -> str:
    """Show the state of the program, and offer the diagnostic bundle."""
    return _shown("health", signs=health(table()))


@blueprint.get("/pin")
def pin() -> str:
    """Let the owner choose a PIN."""
    return _shown(
        "pin",
        has_pin=GATE.get() is not None,
        lasting=PIN_FILE.get() is not None,
    )
