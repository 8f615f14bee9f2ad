"""What a page is told of the board of lights follows from how it stands, and from nothing else."""

from dataclasses import replace
from typing import Any

from companion.desk.lights.marks import LightMarks, Mark, Meaning
from companion.desk.lights.theme import theme
from companion.desk.lights.usual_wiring import usual_wiring
from companion.desk.page.lights import LightsNow, lights_part
from companion.language.sentence import Sentence
from companion.rules.registry import game
from firmware_bridge.phrase import Phrase
from firmware_bridge.wiring import Wiring

ZENO = "tables/zeno"
NOW = LightsNow(
    "simulated",
    "LIVE",
    live=True,
    trouble=None,
    notice=None,
    theme=theme(),
    marks=LightMarks({"a": Mark(Meaning.TURN, 1), "player-1": Mark(Meaning.TURN, 1)}),
    wiring=usual_wiring(ZENO),
    game=game(ZENO),
    drawn=True,
)


def test_the_same_is_told_each_time() -> None:
    part: Any = lights_part(None, NOW, None, Sentence("One man is missing."))
    assert part == lights_part(None, NOW, None, Sentence("One man is missing."))
    assert part["lit"] == {"a": {"meaning": "turn", "player": 1}}, "no light of this wiring is a player's"
    assert set(part["places"]) == set("abcdefghiklmnopqrstuwxyz")
    assert (part["sentence"]["text"], part["squares"]["text"]) == ("The board of lights is on.", "One man is missing.")


def test_a_board_that_can_be_seen_is_not_drawn() -> None:
    assert lights_part(None, replace(NOW, drawn=False), None, None)["places"] is None


def test_what_is_wrong_is_said_and_most_of_all_that_the_board_is_gone() -> None:
    short = replace(NOW, notice=Phrase("It has {has} LEDs.", has="20"))
    looked_for = replace(short, live=False)
    other = replace(looked_for, wiring=Wiring("rim", "rim", 56, {"1.1.1": (0,)}))
    gone = replace(other, trouble=Phrase("The port {port} is busy.", port="7"))
    sentence = [lights_part(None, now, None, None)["sentence"]["text"] for now in (short, looked_for, other, gone)]
    assert [text.split(":")[0] for text in sentence] == [
        "It has 20 LEDs.",
        "The program is looking for the board of lights; the game does not wait for it.",
        "The map of lights rim belongs to another board, rim",
        "The board of lights is missing, and the game goes on without it",
    ]
    assert sentence[3].endswith("The port 7 is busy.")
