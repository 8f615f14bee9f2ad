"""Requests that a hostile program would make of an app that it knows: every address and field, as each kind of sender.

A seed draws them, so that a harmful request is reproducible. The judgement: no answer is a fault of the program, every
JSON answer is valid JSON, and a stranger decides nothing.
"""

import http.client
import json
import random
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import quote, urlsplit

from flask import Flask
from werkzeug.routing import Rule

from companion.desk.command import CommandSet, Contract
from companion.desk.series.command_types import SERIES_COMMANDS
from companion.desk.table.command_types import TABLE_COMMANDS
from companion.rules.registry import games
from companion.rules.strict_json import StrictJsonError, read_json
from companion.web.access.auth import OWNERS
from companion.web.camera.phone import COOKIE, LISTENER, PHONES
from companion.web.json_bodies import bodies
from companion.web.streams import WATCHED
from tests.referee.test_transfer import asked, bomb, written

Who = Literal["nobody", "phone", "player", "owner"]
SENDERS: Final[tuple[Who, ...]] = ("nobody", "phone", "player", "owner")
STRANGERS: Final = frozenset({"nobody", "phone"})
METHODS: Final = ("GET", "POST", "POST", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND")
PHONE: Final = "X-Test-Phone"
"""Marks a request as coming through the encrypted listener; only `through_listener` reads it."""

COMMANDS: Final[Mapping[str, CommandSet]] = {
    "api.command": TABLE_COMMANDS,
    "laboratory_api.command": SERIES_COMMANDS,
}
ORDERS: Final = 0.6
"""The share of requests that give an order."""

SLOW, FEW = 0.25, 20
"""An address that takes longer than this many seconds is asked only this many times by each sender."""

PLAYED: Final = frozenset({"committed", "rejected", "paused", "resumed", "seated", "board", "corrected"})
"""The events that any player may cause; of corrections only the takeback of the last choice."""

NAMES: Final = ("first", "count", "event", "text", "language", "scripts", "set", "die", "bias", "session", "pictures")
EXTRA: Final[Mapping[str, tuple[str, ...]]] = {
    "laboratory_museum.add": ("counts",),
}

# Raw JSON, some of which no program would write.
DEEP: Final = "[" * 70 + "]" * 70
JUNK: Final = (
    "null", "true", "0", "-1", "1.5", "1e999", "-1e999", "NaN", "Infinity", "-Infinity", "9" * 30, "9" * 5000, "1e308",
    '""', '"x"', '"\\u0000"', '"\\ud800"', '"\\udfff\\ud800"', '"' + "x" * 70_000 + '"', '"../../etc/passwd"',
    '"{0.x}"', '"<script>"', "[]", "[[]]", "[null]", "[1e999]", "{}", '{"a": 1, "a": 2}', '{"\\ud800": 1}', DEEP,
    "[" * 5000,
    "[" * 500 + "]" * 500, '{"a":' * 300 + "1" + "}" * 300, "[" + "1," * 20_000 + "1]", "", "'", "{", '"\\u202e"',
    "18446744073709551616", "9223372036854775807", "-9223372036854775809", '"2026-13-45"',
    '{"set": "bones", "faces": {}}',
)  # fmt: skip
LIKELY: Final[Mapping[str, tuple[str, ...]]] = {
    "players": ('["Anna", "Berno"]', '["A"]', '["A", "A"]', "2", "3"),
    "options": ("{}", '{"ending": "time", "minutes": 5}', '{"ending": "throws", "throws": 3}', '{"self": 1}'),
    "dice_by": ('"program"', '"program"', '"tapped"', '"camera"'),
    "men_by": ('"tapped"', '"camera"'),
    "programs": ("[]", "[1]", "[1, 2]", "[true]"),
    "strengths": ("[]", '["child"]', '["genius"]', "[1]"),
    "match": ("1", "2", "3"),
    "series": ("1", "2"),
    "event": ("1", "2", "3", "4"),
    "ask": ("2", "3"),
    "candidate": ("0", "1"),
    "number": ("1", "2"),
    "faces": ('{"1": "A", "2": "E", "3": "I", "consonants": "BCDF"}', '{"d6": "3"}'),
    "face": ('"1"', '"6"'),
    "text": ('"time up"', '"A E I BCDF"', '"a-b"', '"LXVI stop"'),
    "choice": ('{"choice": "time up"}', '{"from": "a", "to": "b", "die": 1}', '{"set": "wibold", "faces": {}}'),
    "on": ("true", "false"),
    "pace": ("0.1", "1", "1000"),
    "keep": ('"all"', '"until_misfit"', '"never"'),
    "reason": ('"misread"',),
    "dice": ('[{"set": "d6"}]', '[{"set": "wibold"}]', '"wibold"'),
    "languages": ('["en", "de"]',),
    "lights": ("0.5", "1"),
    "counts": ('{"fair": [1, 0, 0, 0, 0, 0]}',),
    "session": ('"x"',),
    "board": ('"tables"',),
    "pin": ('"000000"', '"x"'),
}
IMPORTS: Final = (
    written(asked()),
    written(asked(sentence=bomb(30))),
    written(asked(dice=[{"junk": 1}])),
    written(asked(sentence={"template": "{a}", "parts": {"a": "\ud800"}})),
    written({"kind": "rejected", "proposed": 9, "reason": ""}),
    written("{" * 500),
)


@dataclass(frozen=True)
class Asked:
    """One request: ``endpoint`` is Flask's name of the address, which identifies what does harm."""

    who: Who
    method: str
    address: str
    endpoint: str
    body: bytes = b""
    kind: str = "application/json"


@dataclass
class Found:
    """The results of the requests."""

    requests: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    senders: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    decided: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the figures, and the first faults."""
        return {
            "requests": self.requests,
            "statuses": {str(status): self.statuses[status] for status in sorted(self.statuses)},
            "senders": dict(self.senders),
            "faults": len(self.faults),
            "decided_by_strangers": len(self.decided),
            "first": [*self.faults[:10], *self.decided[:10]],
        }


class Drawn:
    """Draws random requests for an app."""

    def __init__(self, app: Flask, seed: int) -> None:
        self._chance = random.Random(seed)
        self._views = app.view_functions
        self._orders = [rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
        self._orders += [rule for rule in self._orders if rule.endpoint in COMMANDS] * 12
        self._rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint != "streams.events"]

    def request(self) -> Asked:
        """Return the next request."""
        chance = self._chance
        orders = chance.random() < ORDERS
        rule = chance.choice(self._orders if orders else self._rules)
        who, method = chance.choice(SENDERS), chance.choice(METHODS)
        if "POST" in (rule.methods or ()) and chance.random() < 0.85:
            method = "POST"
        name, contract = self._command(rule)
        address = self._address(rule, name)
        if method in {"GET", "HEAD"}:
            return Asked(who, method, address + self._query(), rule.endpoint)
        if rule.endpoint == "transfer.take_in" and chance.random() < 0.8:
            lines = "\n".join(self._spoilt(chance.choice(IMPORTS)))
            return Asked(who, method, address, rule.endpoint, lines.encode(), "application/x-ndjson")
        taken = bodies(self._views[rule.endpoint]) if contract is None else (contract.type,)
        fields = chain.from_iterable(record.__struct_fields__ for record in taken)
        names = [*dict.fromkeys(fields), *EXTRA.get(rule.endpoint, ())]
        kind = "image/jpeg" if "frames" in rule.endpoint else "application/json"
        return Asked(who, method, address, f"{rule.endpoint} {name}".strip(), self._body(names), kind)

    def _command(self, rule: Rule) -> tuple[str, Contract | None]:
        if rule.endpoint not in COMMANDS:
            return "", None
        contract = self._chance.choice(list(COMMANDS[rule.endpoint].values()))
        return contract.name, contract

    def _address(self, rule: Rule, command: str) -> str:
        def filled(found: re.Match[str]) -> str:
            kind, name = found[1] or "", found[2]
            if command:
                return command
            if kind.startswith("int"):
                return self._chance.choice(["1", "2", "3", "0", "99", "9" * 30, "-1", "x"])
            if kind.startswith("any"):
                return self._chance.choice(["html", "pdf", "csv", "json", "x"])
            likely = [
                "table",
                "begin",
                "ludix",
                "ludus-regularis",
                "health",
                "d6",
                "x" * 3000,
                "..%2f..",
                "%ff%00",
                name,
            ]
            return self._chance.choice(likely)

        return re.sub(r"<(?:([^:<>]+):)?(\w+)>", filled, rule.rule)

    def _query(self) -> str:
        if self._chance.random() < 0.4:
            return ""
        pairs = []
        for name in self._chance.sample(NAMES, 2):
            value = self._chance.choice([*LIKELY.get(name, ("1",)), *JUNK])[:4000].strip('"')
            pairs.append(f"{name}={quote(value, safe='%')}")
        return "?" + "&".join(pairs)

    def _body(self, names: list[str]) -> bytes:
        chance = self._chance
        if not names or chance.random() < 0.1:
            return chance.choice([*JUNK, "{}", "{}"]).encode()
        spoilt = chance.choice([*names, None, None])
        members = []
        for name in names:
            if name != spoilt and chance.random() < 0.15:
                continue
            value = chance.choice(JUNK) if name == spoilt else self._likely(name)
            members.append(f"{json.dumps(name)}: {value}")
        if chance.random() < 0.05:
            members += members[:1]
        return ("{" + ", ".join(members) + "}").encode()

    def _likely(self, name: str) -> str:
        if name == "game":
            return json.dumps(self._chance.choice(list(games())))
        return self._chance.choice(LIKELY.get(name, ('"x"', "1", "{}")))

    def _spoilt(self, lines: list[str]) -> list[str]:
        chance = self._chance
        if chance.random() < 0.5:
            return lines
        place = chance.randrange(len(lines))
        cut = chance.randrange(len(lines[place]))
        return [*lines[:place], lines[place][:cut] + chance.choice(JUNK) + lines[place][cut + 1 :], *lines[place + 1 :]]


def through_listener(app: Flask) -> None:
    """Pass requests marked with `PHONE` through the encrypted listener, as the app sees them."""
    inner = app.wsgi_app

    def marked(environ: dict[str, Any], respond: Any) -> Any:
        if environ.pop("HTTP_X_TEST_PHONE", None):
            environ = {**environ, LISTENER: True, "wsgi.url_scheme": "https"}
        return inner(environ, respond)

    app.wsgi_app = marked  # type: ignore[method-assign, assignment]


class Attack:
    """Sends requests to an app served on loopback, and judges the result of each."""

    def __init__(self, app: Flask, address: str, journal: Path, *, chain: str, seed: int = 1) -> None:
        """Connect to the app; ``journal`` is the file with its events, ``chain`` the name of its chains there."""
        self._app = app
        self._line = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
        self._drawn = Drawn(app, seed)
        self._db = sqlite3.connect(f"{journal.resolve().as_uri()}?mode=ro", uri=True)
        self._chain = chain
        self._took: dict[tuple[str, Who], tuple[int, float]] = {}
        with app.app_context():
            self._key = PHONES.get().pair(PHONES.get().invite().token)
        self._seen = self._last()
        self._runs = False
        self.found = Found()

    def close(self) -> None:
        """Close connection and file."""
        self._line.close()
        self._db.close()

    def run(self, requests: int, until: float) -> Found:
        """Make this many requests, or as many as time allows."""
        for _ in range(requests):
            if time.monotonic() > until:
                break
            self._one(next(self._worth_asking()))
        return self.found

    def _worth_asking(self) -> Iterator[Asked]:
        while True:
            request = self._drawn.request()
            count, seconds = self._took.get((request.endpoint, request.who), (0, 0.0))
            if count < FEW or seconds / count < SLOW:
                yield request

    def _one(self, request: Asked) -> None:
        began = time.perf_counter()
        status, kind, body = self._sent(request)
        count, seconds = self._took.get((request.endpoint, request.who), (0, 0.0))
        self._took[request.endpoint, request.who] = (count + 1, seconds + time.perf_counter() - began)
        self.found.requests += 1
        self.found.statuses[status] += 1
        self.found.senders[request.who] += 1
        if status >= 500 and status != 501:  # 501: a method that the server itself does not know
            self._note(self.found.faults, request, f"{status} {body[:200]!r}")
        elif kind == "application/json" and body:
            try:
                read_json(body)
            except StrictJsonError as why:
                self._note(self.found.faults, request, str(why))
        self._judge(request)

    def _sent(self, request: Asked) -> tuple[int, str, bytes]:
        headers = {"Content-Type": request.kind, "Host": "localhost", "Accept": "application/json"}
        if request.who == "nobody":
            headers["X-Forwarded-For"] = "192.0.2.7"
        elif request.who == "phone":
            headers |= {PHONE: "1", "Cookie": f"{COOKIE}={self._key}"}
        elif request.who == "owner":
            headers["Cookie"] = f"alea_owner={self._owner()}"
        body = None if request.method in {"GET", "HEAD"} else request.body
        try:
            self._line.request(request.method, request.address, body, headers)
            answer = self._line.getresponse()
            return answer.status, answer.headers.get_content_type(), answer.read()
        except (http.client.HTTPException, ConnectionError, BrokenPipeError):
            self._line.close()  # refused before everything was sent
            return 0, "", b""

    def _owner(self) -> str:
        """Return the cookie of an owner who has just signed in, because a request may have signed out the last one."""
        token = OWNERS.get(self._app).begin()
        signing = self._app.session_interface.get_signing_serializer(self._app)  # type: ignore[attr-defined]
        cookie: str = signing.dumps({"owner": token})
        return cookie

    def _last(self) -> int:
        return int(self._db.execute("SELECT COALESCE(MAX(rowid), 0) FROM events").fetchone()[0])

    def _judge(self, request: Asked) -> None:
        before, self._runs = self._runs, bool(WATCHED.get(self._app).snapshot().data.get("autoplay"))
        if self._runs and not before and request.who in STRANGERS:
            self._note(self.found.decided, request, "the program throws by itself")
        rows = self._db.execute(
            "SELECT rowid, kind, actor, body FROM events WHERE rowid > ? ORDER BY rowid", (self._seen,)
        ).fetchall()
        for rowid, kind, actor, body in rows:
            self._seen = max(self._seen, int(rowid))
            if request.who not in STRANGERS or actor == "program":
                continue
            played = kind in PLAYED and (kind != "corrected" or '"way":"takeback"' in body)
            if self._chain == "match" and (not played or request.who == "phone" or "time up" in body):
                self._note(self.found.decided, request, f"{kind} {body[:120]}")
            if self._chain == "series" and kind in {"started", "corrected", "ended", "resumed", "session"}:
                self._note(self.found.decided, request, f"{kind} {body[:120]}")

    def _note(self, notes: list[str], request: Asked, what: str) -> None:
        asked_for = f"{request.who} {request.method} {request.address[:80]} {request.body[:120]!r}"
        notes.append(f"{asked_for}: {what}")
