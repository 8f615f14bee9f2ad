"""A room without a way out: programs run in a network of their own, and what they ask and leave behind is written down.

The room has one address, a name server that writes down each question and knows no name, and a line to everywhere else
that leads nowhere: whatever is sent there is written down too. `python -m tests.quiet_room FOLDER` is the process
inside, run by ``unshare``; it takes the programs and tells what it saw as JSON.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).resolve().parents[1]

ADDRESS = "192.0.2.1"  # of the room; kept free for documents (RFC 5737), so nobody's
SHARED = ("/tmp", "/var/tmp", "/dev/shm")  # where any program may write
AT_ONCE = 3  # programs; most of them wait for something
PATIENCE = 120.0  # seconds that a program has for what it must say, and to end


@dataclass(frozen=True)
class Program:
    """A program to run.

    ``expected``: a pattern of what it prints, or shows at ``address``, when it has done its work and Ctrl-C may
    end it; "" if it ends by itself.
    """

    words: list[str]
    expected: str = ""
    address: str = ""


@dataclass(frozen=True)
class Seen:
    """What became of a program: whether it did what it must and ended, its output, and the files left in its home."""

    printed: bool
    output: str
    files: list[str]


@dataclass(frozen=True)
class Room:
    """What was seen of each program, and of all together.

    ``asked``: names; ``addressed``: addresses outside; ``files``: left where any program may write.
    """

    seen: list[Seen] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    addressed: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def quiet(folder: Path, programs: Sequence[Program]) -> Room:
    """Run programs in a room that keeps its notes in the empty ``folder``.

    Skips where this user may have no network of their own: ask for user namespaces, or run it as root.
    """
    for rights in ([], ["--map-root-user"]):
        unshare = ["unshare", "--net", "--mount", *rights]
        with contextlib.suppress(OSError, subprocess.CalledProcessError):
            subprocess.run([*unshare, "mount", "-t", "tmpfs", "none", "/dev/shm"], check=True, capture_output=True)
            break
    else:
        pytest.skip("This user may make no network of its own: allow user namespaces, or be root.")
    output = subprocess.run(
        [*unshare, sys.executable, "-m", "tests.quiet_room", folder],
        input=json.dumps([asdict(one) for one in programs]),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=ROOT,
    )
    room = json.loads(output.stdout)
    return Room(**{**room, "seen": [Seen(**one) for one in room["seen"]]})


class _Route(ctypes.Structure):
    """``struct rtentry`` of Linux."""

    _fields_ = (
        ("pad1", ctypes.c_ulong),
        ("to", ctypes.c_byte * 16),
        ("gateway", ctypes.c_byte * 16),
        ("mask", ctypes.c_byte * 16),
        ("flags", ctypes.c_ushort),
        ("pad2", ctypes.c_short),
        ("pad3", ctypes.c_ulong),
        ("pad4", ctypes.c_void_p),
        ("metric", ctypes.c_short),
        ("device", ctypes.c_char_p),
        ("mtu", ctypes.c_ulong),
        ("window", ctypes.c_ulong),
        ("timeout", ctypes.c_ushort),
    )


def open_line() -> None:
    """Give the room its address, and a route to every other that ends in the room itself."""

    def wanted(name: str, rest: bytes) -> bytes:
        return struct.pack("16s24s", name.encode(), rest)

    def ipv4(address: str) -> bytes:
        return struct.pack("=HH4s8x", socket.AF_INET, 0, socket.inet_aton(address))

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        flags = struct.unpack_from("H", fcntl.ioctl(line, 0x8913, wanted("lo", b"")), 16)[0]  # SIOCGIFFLAGS
        fcntl.ioctl(line, 0x8914, wanted("lo", struct.pack("H", flags | 1)))  # SIOCSIFFLAGS, IFF_UP
        fcntl.ioctl(line, 0x8916, wanted("lo:1", ipv4(ADDRESS)))  # SIOCSIFADDR
        route = _Route(flags=1, device=b"lo")
        for part in (_Route.to, _Route.gateway, _Route.mask):
            ctypes.memmove(ctypes.addressof(route) + part.offset, ipv4("0.0.0.0"), 16)
        if ctypes.CDLL(None, use_errno=True).ioctl(line.fileno(), ctypes.c_ulong(0x890B), ctypes.byref(route)):
            raise OSError(ctypes.get_errno(), "SIOCADDRT")


def note_questions(asked: list[str]) -> None:
    """Be the name server: write down each name, and answer that there is none."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("0.0.0.0", 53))

    def serve() -> None:
        while True:
            question, sender = server.recvfrom(4096)
            labels, at = [], 12
            while at < len(question) and question[at]:
                labels.append(question[at + 1 : at + 1 + question[at]].decode("ascii", "replace"))
                at += 1 + question[at]
            asked.append(".".join(labels))
            server.sendto(question[:2] + b"\x81\x83" + question[4:6] + b"\0\0\0\0\0\0" + question[12 : at + 5], sender)

    threading.Thread(target=serve, daemon=True).start()


def note_packets(addressed: list[str]) -> None:
    """Write down where each packet goes that does not stay in the room."""
    tap = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0003))

    def serve() -> None:
        while True:
            packet, (_, protocol, *_) = tap.recvfrom(65536)
            if protocol == 0x0800:
                to = socket.inet_ntop(socket.AF_INET, packet[16:20])
                if not to.startswith("127.") and to != ADDRESS:
                    addressed.append(to)
            elif protocol == 0x86DD:
                to = socket.inet_ntop(socket.AF_INET6, packet[24:40])
                if to != "::1":
                    addressed.append(to)

    threading.Thread(target=serve, daemon=True).start()


def cover(*mount: str) -> None:
    """Mount something over a place, for this room alone."""
    subprocess.run(["mount", *mount], check=True)


def run(program: Program, home: Path, output: Path) -> Seen:
    """Run a program in an empty home and, if it does not end by itself, end it as Ctrl-C does."""
    home.mkdir(parents=True)
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    with output.open("wb") as out:
        process = subprocess.Popen(program.words, cwd=home, env=environment, stdout=out, stderr=out, stdin=-3)
    until, printed = time.monotonic() + PATIENCE, False
    while process.poll() is None and time.monotonic() < until:
        if printed := bool(program.expected and re.search(program.expected, shown(program, output))):
            process.send_signal(signal.SIGINT)
            break
        time.sleep(0.1)
    try:
        done = process.wait(PATIENCE) == 0
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        done = printed = False
    left = sorted(str(path.relative_to(home)) for path in home.rglob("*") if not path.is_dir())
    return Seen(printed if program.expected else done, output.read_text(encoding="utf-8", errors="replace"), left)


def shown(program: Program, output: Path) -> str:
    """Return what a program shows by now: at its address, or else what it has printed."""
    if not program.address:
        return output.read_text(encoding="utf-8", errors="replace")
    with contextlib.suppress(OSError), urlopen(program.address, timeout=PATIENCE) as answer:
        return str(answer.read().decode("utf-8"))
    return ""


def main() -> None:
    """Set up the room, run the programs at the same time, and report what was seen."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job in the background begins without it
    folder = Path(sys.argv[1])
    programs = [Program(**one) for one in json.load(sys.stdin)]
    asked: list[str] = []
    addressed: list[str] = []
    open_line()
    note_packets(addressed)
    note_questions(asked)
    names = folder / "resolv.conf"
    names.write_text(f"nameserver {ADDRESS}\noptions timeout:1 attempts:1\n")
    cover("--bind", str(names), "/etc/resolv.conf")
    needed = [str(path) for path in (ROOT, folder, Path(sys.prefix), Path(sys.base_prefix))]
    bare = [place for place in SHARED if not any(path.startswith(f"{place}/") for path in needed)]
    for place in bare:
        cover("-t", "tmpfs", "none", place)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        jobs = [pool.submit(run, one, folder / f"home{at}", folder / f"output{at}") for at, one in enumerate(programs)]
        seen = [job.result() for job in jobs]
    files = sorted(str(path) for place in bare for path in Path(place).rglob("*") if not path.is_dir())
    json.dump(asdict(Room(seen, asked, addressed, files)), sys.stdout)


if __name__ == "__main__":
    main()
