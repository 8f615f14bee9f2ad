"""The pages of the fairness laboratory, rendered on the server so that they are complete before any script runs."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, abort, jsonify, render_template, request

from companion.fairness import planning
from companion.fairness.batches.batch import batch_of
from companion.fairness.batches.sentences import batch_sentences
from companion.fairness.outcomes import outcomes_of
from companion.fairness.stakes import FEARS, fears_of, stakes_for
from companion.fairness.verdict import throws_for
from companion.language.sentence import N_, Sentence, SentenceText
from companion.rules.dice import DiceSet, dice_set, dice_sets
from companion.rules.die import PIP, Die
from companion.web import spoken
from companion.web.access.auth import pin_needed
from companion.web.games import asked_scripts, texts_for, unchanging
from companion.web.laboratory.api import LABORATORY

MATTERS = (0.01, 0.02, 0.05)
"""The biases to offer as those that matter, as fractions of all throws."""

FIRST = ("pips", "d6", "ludix", "wibold")
"""The dice sets that come first in the form."""

MOST_TOGETHER = 200
"""The most series whose dice are judged together."""

LEAST, MOST = 0.002, 0.3
NO_PLAN = N_("Expected a die of a known set and a bias of {least} to {most} of all throws.")

blueprint = Blueprint("laboratory_pages", __name__, url_prefix="/lab")


def _state() -> Any:
    return LABORATORY.get().snapshot().data


@blueprint.get("")
def home() -> str:
    """Show the series as it stands now."""
    return render_template("laboratory/laboratory.html", state=_state())


@blueprint.get("/new")
def new() -> str:
    """Show the form for a new series."""
    return render_template("laboratory/new.html", state=_state(), sets=_sets(), matters=MATTERS, fears=FEARS)


@blueprint.get("/series")
def series() -> str:
    """List the series, to continue or to export."""
    return render_template("laboratory/series.html", state=_state())


@blueprint.get("/batch")
def batch() -> str:
    """Judge the dice of some series together (``?series=1&series=2``): of many dice some look biased by chance."""
    chosen = dict.fromkeys(request.args.getlist("series", type=int))
    titles = {one["id"]: one["title"] for one in _state()["series_list"]}
    accounts = [
        (
            number,
            replace(account, name=account.name if len(chosen) == 1 else f"{titles[number]}: {account.name}"),
            account,
        )
        for number in list(chosen)[:MOST_TOGETHER]
        if number in titles
        for account in LABORATORY.get().accounts(number) or ()
    ]
    if not accounts:
        abort(404, "There is no such series.")
    judged = batch_of([account for _, account, _ in accounts])
    rows = [
        {
            "series": number,
            "die": own.name,
            "name": one.account.name,
            "throws": one.throws,
            "alone": one.alone.said,
            "called": one.called,
            "p": one.p,
            "farthest": one.account.outcomes.labels[one.farthest],
            "share": float(one.alone.estimate[one.farthest]),
            "low": float(one.intervals.low[one.farthest]),
            "high": float(one.intervals.high[one.farthest]),
            "fair": float(one.account.outcomes.fair[one.farthest]),
        }
        for one, (number, _, own) in zip(judged.dice, accounts, strict=True)
    ]
    sentences = [sentence.to_json() for sentence in batch_sentences(judged)]
    return render_template("laboratory/batch.html", said=sentences, rows=rows)


@blueprint.get("/api/setup")
def setup() -> Response:
    """Return what does not change while the server runs: texts, and the dice of a series.

    ``scripts`` names the scripts of the asking page, separated by commas: the answer then has only their texts.
    """
    return unchanging(
        {
            "texts": texts_for(asked_scripts(), spoken.of_laboratory().__contains__),
            "dice_sets": {entry["name"]: entry for entry in _sets()},
            "pin_needed": pin_needed(),
        }
    )


@blueprint.get("/api/plan")
def plan() -> Response:
    """Return how many throws it takes to find a bias of one face (``find``) and to rule one out (``rule_out``).

    ``set`` and ``die`` name the die, ``bias`` the fraction of all throws, ``fear`` what is feared of the die. None
    means more throws than anybody makes.
    """
    name, die = request.args.get("set", ""), request.args.get("die", "")
    known = {entry["name"]: {one["name"]: one["fears"] for one in entry["dice"]} for entry in _sets()}
    size, fear = request.args.get("bias", 0.0, type=float), request.args.get("fear", "")
    fears = known.get(name, {}).get(die)
    if fears is None or fear not in ("", *fears) or not LEAST <= size <= MOST:
        abort(404, SentenceText(Sentence.of(NO_PLAN, least=LEAST, most=MOST)))
    response = jsonify(_planned(name, die, round(size, 4), fear))
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


@lru_cache(maxsize=64)
def _planned(set_name: str, die: str, bias: float, fear: str) -> dict[str, int | None]:
    outcomes = outcomes_of(dice_set(set_name).die(die))
    rarest = min(range(len(outcomes.labels)), key=lambda place: outcomes.faces[place])
    found = next(one for one in outcomes.contrasts if one.kind == "face" and one.outcomes == (rarest,))
    many = planning.plan(outcomes, found, bias, stakes=stakes_for(fear, outcomes))
    return {
        "half": many.half,
        "find": many.four_of_five,
        "surely": many.nineteen_of_twenty,
        "rule_out": throws_for(outcomes, bias),
    }


@lru_cache(maxsize=1)
def _sets() -> list[dict[str, Any]]:
    """Return the sets with dice to throw; a pointer or a tile is no die."""
    names = sorted(dice_sets(), key=lambda name: (name not in FIRST, FIRST.index(name) if name in FIRST else len(name)))
    found = [dice_set(name) for name in names]
    return [_set_json(one) for one in found if not {die.shape for die in one.dice} & {"wheel", "tile"}]


def _set_json(dice: DiceSet) -> dict[str, Any]:
    return {
        "name": dice.name,
        "title": dice.title,
        "alike": dice.alike,
        "most": dice.most,
        "dice": [_die_json(die) for die in dice.dice],
    }


def _die_json(die: Die) -> dict[str, Any]:
    """Return a die as the page draws it: each face with its text, and with its pips if it has no other mark."""
    return {
        "name": die.name,
        "shape": die.shape,
        "counts": die.counts,
        "twins": bool(die.twins),
        "fears": fears_of(outcomes_of(die)),
        "faces": [
            {"text": face.text, "pips": len(face.marks) if face.marks and set(face.marks) == {PIP} else None}
            for face in die.faces
        ],
    }
