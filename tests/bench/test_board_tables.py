"""The tables of boards take figures of the form that their measurements print."""

from bench.boards import board_tables


def rate(count: int, of: int) -> dict[str, object]:
    return {"count": count, "of": of, "rate": count / of, "interval": [0.0, 1.0]}


def test_a_row_tells_what_was_read_of_a_kind_of_boards() -> None:
    report = {
        "boards": 2,
        **{name: rate(1, 2) for name in ("found", "exact", "occupied", "empty", "silent")},
        "ms": {"median": 99.6, "p95": 200.2},
        "load": [0.5, 1.5],
    }
    figures = {"n": 1, "seed": 3, "tables": report, "photographs": {"a.jpg": None, "b.jpg": {"chance": 0.9}}}
    row, head, rows = board_tables.boards(figures)
    assert "On 1 of 2 photographs" in row
    assert "0.5 to 1.5" in row
    assert len(rows) == 1
    assert len(rows[0]) == len(head)
    assert rows[0][-1] == "100, 200 ms"


def test_a_row_tells_what_was_read_of_tokens_and_what_became_of_covered_places() -> None:
    report = {
        "boards": 2,
        **{name: rate(1, 2) for name in ("found", "exact", "occupied", "empty", "silent", "asked_first_guess")},
        "hidden": {"count": 9, "called_empty": 0, "called_a_token": 1, "touched": 4, "touched_silent": 2},
        "ms": {"median": 99.6, "p95": 200.2},
        "load": [0.5, 1.5],
    }
    row, head, rows = board_tables.tokens({"n": 2, "seed": 3, "rim": report})
    assert "0.5 to 1.5" in row
    assert len(rows[0]) == len(head)
    assert rows[0][-2] == "0, 1 of 9; touched: 2 of 4 wrong"


def test_a_row_tells_how_matches_were_followed_also_where_nothing_illegal_was_shown() -> None:
    none = {"count": 0, "of": 0}
    one = {"matches": 5, "right": rate(39, 40), "wrong": rate(0, 40), "named": none, "load": [1.0, 2.0]}
    row, head, rows = board_tables.followed({"n": 5, "plies": 8, "seed": 1, "tables/zeno": one})
    assert "5 matches of each game" in row
    assert len(rows[0]) == len(head)
    assert rows[0][2].startswith("39 of 40 = 97.5 %")
    assert rows[0][4] == "-"
