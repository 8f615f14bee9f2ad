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

from tests.browser.kept_pages import KEEPS_NOTHING, SIZE, WATCHER, KeptPage, KeptPages, Watched
from tests.forked import Forked
from tests.kept_scripts import keep_scripts

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


@pytest.fixture(scope="session")
def kept_pages(browser: Browser) -> KeptPages:
    return KeptPages(browser)


@pytest.fixture(scope="module", autouse=True)
def _scripts_are_fetched_once() -> Iterator[None]:
    """Let a page fetch no script that it has fetched from the same server for another test."""
    with pytest.MonkeyPatch.context() as patch:
        keep_scripts(patch.setattr)
        yield


@pytest.fixture
def open_page(browser: Browser, kept_pages: KeptPages) -> Iterator[Callable[..., Page]]:
    """Open pages, and check that none contacts another server or complains in its console.

    A page of no other test is ``fresh``: for tests that change it in ways that only end with it, such as its clock, and
    for those that want a browser which ``keeps`` pages for when the table is away.
    """
    opened: list[Watched] = []

    def make(
        address: str,
        width: int = SIZE[0],
        height: int = SIZE[1],
        *,
        quiet: bool = True,
        ready: bool = True,
        keeps: bool = False,
        fresh: bool = False,
    ) -> Page:
        if fresh or keeps:
            watched = Watched(browser.new_page(viewport={"width": width, "height": height}))
            watched.page.add_init_script(WATCHER if keeps else WATCHER + KEEPS_NOTHING)
        else:
            watched = kept_pages.take()
            if watched.page.viewport_size != {"width": width, "height": height}:
                watched.page.set_viewport_size({"width": width, "height": height})
        opened.append(watched)
        own = re.match(r"http://[^/]+", address)
        assert own
        watched.own, watched.quiet = own[0], quiet
        page = watched.page
        page.set_default_timeout(PATIENCE * 1000)
        page.goto(address)
        if ready:
            page.wait_for_selector("body[data-ready]")
        return page

    yield make
    for watched in opened:
        if isinstance(watched, KeptPage):
            kept_pages.give_back(watched)
        else:
            watched.page.context.close()
    assert [complaint for watched in opened for complaint in watched.complaints] == []
