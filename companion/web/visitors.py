"""Which texts a visitor, a player or a pupil meets: what a language needs before a museum or a school can offer it.

These are the start page, the form for a match, the table with every game, the kiosk, joining a class, and the replay.
What an owner, a scholar or an organiser reads stays English: settings, cameras and lights, corrections, rulings of the
sources and disputes about them, statistics, worksheets, the laboratory and the hall.
"""

import re
from dataclasses import dataclass
from functools import cache

from companion.data_file import data_of
from companion.language import texts
from companion.language.checking import to_translate
from companion.rules.registry import games

MET = data_of(__package__, "visitors.toml")
IN_SIGHT = ("target", "throws", "minutes")  # options that belong to an ending


@dataclass(frozen=True)
class Visitors:
    """Those for whom a language is written.

    ``families``: the families of games that they are offered, named as their packages; empty for all. ``kiosk``:
    whether they see a kiosk alone.
    """

    families: frozenset[str] = frozenset()
    kiosk: bool = False

    def keys(self) -> tuple[str, ...]:
        """Return the keys of the page's own texts that they may meet, in the order of the English catalogue."""
        met, owners, only_in = self._met("keys"), _one_of("keys", "owners"), MET["only_in"]
        own = texts.load(texts.DEFAULT).own
        return tuple(
            key
            for key in own
            if met.match(key)
            and not owners.match(key)
            and not _is_name(key)
            and self._play({*only_in.get(key.partition(".")[0], ())})
        )

    def sentences(self) -> tuple[str, ...]:
        """Return the templates of the sentences that they may meet."""
        met, of_family, answers = self._met("files"), _one_of("files", "of_family"), _one_of("sentences", "answers")
        return tuple(
            template
            for template, answers_in in to_translate().items()
            if any(met.match(place) and self._play({*of_family.findall(place)}) for place in answers_in)
            and not answers.match(template)
            and template not in _for_scholars()
            and not _is_name(template)
        )

    def _met(self, of: str) -> re.Pattern[str]:
        return _one_of(of, "kiosk") if self.kiosk else _one_of(of, "kiosk", "beyond")

    def _play(self, families: set[str]) -> bool:
        """Tell whether they play one of these families, or what any family may need."""
        return not self.families or not families or bool(self.families & families)


@cache
def _one_of(of: str, *lists: str) -> re.Pattern[str]:
    return re.compile("|".join(part for name in lists for part in MET[of][name]))


@cache
def _for_scholars() -> frozenset[str]:
    """Return what the form for a match has folded away: how the sources are read, and what each option means."""
    sentences = [
        one
        for game in games().values()
        for one in (game.interpretation, *(option.meaning for option in game.options if option.name not in IN_SIGHT))
        if one
    ]
    return frozenset(one.template for sentence in sentences for one in (sentence, *sentence.nested()))


def _is_name(text: str) -> bool:
    """Tell whether a text is a name that stays as it is in every language."""
    english = texts.load(texts.DEFAULT).own.get(text, text)
    others = [texts.load(name) for name in ("de", "es", "fr")]
    return all((one.own if text in one.own else one.sentences).get(text, text) == english for one in others)
