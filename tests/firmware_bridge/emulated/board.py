"""An emulated board, as the tests talk to it: bytes and contacts in, frames and lines out, all in simulated time."""

import json
import subprocess
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from firmware_bridge.protocols import uplink


@dataclass(frozen=True)
class Event:
    """Something that happened on the board, ``t_ms`` milliseconds of simulated time after it was switched on."""

    t_ms: float
    kind: str
    data: dict[str, Any]

    @classmethod
    def read(cls, line: str) -> "Event":
        """Read what the emulation printed."""
        data = json.loads(line)
        return cls(data.pop("t_ms"), data.pop("event"), data)

    @property
    def pixels(self) -> bytes:
        """Return what the LEDs of a frame show: three bytes each, red first."""
        return bytes.fromhex(self.data["pixels"])

    @property
    def message(self) -> uplink.Message | None:
        """Return what a line says, or None if it says nothing that our lines say."""
        stated = uplink.LineReader().feed(self.data["text"].encode("ascii") + b"\n")
        return stated[0] if stated else None


def frames(events: Iterable[Event]) -> list[Event]:
    """Return those events in which the LEDs took new colours over."""
    return [event for event in events if event.kind == "frame"]


def messages(events: Iterable[Event]) -> list[uplink.Message]:
    """Return what the board said in its lines."""
    stated = [event.message for event in events if event.kind == "line"]
    return [message for message in stated if message is not None]


class EmulatedBoard:
    """A board whose time passes only while a test lets it: every run is the same, however busy the machine."""

    def __init__(self, emulator: Path, firmware: Path, *options: str) -> None:
        self.events: list[Event] = []
        self._process = subprocess.Popen(
            [emulator, firmware, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.ready = self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, why: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Switch off."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.terminate()
        self._process.wait(10)
        self._process.stdout.close()

    @property
    def now(self) -> float:
        """The simulated time in milliseconds."""
        return self.events[-1].t_ms

    def boot(self) -> list[Event]:
        """Let it start and say hello; return what happened."""
        return self.run(20)

    def command(self, text: str) -> list[Event]:
        """Give a command of the emulation; return what happened until it was done."""
        self._write(text)
        first = len(self.events)
        while (event := self._read()).kind != "done":
            assert event.kind not in {"unknown", "crashed"}, event
        return self.events[first:-1]

    def run(self, milliseconds: float) -> list[Event]:
        """Let time pass."""
        return self.command(f"run {milliseconds}")

    def until(self, what: str, milliseconds: float) -> list[Event]:
        """Let time pass until an event of this kind, or a line that begins so; raise if it does not come in time."""
        first = len(self.events)
        self.command(f"until {what} {milliseconds}")
        assert self.events[-1].data["met"], f"no {what} in {milliseconds} ms, but {self.events[first:]}"
        return self.events[first:-1]

    def send(self, data: bytes) -> None:
        """Put bytes on the wire to the board; they arrive as time passes."""
        self.command(f"send {data.hex()}")

    def show(self, frame: bytes, within: float = 1000) -> Event:
        """Send a frame, wait for its answer, at the longest ``within`` ms; return what the LEDs then show."""
        self.send(frame)
        return frames(self.until("$OK", within) + self.run(1))[-1]

    def _write(self, text: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(text + "\n")

    def _read(self) -> Event:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(
                f"The emulated board ended with {self._process.wait(10)}; last it said {self.events[-3:]}."
            )
        self.events.append(Event.read(line))
        return self.events[-1]


class LiveBoard(EmulatedBoard):
    """A board on a pseudo-terminal, for whoever opens `port`: its time is the wall's, slower on a busy machine."""

    def __init__(self, emulator: Path, firmware: Path, *, link: Path | None = None, autoreset_ms: int = 0) -> None:
        linked = () if link is None else ("--link", str(link))
        super().__init__(emulator, firmware, "--pty", *linked, "--autoreset", str(autoreset_ms))
        self.port: str = self.ready.data["port"]
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._follow, name="emulated board", daemon=True)
        self._reader.start()

    def command(self, text: str) -> list[Event]:
        """Give a command; return at once."""
        self._write(text)
        return []

    def wait(self, whether: Callable[[list[Event]], bool], seconds: float = 30) -> None:
        """Wait until what happened so far is as asked for; raise if it is not after ``seconds`` of the wall."""
        with self._changed:
            assert self._changed.wait_for(lambda: whether(self.events), seconds), self.events[-10:]

    def close(self) -> None:
        """Switch off: the port hangs up."""
        assert self._process.stdin
        self._process.terminate()
        self._process.wait(10)
        self._reader.join(10)
        super().close()

    def _follow(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            with self._changed:
                self.events.append(Event.read(line))
                self._changed.notify_all()
