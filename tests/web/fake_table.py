"""A table without threads, camera and journal, for tests of the page's routes."""

import tempfile
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from companion.desk.page.match_review import MatchReview
from companion.desk.page.worksheet import Worksheet
from companion.desk.table.match_desk import Reply
from companion.language.sentence import Sentence
from companion.live.cameras import Cameras
from companion.live.features import PLAIN, RunningFeatures
from companion.live.inbox import Inbox
from companion.live.keeping import Keeping, PictureFolder
from companion.live.pictures import Pictures
from companion.live.running import Vitals
from companion.live.shared_matches import SharedMatches
from companion.live.snapshot import Snapshot
from companion.live.table import LiveTable
from companion.live.upkeep import Upkeep
from companion.live.watching.dice_settings import WatchSettings, combined, dice_reader
from companion.referee.readable import Dice
from companion.rules.ludus_regularis.virtues import virtues
from companion.vision.boards.board_profile import BoardProfile
from companion.vision.sources.source import FrameSource

JPEG = b"\xff\xd8\xff\xe0 a picture \xff\xd9"


def state(version: int) -> dict[str, Any]:
    sentence = Sentence("{player} throws the three cubes and the tetrahedron.", player="Anna").to_json()
    players = [
        {"number": 1, "name": "Anna", "score": 1, "virtues": ["1.2.3"], "pairs": [], "colour": 1},
        {"number": 2, "name": "Berno <b>", "score": 0, "virtues": [], "pairs": [], "colour": 2},
    ]
    return {
        "version": version,
        "state": "MANUAL",
        "state_sentence": Sentence("The dice of this match are tapped in.").to_json(),
        "sample": False,
        "dice_camera": None,
        "camera": {
            "source": None,
            "status": "NONE",
            "sentence": Sentence("There is no camera.").to_json(),
            "hand": False,
            "phase": None,
            "picture": None,
        },
        "match": {
            "id": 1,
            "name": "Anna, Berno",
            "game": "ludus-regularis",
            "title": "Ludus Regularis",
            "options": {},
            "paused": False,
            "dice_by": "tapped",
            "men_by": "tapped",
            "watched": False,
            "demo": False,
            "players": players,
            "throws": 4,
            "acquired": 1,
            "of": 56,
        },
        "awaits": {
            "kind": "throw",
            "player": 1,
            "sentence": sentence,
            "dice_sets": ["wibold"],
            "dice": ["1", "2", "3", "consonants"],
        },
        "throw": None,
        "reading": None,
        "ask": None,
        "virtues": [
            {
                "id": virtue.lot,
                "name": virtue.latin,
                "english": virtue.english,
                "sum": virtue.sum,
                "owner": 1 if virtue.lot == "1.2.3" else None,
                "throw": 3 if virtue.lot == "1.2.3" else None,
            }
            for virtue in virtues()
        ],
        "curve": [[0, 0], [3, 1], [4, 1]],
        "log": [],
        "outcome": None,
        "autoplay": False,
        "health": {"frame_age": None, "journal": "ok"},
    }


class FakeReview(MatchReview):
    """A match of one event that shows nothing."""

    def __init__(self, stands: str = "0" * 64) -> None:
        """It has no chronicle."""
        self._stands = stands

    @property
    def count(self) -> int:
        return 1

    @property
    def stands(self) -> str:
        return self._stands

    def head(self) -> dict[str, Any]:
        now = state(7)["match"]
        return {**now, "count": 1, "dice_sets": ["wibold"], "began": 0.0, "last": 0.0, "over": False, "outcome": None}

    def lines(self, first: int, count: int) -> list[dict[str, Any]]:
        return [line() for _ in range(first, min(2, first + count))]

    def moment(self, number: int) -> dict[str, Any] | None:
        shown = {key: state(7)[key] for key in ("match", "awaits", "throw", "virtues", "outcome")}
        return {**line(), "count": 1, "state": {**shown, "board": None, "drawn": None}} if number == 1 else None

    def evidence(self, event: int) -> dict[str, Any] | None:
        return {**line(), "seen": None, "asked": None, "pictures": []} if event == 1 else None

    def claim(self, event: int, text: str) -> dict[str, Any] | None:
        return {"allowed": False, "sentence": Sentence("{text}: no.", text=text).to_json()} if event == 1 else None

    def hint(self) -> dict[str, Any]:
        return {
            "sentences": [Sentence("No choice is better than another here.").to_json()],
            "choices": [],
            "arrows": [],
        }

    def as_file(self) -> str | None:
        return None

    def worksheet(self) -> Worksheet:
        return Worksheet(0)

    def analysed(self, first: int) -> dict[str, Any]:
        return {"moves": [], "count": first, "next": None}


def line() -> dict[str, Any]:
    text = Sentence("The match began.").to_json()
    since: dict[str, Any] = {"standing": None, "move": None, "corrections": []}
    parts = {"event": 1, "moment": 1, "at": 0.0, "actor": "owner", "kind": "started", "text": text, "since": since}
    return {**parts, "of": None, "number": None, "player": None, "move": "", "corrected": False, "standing": None}


class FakeTable(LiveTable):
    """Counts the commands that it receives; ``change()`` makes a new version."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._now = Snapshot(7, state(7))
        self.events: list[tuple[str, dict[str, Any], str]] = []
        self.frames: list[bytes] = []
        self.suspended = False
        self.lives = Vitals(writer=True)
        self.refusal: Sentence | None = None
        self.camera: FrameSource | None = None
        self._dice = "wibold"
        self.profiles: list[BoardProfile] = []
        journal = Path(tempfile.gettempdir()) / "no-such-folder-of-a-fake-table" / "journal.db"
        pictures = Pictures(PictureFolder(journal.with_suffix(".pictures"), Keeping()))
        values = WatchSettings(None, dice_reader(), combined)
        cameras = Cameras(None, None, values, pictures, Inbox())
        self.upkeep = Upkeep(
            journal, pictures, cameras, RunningFeatures(PLAIN, Inbox(), Random(), SharedMatches(journal))
        )

    def change(self, **parts: Any) -> None:
        with self._changed:
            version = self._now.version + 1
            data = {**state(version), **parts}
            if data["match"] is not None:  # the match's camera, if there is one, watches any game
                data["match"] = {**data["match"], "watched": data["camera"]["source"] is not None}
            self._now = Snapshot(version, data)
            self._changed.notify_all()

    def try_dice(self, dice: Dice) -> None:
        self._dice = dice[0]

    @property
    def tried_dice(self) -> str:
        return self._dice

    def snapshot(self) -> Snapshot:
        return self._now

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        with self._changed:
            self._changed.wait_for(lambda: self._now.version > version, timeout)
            return self._now if self._now.version > version else None

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        if self.refusal is not None:
            return Reply(ok=False, sentence=self.refusal)
        self.events.append((name, data, actor))
        self.change()
        return Reply(ok=True, sentence=Sentence("Done."), data={"event": len(self.events)})

    def set_suspended(self, *, suspended: bool) -> Reply:
        self.suspended = suspended
        return Reply(ok=True, sentence=Sentence("Done."))

    def vitals(self) -> Vitals:
        return self.lives

    def picture(self, name: str) -> bytes | None:
        return JPEG if name in {"table", "crop-88"} else None

    def offer_frame(self, jpeg: bytes) -> None:
        if not jpeg.startswith(b"\xff\xd8"):
            raise ValueError("This is no JPEG picture.")
        self.frames.append(jpeg)

    def board_camera(self) -> FrameSource | None:
        return self.camera

    def calibrated(self, profile: BoardProfile, actor: str) -> Reply:
        self.profiles.append(profile)
        return self.command("calibrated", {"name": profile.name}, actor)

    def match_count(self) -> int:
        return 1

    def matches(self, first: int = 0, count: int = -1, only: int | None = None) -> list[dict[str, Any]]:
        del first, count, only
        return [
            {
                "id": 1,
                "name": "Anna, Berno",
                "game": "ludus-regularis",
                "players": ["Anna", "Berno"],
                "throws": 4,
                "last_hash": "f" * 64,
                "began": 1000.0,
                "last": 2000.0,
                "events": 5,
                "title": "Ludus Regularis",
                "dice_by": "tapped",
                "sample": False,
                "options": {},
                "over": True,
                "paused": False,
                "winners": ["Anna"],
                "scores": [1, 0],
                "why": Sentence("Ended by agreement.").to_json(),
                "prizes": [["1.2.3"], []],
            }
        ]

    def chronicle(self, match: int) -> FakeReview | None:
        return FakeReview() if match == 1 else None

    def export(self, match: int) -> Iterator[str] | None:
        return iter(['{"format": "alea-match"}', '{"number": 1}']) if match == 1 else None

    def import_lines(self, lines: Iterable[str], actor: str) -> Reply:
        return self.command("import", {"lines": list(lines)}, actor)
