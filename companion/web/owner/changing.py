"""Changing the settings of a running table: what a page sends, what is kept, and what takes effect at once."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from companion.desk.command import CommandDataError, read_record
from companion.desk.table.match_desk import Reply
from companion.language.sentence import Sentence, why_of
from companion.rules.errors import UnknownGameError
from companion.rules.registry import game
from companion.settings.file import SettingsError
from companion.settings.record import DECLARED, TableSettings
from companion.web import languages
from companion.web.app_state import SETTINGS, AppKey, table

Apply = Callable[[TableSettings, frozenset[str]], Reply | None]
"""Lets changed settings, by their names, take effect at the running table; returns what it says of its cameras."""

APPLY = AppKey[Apply]("apply")

ChosenSettings = msgspec.defstruct(
    "ChosenSettings",
    [(field.name, field.type | UnsetType, UNSET) for field in msgspec.structs.fields(TableSettings)],
    frozen=True,
    namespace={"__doc__": "Some of the settings; what is left out stays as it is."},
)


def chosen(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes that a page asks for, by their names in `TableSettings`.

    Raises:
        SettingsError: a value does not fit, or there is no such setting, language or game.
    """
    names = ChosenSettings.__struct_fields__
    unknown = sorted(set(body) - set(names))
    if unknown or not body:
        got = ", ".join(unknown)[:100] or "-"
        raise SettingsError(
            Sentence("Expected some of the settings {names}, but got {got}.", names=", ".join(names), got=got)
        )
    try:
        record = read_record(ChosenSettings, body)
    except CommandDataError as why:
        raise SettingsError(why.sentence) from why
    changed = {name: value for name in names if (value := getattr(record, name)) is not UNSET}
    if "languages" in changed:
        changed["languages"] = _offered(changed["languages"])
    if changed.get("texts") is not None and not Path(changed["texts"]).is_dir():
        raise SettingsError(Sentence("There is no folder {folder} on this computer.", folder=changed["texts"][:100]))
    if changed.get("game") is not None:
        try:
            game(changed["game"])
        except UnknownGameError as why:
            raise SettingsError(why_of(why)) from why
    return changed


def change(changes: Mapping[str, Any], *, keep: bool = True) -> Sentence:
    """Let settings take effect, and keep them in the file; return what there is to say.

    Without ``keep`` they hold until they are changed again or the program ends.

    Raises:
        SettingsError: they cannot take effect, or cannot be kept; then nothing changed.
    """
    file = SETTINGS.get()
    before = {name: getattr(file.now, name) for name in changes}
    given = file.given
    now = file.give(changes)
    reply = APPLY.get()(now, frozenset(changes))
    if reply is not None and not reply.ok:
        file.give(before)
        file.given = given
        raise SettingsError(reply.sentence)
    if keep:
        try:
            file.change(**changes)
        except SettingsError:
            APPLY.get()(file.give(before), frozenset(changes))
            file.given = given
            raise
    sentence = _at_table(now, changes)
    if reply is not None:
        return reply.sentence
    if all(name not in DECLARED or DECLARED[name].running for name in changes):
        return sentence
    return Sentence("Saved; it takes effect when the program starts again.")


def _at_table(now: TableSettings, changes: Mapping[str, Any]) -> Sentence:
    upkeep = table().upkeep
    if "lights" in changes:
        upkeep.leds.dim(now.lights)
    if "learning" in changes:
        upkeep.learn(on=now.learning)
    if "audits" in changes:
        upkeep.draw_audits(on=now.audits)
    if "pictures" in changes:
        gone = upkeep.keep_pictures(now.keeping)
        return Sentence("Saved; it applies from now on. Pictures deleted: {count}.", count=gone)
    return Sentence("Saved; it applies from now on.")


def _offered(wanted: tuple[str, ...]) -> tuple[str, ...]:
    unknown = [name for name in wanted if name not in languages.known()]
    if unknown or not wanted:
        raise SettingsError(
            Sentence(
                "Expected at least one of the languages {there}, but got {got}.",
                there=", ".join(languages.known()),
                got=", ".join(unknown)[:60] or "none",
            )
        )
    return tuple(dict.fromkeys(wanted))
