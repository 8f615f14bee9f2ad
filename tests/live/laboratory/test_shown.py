"""The camera's part of what the laboratory shows is that of a table."""

from companion.desk.page.series import camera_json
from companion.desk.sight import Sight
from companion.language.sentence import Sentence
from companion.vision.source_names import PUSHED


def test_a_telephone_is_shown_as_one_and_what_went_wrong_in_reading_is_told() -> None:
    shown = camera_json(Sight(source=PUSHED["phone"], status="LIVE", trouble=Sentence("It is dark.")))
    assert shown["telephone"]
    assert shown["trouble"]["template"] == "It is dark."
    assert not camera_json(Sight(source="0", status="LIVE"))["telephone"]
