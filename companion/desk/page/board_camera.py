"""The board before its camera, for a page: what is seen, asked, wrong and still to be done."""

from collections.abc import Mapping
from typing import Any

from companion.desk.finding import BoardFinding
from companion.desk.shapes.table import BoardAskShape, BoardFindingShape, WatchShape
from companion.desk.sight import BoardSight
from companion.language.sentence import Sentence
from companion.ledger.codec import sentence_from_json
from companion.referee.board.seating import Seating
from companion.referee.board_record import BoardQuestion
from companion.referee.match import Match
from companion.vision.board_readings import BoardReading, Men

Json = dict[str, Any]


def board_part(
    match: Match | None, sight: BoardSight | None, finding: BoardFinding | None, reading: BoardReading | None
) -> WatchShape | None:
    """Return what a page shows of the board beyond the position: what is seen, asked, wrong and still to be done.

    ``finding``: what the board judge made of the ``reading``. Sites have the game's names; men have their owner's
    number, as in `Position.occupancy`.
    """
    if match is None or (match.started.men_by != "camera" and match.board.question is None):
        return None  # the board's squares may ask without a camera
    names = dict(enumerate(match.started.players, start=1))
    seating = match.board.seating
    warning = None if sight is None else sight.warning or (sight.slow if sight.status == "LIVE" else None)
    looking = sight is not None and sight.status == "LIVE" and sight.phase == "still" and sight.seen is not None
    return {
        "status": "NONE" if sight is None else sight.status,
        "hand": sight is not None and sight.hand,
        "picture": None if sight is None else sight.picture,
        "warning": None if warning is None else warning.to_json(),
        "seating": None if seating is None else seating.to_json(),
        "ask": None if match.board.question is None else asked_board(match.board.question, names),
        "finding": None if finding is None or not looking else _finding(finding, names, reading, seating),
        "field": [] if sight is None or sight.seen is None or not looking else list(sight.seen.field),
    }


def _finding(
    finding: BoardFinding, names: Mapping[int, str], reading: BoardReading | None, seating: Seating | None
) -> BoardFindingShape:
    shown = finding.kind in ("mismatch", "asked", "blind") and reading is not None and seating is not None
    return {
        "kind": finding.kind,
        "sentence": finding.sentence.named(names).to_json(),
        "notice": None if finding.notice is None else finding.notice.named(names).to_json(),
        "why_not": None if finding.why_not is None else finding.why_not.named(names).to_json(),
        "sites": [difference.site for difference in finding.differences],
        "differences": [
            {
                "site": difference.site,
                "expected": _men(difference.expected, seating),
                "seen": _men(difference.seen, seating),
            }
            for difference in finding.differences
        ],
        "orders": [
            {"sentence": order.named(names).to_json(), "arrow": arrow.to_json()} for order, arrow in finding.orders
        ],
        "arrows": [arrow.to_json() for arrow in finding.arrows],
        "seen": seen_board(reading, seating) if shown and reading is not None and seating is not None else None,
    }


def seen_board(reading: BoardReading, seating: Seating) -> Json:
    """Return what is seen on each site, by the game's names: men as from `_men`; hidden sites and piles marked so."""
    found: Json = {}
    for name, site in reading.sites.items():
        if site.status == "hidden":
            found[seating.site(name)] = {"hidden": True}
        elif site.standing is not None:
            men = _men(site.standing, seating) or {}
            found[seating.site(name)] = men | ({"piled": True} if site.piled else {})
    return found


def _men(men: Men | None, seating: Seating | None) -> Json | None:
    """Return men as `Position.occupancy` does: a number of men for each side, or one man's colour, shape and number."""
    if men is None:
        return None
    if men.shape:
        return {"colour": men.colour, "shape": men.shape, "number": men.number}
    found: Json = {}
    while men is not None:
        owner = seating.owners.get(men.colour, 0) if seating is not None else 0
        found[str(owner)] = men.count
        men = men.also
    return found


def asked_board(question: BoardQuestion, names: Mapping[int, str]) -> BoardAskShape:
    """Return an open question about the board as a page shows it, with an answer for each candidate."""
    asked = question.asked
    return {
        "id": question.number,
        "about": asked.about,
        "sentence": sentence_from_json(asked.sentence).named(names).to_json(),
        "candidates": [
            {
                "text": candidate["text"],
                "sentence": sentence_from_json(candidate["sentence"]).named(names).to_json()
                if "sentence" in candidate
                else Sentence("{text}", text=candidate["text"]).to_json(),
                "arrows": candidate.get("arrows", []),
            }
            for candidate in asked.candidates
        ],
        "sites": [str(difference.get("site")) for difference in asked.differences],
    }
