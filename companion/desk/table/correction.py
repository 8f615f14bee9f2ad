"""What a page shows of a correction before anybody confirms it."""

from typing import Any

from companion.language.sentence import Sentence
from companion.referee.match import Preview
from companion.referee.replay import Replay


def effect(preview: Preview) -> Sentence:
    """Say in a sentence what a correction would do."""
    if preview.misfits:
        return Sentence(
            "{owners} places on the board would change, and {misfits} later moves would no longer fit, the first of "
            "them event {event}.",
            owners=len(preview.owners),
            misfits=len(preview.misfits),
            event=preview.misfits[0][0],
        )
    if preview.owners:
        return Sentence("{owners} places on the board would change.", owners=len(preview.owners))
    return Sentence("Nothing on the board would change.")


def preview_json(preview: Preview) -> dict[str, Any]:
    """Return what a correction would do, as the page shows it before anybody confirms it."""
    return {
        "event": preview.event,
        "token": preview.token,
        "owners": {site: list(pair) for site, pair in preview.owners.items()},
        "scores": {str(player): list(pair) for player, pair in preview.scores.items()},
        "misfits": [{"event": event, "text": why.to_json()} for event, why in preview.misfits],
        "dropped_if_all": list(preview.drops_all),
        "dropped_if_until_misfit": list(preview.drops_stop),
        "scores_if_all": _scores(preview.after_all),
        "scores_if_until_misfit": _scores(preview.after_stop),
    }


def _scores(replay: Replay) -> dict[str, int]:
    return {str(player): count for player, count in replay.position.scores().items()}
