"""Which texts a visitor, a player or a pupil meets: what a language needs before a museum or a school can offer it.

These are the start page, the form for a match, the table with every game, the kiosk, joining a class, and the replay.
What an owner, a scholar or an organiser reads stays English: settings, cameras and lights, corrections, rulings of the
sources and disputes about them, statistics, worksheets, the laboratory and the hall.
"""

import re
from dataclasses import dataclass
from functools import cache

from companion.language import texts
from companion.language.checking import to_translate
from companion.rules.registry import games

KIOSKS = re.compile(
    r"(ask|boards|camera_states|choices|claims|controls|curve|dice|errors|habits|kiosk|log|ludix|men|moves|offline|outcome"
    r"|players|progress|prospects|result|seats|sheet|sound|status|tap|undo)\."
)
KEYS = re.compile(
    KIOSKS.pattern + r"|(cards|classroom|demo|filter|help|invited|looks|new|page|replay|riddle|sample|start)\."
    r"|(matches\.export|worksheet\.open)$|option\.(ending|minutes|target|throws)\."
)
OWNERS = re.compile(r"kiosk\.owner\.|controls\.(calibrate|pace|auto|stop)|log\.(correct|look)|replay\.(look|luck)")
KIOSKS_FILES = re.compile(
    r"companion/(desk/(page/(log|ludix)|table/(describing_seating|match_desk|program_turn|state))|language/sentence"
    r"|players/(?!analysis|strengths)|referee/decision|rules/(appearance_words|game)\b"
    r"|rules/\w+/(free/)?(board|configurations|ending|explaining|games|how_to_play|ludix|position"
    r"|prospects|refusals|sentences|tables|variants|virtues|words|xii_scripta)\b|web/(errors|kiosk/(attendant|pages)))"
)
FILES = re.compile(
    KIOSKS_FILES.pattern
    + r"|calibration/kit/catalogue|companion/(desk/table/demonstration|odds/|rules/ludus_regularis/(options|puzzle)"
    r"|web/classroom/(room|visiting))"
)
ANSWERS = re.compile(  # to what nobody types or sends on these pages, or only an owner sees
    r"Expected |Event |Side \{side\}|The match '|The match began under|The places are|The \{set\} dice|No time limit"
    r"|There is no game called|\{title\} |This (game|board) has no (choice|dice)|No camera sees"
    r"|This (works only|needs the|address|is larger)|A man of side|A man must move to"
    r"|It is the turn of \{turn|On this board|\{what\} was (changed|left)|A move of \{player\} was"
    r"|The throw of \{player\} waits|The table (did not|is closed now;)"
)
IN_SIGHT = ("target", "throws", "minutes")  # options that belong to an ending
OF_FAMILY = re.compile(r"companion/(?:rules|players)/(ludus_regularis|ludix|tables|rithmomachia)\b")
ONLY_IN = {
    "claims": {"rithmomachia"},
    "curve": {"ludus_regularis"},
    "habits": {"ludus_regularis"},
    "ludix": {"ludix"},
    "men": {"tables", "rithmomachia"},
    "moves": {"tables", "rithmomachia"},
    "progress": {"ludus_regularis"},
    "prospects": {"ludus_regularis"},
}
"""The sections of texts that only some families of games need."""


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
        met = KIOSKS if self.kiosk else KEYS
        own = texts.load(texts.DEFAULT).own
        return tuple(
            key
            for key in own
            if met.match(key)
            and not OWNERS.match(key)
            and not _is_name(key)
            and self._play(ONLY_IN.get(key.partition(".")[0], set()))
        )

    def sentences(self) -> tuple[str, ...]:
        """Return the templates of the sentences that they may meet."""
        met = KIOSKS_FILES if self.kiosk else FILES
        return tuple(
            template
            for template, answers_in in to_translate().items()
            if any(met.match(place) and self._play({*OF_FAMILY.findall(place)}) for place in answers_in)
            and not ANSWERS.match(template)
            and template not in _for_scholars()
            and not _is_name(template)
        )

    def _play(self, families: set[str]) -> bool:
        """Tell whether they play one of these families, or what any family may need."""
        return not self.families or not families or bool(self.families & families)


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
