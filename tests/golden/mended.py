"""In what this version tells the golden files otherwise than the one that wrote them, and why: nothing else may differ.

Each is told in CHANGELOG.md. A name here that no difference bears any more fails too.
"""

from collections.abc import Mapping
from typing import Final

from companion.fairness.stakes import CURRENT_STAKES, FIRST_STAKES
from tests.golden.comparing import ABSENT, ANYTHING, Mended

LOST: Final = (
    Mended("/matches/*/lost", "The list says which events a damaged journal lacks; of these none does.", []),
)

_RESULT_WHY: Final = "The list says how each match stands: for statistics, spreadsheets and pictures of results."
RESULTS: Final = (
    *tuple(
        Mended(f"/matches/*/{field}", _RESULT_WHY, ANYTHING)
        for field in ("options", "throws", "winners", "scores", "why", "prizes")
    ),
    Mended("/matches/*/record", "The list says which matches today's rules cannot play; of these all can.", now=False),
)

_STRENGTH: Final = Mended(
    "*players/*/strength", "A page is told how well the program plays for a player, if the match says so.", ""
)
WATCHED: Final = (
    Mended("*/match/watched", "A page is told that a camera watches the match, or once watched it.", now=True),
    _STRENGTH,
)
UNWATCHED: Final = (
    Mended("*/match/watched", "A page is told that no camera watches the match.", now=False),
    _STRENGTH,
)

ANALYSED: Final = (
    Mended("*/head/analysed", "The head of a match says whether its replay can be analysed.", ANYTHING),
    Mended("*/head/as_file", "The head of a match says whether other programs read it as a file.", now=False),
    Mended("*/head/men", "The head of a match says whether it is played with men on a board.", ANYTHING),
)

_MEN_WHY: Final = "Two visitors of a kiosk are called after the men that they move."
_UNDO_WHY: Final = "What a person takes back goes with the program's answer; another test tells it."
REWORDED_TELLING: Final = (
    Mended("*page/match/goal", "A page gets the score that ends the match.", ANYTHING),
    Mended("*page/match/men_by", "A page gets who moves the men, because a running match may change it.", ANYTHING),
    Mended("*page/match/demo", "A page gets whether the match is a demonstration.", now=False),
    Mended("*awaits/remote", "A page gets whether somebody at another table is to move.", now=False),
    Mended("*page/take_back", _UNDO_WHY, ABSENT),
    Mended("*page/undo*", _UNDO_WHY, ABSENT),
)

ANOTHER_REVISION: Final = "This match began under another version of the rules: it is judged by the new one."
_RULES_WHY: Final = "The rules were mended, and who takes up a match of before is told so."
RULES: Final = (
    Mended("/match/rules_changed", _RULES_WHY, ANOTHER_REVISION),
    Mended("/resumed/page/match/rules_changed", _RULES_WHY, ANOTHER_REVISION),
    Mended("/resumed/said", _RULES_WHY, ANOTHER_REVISION),
)

_KARITAS_WHY: Final = "Karitas raises its holder into a tie of others: the third player now shares the win."
_LEVEL: Final = "; Karitas counts double now, so {} draws level with them: nobody is ahead, and "
KARITAS: Final = (
    Mended("*outcome/winners/2", _KARITAS_WHY, 3),
    Mended("/position/outcome/0/2", _KARITAS_WHY, 3),
    *(
        Mended(place, _KARITAS_WHY, _LEVEL.format(third) + "the win is shared.", " and share the win; everybody.*")
        for place, third in (("*outcome/why", "Cy"), ("/position/outcome/1", "Player 3"))
    ),
    Mended("*outcome/*teacher/*", "Nobody is anybody's teacher where all share the win.", ABSENT),
    Mended("*outcome/*pupils/*", "Nobody is anybody's pupil where all share the win.", ABSENT),
)

PAIRS: Final = (
    Mended(
        "*",
        "The taking down of a pair in Doblet is called so.",
        r"takes down the pair on \1 with",
        r"goes from (\w) to \1 with",
    ),
)

_SLAPS_WHY: Final = "Men whom the winners bear off for a slap do not count for the side that lost."
SLAPS: Final = (
    Mended("*/players/[23]/score", _SLAPS_WHY, 2),
    Mended("/position/scores/[34]", _SLAPS_WHY, 2),
    Mended(
        "*",
        "It is said more clearly who bears off whose men.",
        "has borne off all men and wins, and then bears off 13 of the other side: a slap for each.",
        r"has borne off all its men, and then 13 of the other side's, a slap for each\.",
    ),
)

TURNED: Final = (
    Mended(
        "*/options/turned_by_battle",
        "Baralie can be turned round by the throw for the start; a match of before is played on as it was begun.",
        now=False,
    ),
)
SHUT_OUT: Final = (
    Mended("*/options/shut_out", "Emperador knows the barata of the book's introduction; it only says it.", "announce"),
)

KINDS: Final = (
    Mended("*/options/captures", "Beginners choose which captures count; a match of before is played with all.", "all"),
)
SECOND_SIDE: Final = (
    Mended("*/options/second_side", "Zeno's opponent may begin elsewhere; a match of before is played from z.", "z"),
)


_WAY_WHY: Final = "A correction says by a field of its own whether it is a takeback; its reason was prose before."
CORRECTED: Final = (Mended("/lines/*/corrections/*/way", _WAY_WHY, "correction"),)
TAKEN_BACK: Final = (
    Mended("/lines/*/corrections/*/way", _WAY_WHY, "takeback"),
    Mended("/lines/*/corrections/*/reason", _WAY_WHY, "", "^taken back(: )?"),
)

_SEEN_WHY: Final = "The other side's throw within one look at the board has that look as its evidence, too."
SEEN: Final = (
    Mended("/evidence/*/seen", _SEEN_WHY, ANYTHING),
    Mended("/evidence/*/pictures", _SEEN_WHY, ANYTHING),
)

ALREADY: Final = (Mended("*", "One wording for one thing.", "already holds", "holds already"),)
COUNTS: Final = (Mended("*board/counts", "A page is told what the scores on a board count.", ANYTHING),)
DICE: Final = (
    Mended("*board/dice*", "A page is told which dice of the last throw are left to play.", ANYTHING),
    *COUNTS,
)

MATCHES: Final[Mapping[str, tuple[Mended, ...]]] = {
    "01-ludus-camera": (*RULES, *WATCHED, *CORRECTED),
    "02-ludus-rulings": (*RULES, *UNWATCHED, *ALREADY),
    "03-ludus-whole": (*RULES, *UNWATCHED),
    "04-ludus-karitas": (*RULES, *UNWATCHED, *KARITAS, *CORRECTED),
    "05-ludus-sum": (*RULES, *UNWATCHED, *CORRECTED),
    "06-zeno-board": (*WATCHED, *DICE, *CORRECTED, *TAKEN_BACK, *SECOND_SIDE),
    "07-anglicorum-board": (*WATCHED, *DICE),
    "08-guardia-board": (*RULES, *WATCHED, *SEEN, *COUNTS, *KINDS),
    "09-tokens": (*RULES, *WATCHED),
    "10-doblet": (*UNWATCHED, *DICE, *PAIRS),
    "11-paume": (*UNWATCHED, *DICE, *SLAPS),
    "12-baralie": (*RULES, *UNWATCHED, *DICE, *TURNED),
    "13-emperador": (*RULES, *UNWATCHED, *DICE, *SHUT_OUT),
    "14-verquere": (*UNWATCHED, *DICE, *TAKEN_BACK),
    "16-ludix": (*UNWATCHED, *CORRECTED),
    "18-guardia": (*RULES, *UNWATCHED, *COUNTS, *KINDS),
    "19-italian": (*RULES, *UNWATCHED, *COUNTS, *KINDS),
    "20-mebben": (*RULES, *UNWATCHED, *COUNTS, *KINDS),
    "21-misfit": (*UNWATCHED, *DICE, *CORRECTED),
    "22-sample": (*RULES, *WATCHED),
    "23-abandoned": (*UNWATCHED, *DICE, *SECOND_SIDE),
}
"""By match; of all others only `UNWATCHED` is told otherwise."""

_HIDDEN_WHY: Final = "A report tells what was withdrawn or corrected, by whom and why, and whether dice are pooled."
_REPORT_WHY: Final = "A report says how much, how sure it is, and of what."
REPORT: Final = (
    Mended("*/identity/together", _HIDDEN_WHY, ANYTHING),
    Mended("*/identity/made", "A report bears the day on which it was made.", ANYTHING),
    Mended("*/tally/withdrawn", _HIDDEN_WHY, ANYTHING),
    Mended("*/tally/audited", _HIDDEN_WHY, ANYTHING),
    Mended("*/tally/changed", _HIDDEN_WHY, ANYTHING),
    Mended("*/sentences/*", _REPORT_WHY, ANYTHING),
    Mended("*/provenance/digest", "The table of throws has more columns.", ANYTHING),
    Mended("*/provenance/chain", "A report bears the head of the series' chain.", ANYTHING),
    Mended("*/provenance/understood", "A report says how a file of throws was understood.", []),
)
TABLES: Final = (Mended("/tables/*", "The table of throws has more columns.", ANYTHING),)

_TABLE: Final = (
    Mended("/*/1[0-5]", "A throw tells more of itself; of an older table nothing of that is known.", ANYTHING),
)

_ASKED_WHY: Final = (
    "Lags 2 to 4 are asked about too, and whether a face comes and goes; the chance said counts all moments."
)
_OPEN_WHY: Final = (
    "Intervals hold for all throws: they leave room for what was not read, and for what the reader took wrongly."
)
_NEEDED_WHY: Final = "How many throws are needed is right for any number of faces, and said by the present stakes."
_SHOWN_STAKES_WHY: Final = "A report tells the stakes, how many throws were not read, and when the bet won, too."
_LEAST_WHY: Final = (
    "Without a measured reader the bet counts as if unread throws showed what speaks least against the die."
)
_STAKES_WHY: Final = "A file that is judged now is judged by the present stakes."

NEEDED: Final = (Mended("*/needed", _NEEDED_WHY, ANYTHING),)
DETECTABLE: Final = (Mended("*/detectable/*", _NEEDED_WHY, ANYTHING),)
OPEN: Final = tuple(Mended(place, _OPEN_WHY, ANYTHING) for place in ("*/low*", "*/high*", "*/largest"))
REPORTED: Final = (
    Mended("*/questions*", _ASKED_WHY, ANYTHING),
    Mended("*/seeds/period", _ASKED_WHY, 4),
    Mended("*/seeds/cycle", "It is asked whether several dice come in turn.", 5),
    Mended("*/doubts", "A report says which sessions or hands throw the blamed face unequally; here none.", []),
    Mended("*/faults", "A report says what shows that a table is not whole; here nothing.", []),
    *(
        Mended(place, _SHOWN_STAKES_WHY, ANYTHING)
        for place in ("*/reached", "*/unread", "*/unread_explain", "*/stakes")
    ),
)
FEW: Final = (Mended("/reports/0/sentences/1", "Of fewer than 30 throws nothing more is said.", ABSENT),)
COMMAND: Final = tuple(
    Mended(
        "*/provenance/command",
        "The command that computes a report again names its stakes.",
        rf"\1 --stakes {stakes}\2",
        r"^(.*?)( --reader \S+)?$",
    )
    for stakes in (FIRST_STAKES, CURRENT_STAKES)
)
EVIDENCE: Final = ("*/p", "*/log_most", "*/log_value/*")
LEAST: Final = tuple(Mended(place, _LEAST_WHY, ANYTHING) for place in EVIDENCE)
STAKES: Final = tuple(Mended(place, _STAKES_WHY, ANYTHING) for place in EVIDENCE)

THROWS: Final = (*OPEN, *NEEDED)
SERIES: Final[Mapping[int, tuple[Mended, ...]]] = {
    1: (*REPORT, *TABLES, *REPORTED, COMMAND[0], *NEEDED, *OPEN, *LEAST),
    2: (*REPORT, *TABLES, *REPORTED, COMMAND[0], *NEEDED),
    3: (*REPORT, *TABLES, *REPORTED, *FEW, COMMAND[0], *NEEDED),
    4: (*REPORT, *TABLES, *REPORTED, COMMAND[0], *NEEDED, *OPEN),
}
"""By series; all of them are judged by the stakes that they were begun with."""

_NO_RULES: Final = "A position alone does not say by which rules it was begun: a new option has its usual value."

FILES: Final[Mapping[str, tuple[Mended, ...]]] = {
    "hall": (
        Mended("/words/de/men", _MEN_WHY, ["Weiß", "Schwarz"]),
        Mended("/words/en/men", _MEN_WHY, ["White", "Black"]),
        Mended("/settings/table", "A kiosk may name the settings of its table; by default none.", now={}),
        Mended("/settings/link", "A kiosk may name the museum's address in souvenirs; by default none.", ""),
        Mended(
            "/words/de/program",
            "A kiosk says what the program is called against which a visitor plays.",
            "Die Maschine",
        ),
        Mended(
            "/words/en/program", "A kiosk says what the program is called against which a visitor plays.", "The machine"
        ),
    ),
    "owner/settings.json": (
        Mended("/json/learning", "The settings say whether the table learns its dice; it does by default.", now=True),
        Mended("/json/audits", "The settings say whether dice are drawn to be checked; they are by default.", now=True),
    ),
    "laboratory/cube.csv": _TABLE,
    "laboratory/red.csv": _TABLE,
    "laboratory/cube.json": (*REPORT, *REPORTED, COMMAND[1], *NEEDED, *DETECTABLE, *OPEN, *STAKES),
    "saved/baralie.txt": TURNED,
    "saved/mebben.txt": KINDS,
    "positions.json": (
        *SHUT_OUT,
        *KINDS,
        *SECOND_SIDE,
        Mended("/4/position", "Zeno's new option is written, too.", now=False),
        Mended("/3[123]/position", "The options of a position have one more.", now=False),
        Mended("/*/options/turned_by_battle", _NO_RULES, now=True),
        Mended("/6/position", "Emperador's new option is written, too.", now=False),
        Mended("/23/position", "Baralie's new option is written, too.", now=False),
    ),
}
