"""What a choice would result in, before anybody makes it: nothing is written and no turn goes on."""

from typing import Any

from companion.desk.table.match_desk import Reply
from companion.language.sentence import Sentence, why_of
from companion.referee.match import Match
from companion.referee.refused import RefusedError
from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import GameError


def explain_choice(match: Match, text: str) -> Reply:
    """Say what a typed choice means, which may be short for several, and what each of these results in.

    The reply's data has ``choices``, each with its ``text``, its ``choice`` as JSON and its ``sentence``. They are
    empty if the choice is not allowed now; then the reply's sentence names the rule that forbids it.

    Raises:
        RefusedError: it is no choice of this game, or nothing can be chosen now.
    """
    match.require_in_play()
    position = match.position
    try:
        meant = [choice for choice in position.meant(text) if not isinstance(choice, Throw)]
    except (GameError, ThrowError) as why:
        raise RefusedError(why_of(why)) from why
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
