"""Scores of boards: what is asked is not right, and what is wrong and was not asked about is silent."""

from typing import Any

from bench.scoring.boards import BoardScore, score_board

LABEL: dict[str, Any] = {
    "image": "one.jpg",
    "objects": [
        {
            "kind": "board",
            "board": "tables",
            "sites": {"a": {"light": 2}, "b": {"dark": 3}, "c": {"light": 7, "legible": False}},
        }
    ],
}


def reading(status: str = "read", **sites: Any) -> dict[str, Any]:
    return {"objects": [{"kind": "board", "board": "tables", "status": status, "sites": sites}], "ms": 10.0}


def test_a_board_read_wholly_right_is_exact() -> None:
    scored = score_board(LABEL, reading(a={"light": 2, "confidence": 1.0, "status": "read"}, b={"dark": 3}))
    assert scored is not None
    assert (scored.occupied_right, scored.occupied, scored.empty_right, scored.empty) == (2, 2, 22, 22)
    assert scored.exact
    assert scored.silent == 0


def test_asked_sites_are_not_right_and_not_silent() -> None:
    scored = score_board(LABEL, reading(a={"light": 2, "status": "ask"}, b={"dark": 3}))
    assert scored is not None
    assert (scored.occupied_right, scored.silent, scored.asked, scored.exact) == (1, 0, 1, False)


def test_what_is_wrong_missing_or_made_up_without_asking_is_silent() -> None:
    scored = score_board(LABEL, reading(a={"light": 3}, z={"dark": 1}))
    assert scored is not None
    assert (scored.occupied_right, scored.empty_right, scored.silent) == (0, 21, 3)


def test_a_pile_that_nobody_can_count_is_not_counted() -> None:
    scored = score_board(LABEL, reading(a={"light": 2}, b={"dark": 3}, c={"light": 5}))
    assert scored is not None
    assert scored.exact
    assert scored.silent == 0


def test_on_a_board_of_doubtful_place_nothing_counts_as_read() -> None:
    scored = score_board(LABEL, reading("ask", a={"light": 2}, b={"dark": 1}))
    assert scored is not None
    assert (scored.occupied_right, scored.empty_right, scored.silent, scored.found) == (0, 0, 0, False)


def test_a_board_that_was_not_found_is_missed_as_a_whole() -> None:
    scored = score_board(LABEL, {"objects": []})
    assert scored is not None
    assert (scored.occupied_right, scored.empty_right, scored.silent) == (0, 0, 0)


def test_the_report_counts_all_boards() -> None:
    score = BoardScore()
    score.add(LABEL, reading(a={"light": 2}, b={"dark": 3}))
    score.add(LABEL, reading(a={"light": 2}))
    score.add({"image": "dice.jpg", "objects": [{"kind": "die"}]}, {"objects": []})
    report = score.to_json()
    assert report["boards"] == 2
    assert (report["occupied"]["count"], report["occupied"]["of"]) == (3, 4)
    assert report["silent"]["count"] == 1
    assert report["exact"]["count"] == 1
    assert report["ms"]["median"] == 10.0
