"""The last lines of the log, in memory for the owner's pages: limited in number, and without players' names."""

import logging
import re
import threading
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.web.app_state import AppKey

MOST_LINES: Final = 200
LONGEST_LINE: Final = 2000  # characters; of a longer traceback the last ones, because its end says what went wrong


@dataclass(frozen=True)
class LogLine:
    """One line: ``at`` in seconds since 1970, its level, the part of the program that wrote it, and its text."""

    at: float
    level: str
    part: str
    text: str


class RecentLog(logging.Handler):
    """Keeps warnings and errors until newer ones replace them. Thread-safe."""

    def __init__(self, most: int = MOST_LINES) -> None:
        super().__init__(logging.WARNING)
        self._lines: deque[LogLine] = deque(maxlen=most)
        self._guard = threading.Lock()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        try:
            text = self.format(record)
        except Exception:  # noqa: BLE001  (a line that cannot be formatted must not stop its writer)
            text = str(record.msg)
        if len(text) > LONGEST_LINE:
            text = f"… {text[-LONGEST_LINE:]}"
        with self._guard:
            self._lines.append(LogLine(record.created, record.levelname, record.name, text))

    def lines(self) -> list[LogLine]:
        """Return the lines, the newest first."""
        with self._guard:
            return list(self._lines)[::-1]


def listen() -> RecentLog:
    """Keep the warnings of every part of the program from now on; they still go to the console too."""
    root = logging.getLogger()
    if not root.handlers:
        console = logging.StreamHandler()
        console.setLevel(logging.WARNING)
        root.addHandler(console)
    recent = RecentLog()
    root.addHandler(recent)
    return recent


def without_persons(text: str, names: Iterable[str]) -> str:
    """Return a text without players' names and without the path of the home folder, which contains a name."""
    known = sorted({name.strip() for name in names if name.strip()}, key=len, reverse=True)
    if known:
        pattern = "|".join(re.escape(name) for name in known)
        text = re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", "(a player)", text)
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text


def when(line: LogLine) -> str:
    """Return when a line was written, as ISO 8601 in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(line.at))


LOG = AppKey[RecentLog | None]("log")
