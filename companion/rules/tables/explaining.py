"""How to play a tables game, derived from its entry in the data file; the code checks no variant's name."""

from companion.language.sentence import Listing, Sentence
from companion.rules.how_to_play import sentences
from companion.rules.tables.rulings import TablesRules


def how_to_play(rules: TablesRules) -> tuple[Sentence, ...]:
    """Return sentences on a turn, landing, entering and the end of a tables game with its settled options."""
    variant, movement = rules.variant, rules.courses[0].movement
    named = [f"dice-{rules.mode}"]
    if variant.rule == "doblet":
        return _sentences([*named, "doblet", "duty", "lost", "doblet-end"])
    named += [name for name, wanted in (("doubles", rules.doubles_twice), ("again", rules.extra_turn)) if wanted]
    named += ["enters"] if variant.enters else []
    named += ["enters-all"] if movement.forced == "hand" else []
    named += ["stands"] if movement.entry_only else ["moves"]
    named += ["duty", "passed-on" if rules.to_opponent else "lost"]
    named.append("held-corners" if variant.rule == "corners" else "held")
    named += ["start-shut"] if movement.start_shut else []
    named += ["hit-first"] if movement.forced == "hit" else []
    named += ["no-pairs"] if not movement.pairing else []
    named += ["two-at-most"] if movement.most == 2 else []  # noqa: PLR2004 (the only limit that any source sets)
    named += ["rests"] if movement.still_home else []
    named.append(rules.goal)
    named += ["three-each"] if rules.goal == "places" else []
    named += ["slaps"] if rules.slaps else []
    named += ["gammon"] if rules.counts_gammons and rules.goal == "bear" else []
    named.append("tie")
    first, *rest = _sentences(named)
    return (_way(rules), first, *rest)


def _sentences(named: list[str]) -> tuple[Sentence, ...]:
    return tuple(one for name in named for one in sentences(__package__, name))


def _way(rules: TablesRules) -> Sentence:
    """Say where each side runs."""
    ours, theirs = (_spoken(track) for track in rules.ways)
    if "table" in rules.options or rules.courses[0].movement.entry_only:
        return Sentence("Both sides play in one table of six points.")
    if ours == theirs:
        return Sentence("Both sides run the same way, {way}.", way=ours)
    return Sentence("Side 1 runs {first}, side 2 {second}.", first=ours, second=theirs)


def _spoken(track: str) -> Listing:
    """Return ``"a-f t-z"`` as ``"a to f, t to z"``."""
    runs = (run.split("-") for run in track.split())
    return Listing((Sentence("{start} to {end}", start=start, end=end) for start, end in runs), "comma")
