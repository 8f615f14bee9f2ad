"""What a correction or a choice would result in, before anybody confirms it: nothing is written and no turn goes on."""

from typing import Any

from companion.desk.table.match_desk import Reply
from companion.language.sentence import Sentence
from companion.referee.match import Match, Preview
from companion.referee.refused import refusing
from companion.referee.replay import Replay
from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import GameError


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


def explain_choice(match: Match, text: str) -> Reply:
    """Say what a typed choice means, which may be short for several, and what each of these results in.

    The reply's data has ``choices``, each with its ``text``, its ``choice`` as JSON and its ``sentence``. They are
    empty if the choice is not allowed now; then the reply's sentence names the rule that forbids it.

    Raises:
        RefusedError: it is no choice of this game, or nothing can be chosen now.
    """
    match.require_in_play()
    position = match.position
    with refusing(GameError, ThrowError):
        meant = [choice for choice in position.meant(text) if not isinstance(choice, Throw)]
    names = dict(enumerate(match.started.players, start=1))
    found: list[dict[str, Any]] = []
    refused: Sentence | None = None
    for choice in meant:
        why_not = position.why_not(choice)
        refused = why_not or refused
        if why_not is None:
            sentence = position.account(choice).sentence.named(names)
            found.append({"text": position.text(choice), "choice": choice.to_json(), "sentence": sentence.to_json()})
    if not found:
        return Reply(
            ok=True, sentence=refused or Sentence("{text} is not a choice here.", text=text), data={"choices": []}
        )
    sentence = Sentence("That can be done.") if len(found) == 1 else Sentence("That can be done in several ways.")
    return Reply(ok=True, sentence=sentence, data={"choices": found})
