"""The whole of a die: alike in every rotation, proposed in a question, and never read."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.dice.memory.exemplars import WHOLE_OUTLINE, Likeness
from companion.vision.dice.memory.glimpses import FaceLesson
from companion.vision.dice.memory.store import load, save
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.memory.whole_view import proposed, whole_view
from companion.vision.dice.reader import DiceReader
from companion.vision.images import load_image
from companion.vision.readings import Image, ReadDie

PHOTOS = Path(__file__).resolve().parents[5] / "shared" / "photos" / "solids-white"
photographed = pytest.mark.skipif(not PHOTOS.is_dir(), reason="the photographs do not lie beside the project")


def marked(text: str, turn: float) -> tuple[Image, np.ndarray]:
    image = np.full((300, 300, 3), 230, np.uint8)
    outline = np.array([[150 + 70 * np.sin(k), 150 - 70 * np.cos(k)] for k in np.arange(6) * np.pi / 3])
    cv2.fillConvexPoly(image, np.round(outline).astype(np.int32), (90, 40, 40))
    cv2.putText(image, text, (120, 175), cv2.FONT_HERSHEY_SIMPLEX, 2.4, (220, 220, 220), 5)
    warp = cv2.getRotationMatrix2D((150, 150), turn, 0.9)
    return np.asarray(cv2.warpAffine(image, warp, (300, 300), borderValue=(230, 230, 230)), np.uint8), (
        outline @ warp[:, :2].T + warp[:, 2]
    )


@pytest.mark.parametrize("turn", [0, 47, 133, 201, 290])
def test_a_die_is_most_like_itself_in_any_rotation(turn: float) -> None:
    known = {text: whole_view(*marked(text, 0)).descriptors[0] for text in "2457"}
    seen = whole_view(*marked("5", turn)).descriptors
    assert max(known, key=lambda text: float((seen @ known[text]).max())) == "5"


@given(
    chances=st.lists(st.floats(0, 0.2), min_size=1, max_size=5),
    alike=st.dictionaries(st.sampled_from("123456"), st.floats(-1, 1), max_size=6),
)
def test_a_proposal_is_no_surer_than_the_guess_that_it_replaces(chances: list[float], alike: dict[str, float]) -> None:
    candidates = tuple(zip("12345", sorted(chances, reverse=True), strict=False))
    polygon = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0))
    die = ReadDie("d6", "d6", "1", "ask", candidates[0][1], candidates, polygon, "?", short=-1.0)
    stated = proposed(die, {text: Likeness(nets) for text, nets in alike.items()}, "123456")
    assert stated.status == "ask"
    assert stated.confidence <= die.confidence
    assert stated.face == stated.candidates[0][0]
    assert stated == die or (stated.short is None and stated.face == max(alike, key=lambda text: alike[text]))


@photographed
def test_what_a_person_named_is_proposed_in_another_rotation(tmp_path: Path) -> None:
    memory = TableMemory()
    reader = DiceReader("tens", memory=memory)
    for face in ("10", "20", "70", *(str(tens) for tens in (30, 40, 50, 60, 80, 90)), "00"):
        (die,) = [
            one
            for one in reader.read(load_image(PHOTOS / f"steampunk_brandy__d100__{face}.jpg")).dice
            if one.status != "ignored"
        ]
        x, y = np.mean(die.polygon, axis=0)
        reader.learn([FaceLesson((float(x), float(y)), face, named=True)], face)
    save(tmp_path / "memory", memory, "tens")
    again = load(tmp_path / "memory", "tens", lambda patches: np.zeros((len(patches), 2048), np.float32))
    assert [one.bag for one in again.exemplars if one.outline == WHOLE_OUTLINE] == [
        one.bag for one in memory.exemplars if one.outline == WHOLE_OUTLINE
    ]
    assert all(one.outline != WHOLE_OUTLINE for one, _ in memory.exemplars.contradictions())
    image = load_image(PHOTOS / "steampunk_brandy__d100__20.jpg")
    warp = cv2.getRotationMatrix2D((378, 378), 140, 0.9)
    turned = np.asarray(cv2.warpAffine(image, warp, (756, 756), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    stated = [one for one in reader.read(turned).dice if one.status != "ignored"]
    assert [(one.face, one.status) for one in stated] == [("20", "ask")]
