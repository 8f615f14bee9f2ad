"""Deleting a match for good: its events from the journal's file, and the pictures that only it refers to."""

from companion.desk.pictures import PictureStore
from companion.desk.table.match_desk import Desk, Reply
from companion.language.sentence import Sentence
from companion.ledger.entries import JournalError, UnknownChainError
from companion.referee.events import BoardObserved, Observed
from companion.referee.journal import Journal
from companion.referee.refused import RefusedError


def delete_match(desk: Desk, pictures: PictureStore | None, match_id: int, last_hash: str) -> Reply:
    """Delete a match that is not on the table; ``last_hash``: the hash of its last event, from the list of matches.

    Raises:
        RefusedError: it is on the table, there is none, it has gone on, or the journal could not be written.
    """
    if desk.match is not None and desk.match.id == match_id:
        raise RefusedError(Sentence("This match is on the table: begin or continue another one first."))
    journal = desk.journal
    try:
        named = _pictures(journal, match_id)
        lines = journal.matches()
        for line in lines if named else ():
            if line.id != match_id:
                named -= _pictures(journal, line.id)
        emptied = journal.forget(match_id, last_hash)
    except JournalError as why:
        raise RefusedError(why.sentence) from why
    gone = 0 if pictures is None else pictures.remove(named)
    events = next((line.events for line in lines if line.id == match_id), 0)
    sentence = Sentence(
        "The match is deleted for good. Events: {events}; pictures: {pictures}.", events=events, pictures=gone
    )
    if not emptied:
        sentence = Sentence(
            "{said} Something was reading the journal just then: the last traces are deleted when the program ends.",
            said=sentence,
        )
    if any(journal.path.parent.glob(f"{journal.path.name}.damaged-*")):
        sentence = Sentence(
            "{said} A damaged journal is kept beside the file, and the match may still be in it: delete that file too.",
            said=sentence,
        )
    return Reply(ok=True, sentence=sentence, data={"match": match_id, "events": events, "pictures": gone})


def _pictures(journal: Journal, match_id: int) -> set[str]:
    """Return the hashes of the pictures that a match refers to; an unreadable match refers to none."""
    try:
        events = [entry.event for entry in journal.events(match_id)]
    except UnknownChainError:
        raise
    except JournalError:
        return set()
    return {event.picture for event in events if isinstance(event, Observed | BoardObserved) and event.picture}
