"""Tables that are behind are asked a few at a time, and each in the end."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from companion.hall.book.missing import ASK_AFTER, AT_ONCE, LONGEST_ASK, Missing

STEP = 0.25


class Simulated:
    """Tables whose events were lost; some repeat one event at each step when they are asked, some never answer."""

    def __init__(self, lost: list[int], *, silent: set[int]) -> None:
        self.left = {f"t{number}": count for number, count in enumerate(lost)}
        self.silent = {f"t{number}" for number in silent}
        self.repeating: set[str] = set()
        self.missing, self.now, self.asked = Missing(), 0.0, list[tuple[float, str]]()
        for table, count in self.left.items():
            self.missing.reached(table, str(count), self.now)
            self.missing.reported(table, "0")

    def step(self) -> int:
        """Let a quarter of a second pass; return how many tables repeat."""
        self.now += STEP
        for table in self.missing.due(self.now):
            assert self.missing.behind(table)
            self.asked.append((self.now, table))
            self.repeating |= {table} - self.silent
        for table in self.repeating:
            self.left[table] -= 1
            self.missing.reached(table, str(self.left[table]), self.now)
        assert set(self.missing.answered()) == self.repeating
        self.repeating = {table for table in self.repeating if self.left[table]}
        return len(self.repeating)


@given(lost=st.lists(st.integers(1, 30), max_size=90), silent=st.sets(st.integers(0, 89), max_size=60))
def test_few_repeat_at_a_time_and_all_come_back_whoever_is_silent(lost: list[int], silent: set[int]) -> None:
    hall = Simulated(lost, silent=silent)
    for _ in range(4 * 60 * 10):
        assert hall.step() <= AT_ONCE
    assert all(not left for table, left in hall.left.items() if table not in hall.silent)
    for table in hall.silent & hall.left.keys():
        times = [at for at, one in hall.asked if one == table]
        assert all(b - a >= 2 * ASK_AFTER for a, b in pairwise(times))
        assert times
        assert hall.now - times[-1] < LONGEST_ASK + 60, "who is silent is asked again and again"


def test_nobody_is_asked_who_has_told_everything_or_goes_on() -> None:
    missing = Missing()
    missing.reached("north", "a", 0.0)
    missing.reported("north", "a")
    assert missing.due(100.0) == []
    missing.reported("north", "d")
    for number, digest in enumerate("bcd"):
        missing.reached("north", digest, 100.0 + number)
        assert missing.due(101.0 + number) == []
