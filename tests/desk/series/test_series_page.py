"""The camera's part of what the laboratory shows is that of a table; the large sentence comes with its sign."""

from typing import Any

from companion.desk.page.series import camera_json, status_sentence
from companion.desk.series.throw_judge import UNWATCHED, DiceMismatch
from companion.desk.sight import Sight
from companion.language.sentence import Sentence
from companion.vision.source_names import PUSHED
from tests.desk.series.test_throw_judge import Desk


def test_a_phone_is_shown_as_one_and_what_went_wrong_in_reading_is_told() -> None:
    shown: Any = camera_json(Sight(source=PUSHED["phone"], status="LIVE", trouble=Sentence("It is dark.")))
    assert shown["telephone"]
    assert shown["trouble"]["template"] == "It is dark."
    assert not camera_json(Sight(source="0", status="LIVE"))["telephone"]


def test_dice_that_do_not_count_are_to_be_thrown_or_waited_for() -> None:
    series, sight = Desk().series, Sight(source="0", status="LIVE", phase="still")
    too_many = DiceMismatch(Sentence("There are 4 dice."))
    assert status_sentence(series, sight, UNWATCHED, None) == (UNWATCHED.sentence, "throw")
    assert status_sentence(series, sight, too_many, None) == (too_many.sentence, "wait")
