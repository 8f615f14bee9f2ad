"""What threads have freed goes back to the system."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.web.serving import server

SCRIPT = """
import sys, threading, time
from companion.web.serving import server

def used():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 1e6

def work(kept):
    many = [bytearray(10_000) for _ in range(2000)]
    kept.append(many[-1])  # one that lives on at the end of each heap keeps all before it

server.RELEASE_SECONDS = 0.2
if sys.argv[1] == "small":
    server.keep_small()
before, kept = used(), []
for _ in range(6):
    threads = [threading.Thread(target=work, args=(kept,)) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
until = time.monotonic() + (8 if sys.argv[1] == "small" else 1)
while used() - before > 15 and time.monotonic() < until:
    time.sleep(0.1)
print(used() - before)
"""


@pytest.mark.skipif(server._glibc() is None, reason="only glibc keeps what it has")
def test_memory_that_threads_have_freed_goes_back() -> None:
    grown = {}
    for how in ("as it is", "small"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, how],
            capture_output=True,
            check=True,
            text=True,
            cwd=Path(__file__).resolve().parents[2],
        )
        grown[how] = float(done.stdout)
    assert grown["small"] < 15 < grown["as it is"], grown


def test_a_system_without_glibc_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_glibc", lambda: None)
    started: list[object] = []
    monkeypatch.setattr(threading, "Thread", lambda **given: started.append(given))
    server.keep_small()
    assert started == []
