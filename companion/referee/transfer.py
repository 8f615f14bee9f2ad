"""A whole match as JSON lines, from one journal into another; its replay gives the same end."""

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from companion.language.sentence import N_, Sentence, SentenceError, why_of
from companion.ledger.codec import LONGEST_TEXT
from companion.ledger.entries import GENESIS, JournalError, chained
from companion.referee.foreign import matches_in
from companion.referee.journal import JOURNAL_SCHEMA, Entry, Journal, read_row
from companion.referee.match import Match, NoMatchError
from companion.referee.playable import why_unplayable
from companion.rules.errors import GameError
from companion.rules.strict_json import NoJsonError, StrictJsonError, is_unicode, read_json

FORMAT = "alea-match"
MOST_LINES = 200_000
MOST_CHARACTERS = 1_000_000  # in one line; a reading of four dice has about 2,000
PIECE_EVENTS: Final = 500
PIECE_CHARACTERS: Final = 250_000  # of stored events; either bound ends a piece
LAST_SECOND: Final = 253_402_300_799  # the year 9999: no computer's calendar goes further
HERE_ALREADY: Final = N_(
    "The match '{name}' is already in this journal as match {id}, in the same state: nothing was imported."
)
HERE_OTHERWISE: Final = N_(
    "The match '{name}' is already in this journal as match {id}, in another state: nothing was imported."
)


class ImportRefusedError(SentenceError, ValueError):
    """The lines are not a whole match as `export_match` writes it; nothing was imported."""


class AlreadyHereError(ImportRefusedError):
    """The journal has this match already; ``match`` is its number there."""

    def __init__(self, sentence: Sentence, match: int) -> None:
        super().__init__(sentence)
        self.match = match


def export_match(journal: Journal, match_id: int) -> Iterator[str]:
    """Yield a match line by line: a head, then its events, each with the hash that chains it to the one before.

    Raises:
        UnknownChainError: at the first line, if there is no such match.
    """
    entries = journal.events(match_id)
    yield json.dumps({"format": FORMAT, "version": JOURNAL_SCHEMA, "events": len(entries)})
    for entry in entries:
        yield json.dumps(
            {"number": entry.number, "at": entry.at, "actor": entry.actor, "body": entry.body, "hash": entry.hash},
            ensure_ascii=False,
        )


def import_match(journal: Journal, lines: Iterable[str]) -> int:
    """Import what `arriving` finds in a file; return the number of the first match here.

    A longer record of a match that is partly here is refused too: a journal is never rewritten.

    Raises:
        AlreadyHereError: this journal has the match.
        ImportRefusedError: a line is damaged or missing, or the match cannot be replayed.
        JournalWriteError: it could not be written.
    """
    first = journal.next_chain()
    for number, entries in enumerate(arriving(journal, lines, time.time()), first):
        journal.arrive(number, entries)
        journal.arrived(number)
    return first


def arriving(journal: Journal, lines: Iterable[str], now: float) -> Sequence[Sequence[Entry]]:
    """Return the events of an exported match, checked line by line and replayed, that the journal does not have.

    Of a file that another program wrote, return those of each of its games; they happen ``now``, in seconds since 1970.

    Raises:
        AlreadyHereError: this journal has the match.
        ImportRefusedError: a line is damaged or missing, or the match cannot be replayed.
    """
    whole = list(lines)
    try:
        if foreign := matches_in("\n".join(whole), now):
            return foreign
    except GameError as why:
        raise ImportRefusedError(why.sentence) from why
    entries = read_match(whole, match_id=1)
    _refuse_known(journal, entries)
    _play_through(entries)
    return [entries]


def _refuse_known(journal: Journal, entries: Sequence[Entry]) -> None:
    for line in journal.matches():
        if line.first_hash == entries[0].hash:
            same = line.last_hash == entries[-1].hash
            raise AlreadyHereError(
                Sentence.of(HERE_ALREADY if same else HERE_OTHERWISE, name=line.started.name, id=line.id),
                line.id,
            )


def in_pieces(entries: Sequence[Entry]) -> Iterator[Sequence[Entry]]:
    """Yield a match in pieces that are written quickly."""
    begin = size = 0
    for place, entry in enumerate(entries):
        size += len(entry.body)
        if size > PIECE_CHARACTERS or place - begin >= PIECE_EVENTS:
            yield entries[begin:place]
            begin, size = place, len(entry.body)
    yield entries[begin:]


def _play_through(entries: Sequence[Entry]) -> None:
    """Check that a match can be played here from its first event to its last, and that every event in it is playable.

    Raises:
        ImportRefusedError: it cannot; the sentence names the line.
    """
    try:
        match = Match.of(entries[:1])
    except (NoMatchError, ValueError, TypeError) as why:
        raise ImportRefusedError(
            Sentence("The file does not hold a match that can be played here: {why}", why=why_of(why))
        ) from why
    for entry in entries[1:]:
        line = entry.number + 1
        if (why_not := why_unplayable(match, entry)) is not None:
            raise ImportRefusedError(Sentence("Line {number}: {why}", number=line, why=why_not))
        try:
            match = match.after(entry)
        except (ValueError, TypeError, LookupError) as why:
            raise ImportRefusedError(Sentence("Line {number}: {why}", number=line, why=why_of(why))) from why
        if match.misfit is not None and match.rules_changed is None:
            raise ImportRefusedError(
                Sentence("Line {line} does not follow from the lines before it: was it edited?", line=match.misfit + 1)
            )


def read_match(lines: Iterable[str], match_id: int) -> list[Entry]:
    """Read an exported match under this number: every line has the form of an event, and its hash fits.

    Raises:
        ImportRefusedError: a line is damaged or missing.
    """
    counted = enumerate((line for line in lines if line.strip()), start=1)
    number, head = next(counted, (1, ""))
    match _object(head, number):
        case {"format": "alea-match", "version": int(version), "events": int(events)}:
            pass
        case other:
            raise ImportRefusedError(
                Sentence("Line 1: expected the head of an exported match, but got {got}.", got=_short(other))
            )
    if version > JOURNAL_SCHEMA:
        raise ImportRefusedError(
            Sentence(
                "Line 1: a newer companion exported this match (form {version}): update this one.", version=version
            )
        )
    entries: list[Entry] = []
    for number, line in counted:
        if number > MOST_LINES:
            raise ImportRefusedError(Sentence("Expected at most {most} lines, but there are more.", most=MOST_LINES))
        entry = _entry(_object(line, number), match_id, number)
        if entry.number != number - 1:
            raise ImportRefusedError(
                Sentence(
                    "Line {number}: expected event {expected}, but got event {got}.",
                    number=number,
                    expected=number - 1,
                    got=entry.number,
                )
            )
        if not _follows(entries[-1] if entries else None, entry):
            raise ImportRefusedError(
                Sentence("Line {number}: its hash does not fit, so it was damaged or edited.", number=number)
            )
        entries.append(entry)
    if len(entries) != events or not entries:
        raise ImportRefusedError(
            Sentence(
                "Expected {events} events, but the file ends after {count}: export it again.",
                events=events,
                count=len(entries),
            )
        )
    return entries


def _follows(before: Entry | None, entry: Entry) -> bool:
    digest = before.hash if before is not None else GENESIS
    return entry.hash == chained(digest, entry.number, entry.at, entry.actor, entry.body)


def _object(line: str, number: int) -> Any:
    if len(line) > MOST_CHARACTERS:
        raise ImportRefusedError(
            Sentence(
                "Line {number}: expected at most {most} characters, but there are more.",
                number=number,
                most=MOST_CHARACTERS,
            )
        )
    try:
        return read_json(line)
    except NoJsonError as why:
        raise ImportRefusedError(
            Sentence("Line {number}: expected JSON, but got {got}.", number=number, got=_short(line))
        ) from why
    except StrictJsonError as why:
        raise ImportRefusedError(Sentence("Line {number}: {why}", number=number, why=why.sentence)) from why


def _entry(data: Any, match_id: int, number: int) -> Entry:
    match data:
        case {
            "number": int(event),
            "at": int() | float() as at,
            "actor": str(actor),
            "body": str(body),
            "hash": str(digest),
        } if 0 <= at <= LAST_SECOND and len(actor) <= LONGEST_TEXT:
            try:
                return read_row((match_id, event, at, actor, body, digest))
            except JournalError as why:
                cause = why.__cause__ or why
                raise ImportRefusedError(Sentence("Line {number}: {why}", number=number, why=why_of(cause))) from why
    raise ImportRefusedError(
        Sentence("Line {number}: expected an event, but got {got}.", number=number, got=_short(data))
    )


def _short(value: Any) -> str:
    text = ascii(value) if isinstance(value, str) and not is_unicode(value) else repr(value)
    return text if len(text) <= 80 else text[:77] + "..."  # noqa: PLR2004  (a line of a terminal)
