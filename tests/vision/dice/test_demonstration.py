"""What everybody sees first: the reader reads the pictures of the demonstration as they were drawn."""

from itertools import pairwise

from companion.vision.dice.reader import DiceReader
from companion.vision.images import load_image
from companion.vision.sources.scripted import STILL, load_script
from tests.live.labelled import SAMPLE, script


def test_every_throw_is_read_but_the_one_that_the_table_is_to_ask_about() -> None:
    steps = load_script(SAMPLE)
    stills = [after.image for before, after in pairwise(steps) if (before.phase, after.phase) == ("moving", STILL)]
    lying: dict[str, str] = {}
    reader, asked, throws = DiceReader("wibold"), [], 0
    for still, cast in zip(stills, script()["casts"], strict=True):
        lying |= cast["faces"]  # a second cast is of one cube: the other dice lie as they did
        throws += len(cast["faces"]) == len(lying)
        reading = reader.read(load_image(still))
        certain = {die.die: die.face for die in reading.dice if die.status == "read"}
        assert certain.items() <= lying.items(), throws
        if certain != lying:
            asked.append(throws)
    assert asked == script()["unreadable_throws"]
