"""A laboratory without threads, camera and journal, for tests of its pages."""

import threading
import time
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from companion.desk.shapes.series import SeriesThrowShape
from companion.desk.table.match_desk import Reply
from companion.fairness.account import CountedThrow, DieAccount
from companion.fairness.outcomes import Outcomes, outcomes_of
from companion.fairness.verdict import judge, throws_for
from companion.language.sentence import Sentence, SentenceJson
from companion.live.laboratory.laboratory import Laboratory
from companion.live.running import Vitals
from companion.live.snapshot import Snapshot
from companion.rules.dice import dice_set

NEWEST = 12
POINTS = 200


def sentence_json(template: str, **parts: Any) -> SentenceJson:
    return Sentence(template, **parts).to_json()


class FakeDie:
    """One die of a series and its throws as outcome indices; None where one is not read."""

    def __init__(self, name: str, set_name: str, die: str, *, twins_apart: bool) -> None:
        self.name, self.set_name, self.die = name, set_name, die
        self.outcomes: Outcomes = outcomes_of(dice_set(set_name).die(die), twins_apart=twins_apart)
        self.shown: list[int | None] = []
        self.corrected = 0

    def to_json(self, smallest: float, due: Sequence[int]) -> dict[str, Any]:
        shown = [place for place in self.shown if place is not None]
        judged = judge(np.array(shown, np.int64), self.outcomes, smallest=smallest)
        evidence = judged.evidence
        needed = throws_for(self.outcomes, smallest) if judged.said == "not enough" else None
        return {
            "name": self.name,
            "set": self.set_name,
            "die": self.die,
            "labels": list(self.outcomes.labels),
            "fair": self.outcomes.fair.tolist(),
            "counts": judged.counts.tolist(),
            "throws": len(shown),
            "unread": self.shown.count(None),
            "corrected": self.corrected,
            "audit": {"done": 3, "wrong": 0, "due": list(due)},
            "verdict": {
                "said": judged.said,
                "sentences": [self._verdict(judged.said, len(shown), judged.largest, needed)],
                "p": evidence.p,
                "called": evidence.called,
                "largest": judged.largest,
                "smallest": judged.smallest,
                "needed": needed,
            },
            "low": judged.intervals.low.tolist(),
            "high": judged.intervals.high.tolist(),
            "estimate": judged.estimate.tolist(),
            "evidence": {
                "throws": evidence.throws[-POINTS:].tolist(),
                "log_value": evidence.log_value[-POINTS:].tolist(),
                "needed": evidence.needed,
            },
            "findings": [{"question": "lag", "found": False, "p": 0.4, "throws": 100}],
        }

    def account(self) -> DieAccount:
        throws = [CountedThrow(number, place, "typed") for number, place in enumerate(self.shown, 1)]
        read = np.array([place for place in self.shown if place is not None], np.int64)
        counts = np.bincount(read, minlength=len(self.outcomes.labels))
        die = dice_set(self.set_name).die(self.die)
        return DieAccount(self.name, self.set_name, die, self.outcomes, counts, throws)

    @staticmethod
    def _verdict(what: str, throws: int, largest: float, needed: int | None) -> SentenceJson:
        if what == "biased":
            return sentence_json(
                "Biased: a fair die gives such throws in one case of 20 at most, however often one looks."
            )
        if what == "no larger bias":
            return sentence_json("No bias larger than {off} points of a hundred.", off=round(largest * 100, 1))
        return sentence_json(
            "Not enough throws yet: {throws} leave room for a bias of up to {off} points of a hundred. About {needed} "
            "throws are needed in all.",
            throws=throws,
            off=round(largest * 100, 1),
            needed=needed,
        )


class FakeLaboratory(Laboratory):
    """Obeys commands without keeping anything; ``change()`` overrides parts of its state."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._version = 3
        self._over: dict[str, Any] = {}
        self.dice: list[FakeDie] = []
        self.throws_made: list[dict[str, Any]] = []
        self.heading: dict[str, Any] | None = None
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.due: list[int] = []
        self._now = Snapshot(self._version, self._data())

    def change(self, **parts: Any) -> None:
        """Override parts of the state; ``series`` overrides parts of the series."""
        self._over = {**self._over, **parts}
        self._publish()

    def _publish(self) -> None:
        with self._changed:
            self._version += 1
            self._now = Snapshot(self._version, self._data())
            self._changed.notify_all()

    def snapshot(self) -> Snapshot:
        return self._now

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        with self._changed:
            self._changed.wait_for(lambda: self._now.version > version, timeout)
            return self._now if self._now.version > version else None

    def _data(self) -> dict[str, Any]:
        over = {name: part for name, part in self._over.items() if name != "series"}
        series = None
        if self.heading is not None:
            dice = [die.to_json(self.heading["smallest"], self.due) for die in self.dice]
            last = list(map(_publish, reversed(self.throws_made[-NEWEST:])))
            series = {
                **self.heading,
                "throws": len(self.throws_made),
                "dice": dice,
                "last": last,
                **self._over.get("series", {}),
            }
        camera = {"source": None, "status": "NONE", "picture": None, "trouble": None}
        return {
            "version": self._version,
            "sentence": sentence_json("Throw the die.")
            if series
            else sentence_json("No series is running: begin one."),
            "sign": "throw" if series else "none",
            "camera": {**camera, "sentence": sentence_json("There is no camera.")},
            "series": series,
            "series_list": [] if series is None else [self._listed()],
            **over,
        }

    def _listed(self) -> dict[str, Any]:
        assert self.heading is not None
        dice = [{"name": die.name, "set": die.set_name, "die": die.die} for die in self.dice]
        return {"id": 1, "title": self.heading["title"], "throws": len(self.throws_made), "at": 1.8e9, "dice": dice}

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        del actor
        self.asked.append((name, data))
        getattr(self, f"_{name}", lambda _: None)(data)
        self._publish()
        return Reply(ok=True, sentence=Sentence("Done."), data={})

    def _begin(self, data: dict[str, Any]) -> None:
        self.dice = [
            FakeDie(one["name"], one["set"], one["die"], twins_apart=one.get("twins_apart", False))
            for one in data["dice"]
        ]
        self.throws_made = []
        self.heading = {
            "id": 1,
            "title": data["title"],
            "at": 1.8e9,
            "about": data.get("about", {}),
            "smallest": data.get("smallest") or 0.05,
            "fixed": data.get("fixed"),
            "pace": None,
            "session": "1",
            "hand": "",
            "question": None,
        }

    def _throw(self, data: dict[str, Any]) -> None:
        self.add(data["die"], data["face"], "typed")

    def add(self, name: str, face: str | None, how: str = "camera", **parts: Any) -> None:
        """Count a throw without notifying anybody."""
        die = next(one for one in self.dice if one.name == name)
        die.shown.append(None if face is None else die.outcomes.labels.index(face))
        throw = {
            "number": len(self.throws_made) + 1,
            "at": time.time(),
            "die": name,
            "outcome": face,
            "suspected": None,
        }
        place = len(die.shown) - 1
        self.throws_made.append({**throw, "how": how, "asked": False, "corrected": False, "crop": None, **parts})
        self.throws_made[-1]["_place"] = place

    def _correct(self, data: dict[str, Any]) -> None:
        throw = self.throws_made[data["number"] - 1]
        die = next(one for one in self.dice if one.name == throw["die"])
        face = data["face"]
        die.shown[throw["_place"]] = None if face is None else die.outcomes.labels.index(face)
        die.corrected += 1
        if data.get("withdrawn"):
            throw["withdrawn"] = True
            return
        throw |= {"outcome": face, "corrected": True}

    def _audit(self, data: dict[str, Any]) -> None:
        self.due.remove(data["number"])

    def _session(self, data: dict[str, Any]) -> None:
        assert self.heading is not None
        self.heading |= {"session": data["name"], "hand": data["hand"]}

    def _end(self, data: dict[str, Any]) -> None:
        del data
        self.heading = None

    def picture(self, name: str) -> bytes | None:
        shade = (60, 90, 60) if name == "table" else (180, 200, 220)
        image = np.full((240, 320, 3) if name == "table" else (96, 96, 3), shade, np.uint8)
        cv2.circle(image, (48, 48), 12, (20, 20, 40), -1)
        return cv2.imencode(".jpg", image)[1].tobytes()

    def throws(self, series: int) -> list[SeriesThrowShape] | None:
        return [_publish(throw) for throw in self.throws_made] if series == 1 else None

    def accounts(self, series: int) -> list[DieAccount] | None:
        return [die.account() for die in self.dice] if series == 1 and self.dice else None

    def offer_frame(self, jpeg: bytes) -> None:
        del jpeg

    def vitals(self) -> Vitals:
        return Vitals(writer=True)


def _publish(throw: dict[str, Any]) -> Any:
    return {name: part for name, part in throw.items() if not name.startswith("_")}
