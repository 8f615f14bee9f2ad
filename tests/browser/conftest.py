"""A real ``companion serve`` on a free port with a temporary journal, and a real browser before it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.forked import Forked
from tests.shapes import watcher

WATCHER = watcher()
# As in a network without encryption, where a browser keeps no page for when the table is away: a tenth of its work.
KEEPS_NOTHING = "delete Navigator.prototype.serviceWorker;"
PATIENCE = 60  # seconds that a busy machine may need where a quiet one needs none; no test fails because it is slow
expect.set_options(timeout=PATIENCE * 1000)
COMPANION = Path(sys.executable).parent / "companion"
# The features that Playwright disables in Chromium; a second list would replace Playwright's own.
PLAYWRIGHTS = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)
# Invisible windows below the address bar, prepared again for each page: a fifth of the browser's work.
PREPARED = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    f"--disable-features={','.join((*PLAYWRIGHTS, *PREPARED))}",
)
THROW = ("1", "2", "3", "consonants")


@dataclass
class Server:
    """One running ``companion serve``, by the installed command."""

    journal: Path
    options: tuple[str, ...] = ()
    port: int = 0
    address: str = ""
    process: subprocess.Popen[str] | Forked | None = field(default=None, repr=False)

    def start(self) -> None:
        self.process = self.launch("serve", "--port", str(self.port), "--journal", str(self.journal), *self.options)
        assert self.process.stdout
        reported = []
        for line in self.process.stdout:
            reported.append(line)
            if found := re.search(r"http://[^/\s]+:(\d+)/", line):
                self.port = int(found[1])
                self.address = f"http://127.0.0.1:{self.port}"
                return
        raise AssertionError(f"companion serve did not answer: {reported}")

    def launch(self, *arguments: str) -> subprocess.Popen[str] | Forked:
        """Start the installed command."""
        command = [str(COMPANION), *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def stop(self, number: int = signal.SIGTERM) -> int:
        assert self.process
        assert self.process.stdout
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.stdout.read()
        self.process.stdout.close()
        return self.process.wait(timeout=PATIENCE)

    def command(self, name: str, **data: Any) -> Any:
        request = urllib.request.Request(
            f"{self.address}/api/command/{name}", json.dumps(data).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def throw(self, faces: str) -> Any:
        return self.command("throw", faces=dict(zip(THROW, faces.split(), strict=False)))

    def state(self) -> Any:
        with urllib.request.urlopen(f"{self.address}/api/state", timeout=PATIENCE) as answer:
            return json.load(answer)

    def new_match(self, dice_by: str = "tapped", **options: Any) -> None:
        self.command("new_match", game="ludus-regularis", players=["Anna", "Berno"], options=options, dice_by=dice_by)


class ForkedServer(Server):
    """The same in a fraction of the start's work, for tests that are not about the start."""

    def launch(self, *arguments: str) -> Forked:
        """Fork a process that has imported everything."""
        return Forked(*arguments)


def find_chromium() -> str | None:
    """Return the path of a browser with windows, None where there is none."""
    return os.environ.get("ALEA_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def chromium() -> str:
    # The same engine without a browser's windows: a page takes 1.1 s of processor time instead of 2.0 (12 pages each).
    path = os.environ.get("ALEA_CHROMIUM") or shutil.which("chromium-headless-shell") or find_chromium()
    if path is None:
        pytest.skip("There is no Chromium on this machine; name one by ALEA_CHROMIUM.")
    return path


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve for every test that needs no server of its own; each test starts its own match."""
    running = ForkedServer(tmp_path_factory.mktemp("table") / "journal.db")
    running.start()
    yield running
    assert running.stop() == 0


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Return a factory of servers on the test's own journal."""
    made: list[Server] = []

    def make(*options: str) -> Server:
        running = ForkedServer(tmp_path / "journal.db", options)
        made.append(running)
        running.start()
        return running

    yield make
    for running in made:
        running.stop()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open pages, and check that none contacts another server or complains in its console."""
    pages: list[Page] = []
    complaints: list[str] = []

    def make(
        address: str,
        width: int = 1280,
        height: int = 800,
        *,
        quiet: bool = True,
        ready: bool = True,
        keeps: bool = False,
    ) -> Page:
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(PATIENCE * 1000)
        page.add_init_script(WATCHER if keeps else WATCHER + KEEPS_NOTHING)
        pages.append(page)
        own = re.match(r"http://[^/]+", address)
        assert own
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on(
            "request",
            lambda asked: (
                None
                if asked.url.startswith((own[0], "blob:", "data:"))
                else complaints.append(f"asked elsewhere: {asked.url}")
            ),
        )
        if quiet:
            page.on(
                "console",
                lambda stated: complaints.append(stated.text) if stated.type in {"error", "warning"} else None,
            )
        page.goto(address)
        if ready:
            page.wait_for_selector("body[data-ready]")
        return page

    yield make
    for page in pages:
        page.close()
    assert complaints == []
